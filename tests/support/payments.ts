import { eq } from 'drizzle-orm'
import { orders, paymentAttempts } from '../../app/db/schema'
import { orderInput } from './fixture'
import { payAt } from './hosted-page'
import type { Store } from './store'
import { stripeSecretKey } from '../../sandbox/keys'
import { findOrder } from '../../app/store/orders/orders.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { startCheckout } from '../../app/store/payments/payments.server'

export async function anOrder(shop: Store, { stock = 10, quantity = 2 } = {}) {
  const violin = await shop.sells({ price: 250_00, stock })
  const customer = await shop.customer()
  const { id } = await placeOrder(shop.deps, customer, orderInput(violin, quantity))
  return { violin, customer, id }
}

/** Two pieces for $500, paid by card at the sandbox. */
export async function aPaidOrder(shop: Store, input?: { stock?: number; quantity?: number }) {
  const order = await anOrder(shop, input)
  await payAt((await startCheckout(shop.deps, order.customer, order.id)).url)
  await confirmOrderPayment(shop.deps, order.id)
  const [{ transactionId } = { transactionId: null }] = await shop.ordersOf(order.customer)
  return { ...order, transactionId: transactionId! }
}

export const stateOf = async (shop: Store, customer: { id: string }, id: string) =>
  (await findOrder(shop.deps, customer, id))?.state ?? 'gone'

/** The provider does not know that the payment was closed. */
export async function cancelBehindItsBack(shop: Store, id: string): Promise<void> {
  const { db } = shop.deps
  await db.update(paymentAttempts).set({ state: 'closed' }).where(eq(paymentAttempts.orderId, id))
  await db.update(orders).set({ state: 'cancelled', cancelledAt: Date.now(), movedBy: 'test' }).where(eq(orders.id, id))
}

export const later = ({ deps }: Store, minutes: number) => ({ ...deps, now: () => Date.now() + minutes * 60_000 })

export async function eventOf(shop: Store, orderId: string, id = 'evt_1') {
  const attempts = await shop.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId))
  return {
    id,
    type: 'checkout.session.completed',
    about: { kind: 'checkout' as const, id: attempts.at(-1)!.providerId! },
  }
}

interface IntentAtStripe {
  id: string
  amount: number
  currency: string
  metadata: Record<string, string>
}

export async function intentsAtStripe(shop: Store): Promise<IntentAtStripe[]> {
  const response = await fetch(`${shop.sandbox.url}/v1/payment_intents?limit=100`, {
    headers: { authorization: `Bearer ${stripeSecretKey}` },
  })
  return (await response.json<{ data: IntentAtStripe[] }>()).data
}

export async function payElsewhere(shop: Store, amount: number, metadata: Record<string, string>): Promise<string> {
  const response = await fetch(`${shop.sandbox.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeSecretKey}` },
    body: new URLSearchParams({
      amount: String(amount),
      currency: 'usd',
      'allowed_payment_method_types[]': 'card',
      payment_method: 'pm_card_visa',
      confirm: 'true',
      'metadata[order]': metadata.order!,
      'metadata[customer]': metadata.customer!,
    }),
  })
  return (await response.json<{ id: string }>()).id
}

interface CheckoutAtStripe {
  client_reference_id: string
  url: string
  status: string
}

export async function checkoutsAtStripe(shop: Store): Promise<CheckoutAtStripe[]> {
  const response = await fetch(`${shop.sandbox.url}/v1/checkout/sessions?limit=100`, {
    headers: { authorization: `Bearer ${stripeSecretKey}` },
  })
  return (await response.json<{ data: CheckoutAtStripe[] }>()).data
}

export async function refundsAtStripe(shop: Store, intent: string): Promise<{ id: string; amount: number }[]> {
  const response = await fetch(`${shop.sandbox.url}/v1/refunds?limit=100&payment_intent=${intent}`, {
    headers: { authorization: `Bearer ${stripeSecretKey}` },
  })
  return (await response.json<{ data: { id: string; amount: number }[] }>()).data
}

export async function refundAtStripe(shop: Store, intent: string, amount: number): Promise<void> {
  const response = await fetch(`${shop.sandbox.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeSecretKey}` },
    body: new URLSearchParams({ payment_intent: intent, amount: String(amount) }),
  })
  if (!response.ok) throw new Error(await response.text())
}
