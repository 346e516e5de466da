import Stripe from 'stripe'
import { z } from 'zod'
import {
  ProviderError,
  type PayableOrder,
  type Payment,
  type PaymentKind,
  type Payments,
  type PaymentState,
  type ProviderEvent,
} from '../store/deps'
import { Refusal } from '../store/refusal'

export interface StripeAccount {
  secretKey: string
  webhookSecret: string
  /** Where Stripe's API is, when it is not where it always is: `http://127.0.0.1:8789`. */
  apiUrl?: string
  /** Where the shop is: customers come back there. */
  shopOrigin: string
}

/** Milliseconds that one try may take. A call is tried twice at the most, so it takes less than 13 seconds. */
const timeout = 6_000

/**
 * The card payment provider, by Stripe's own library. Amounts are whole US cents (docs.stripe.com/currencies), every
 * call that opens something or sends money back has an idempotency key of ours, so that a repeated one has one effect
 * (docs.stripe.com/api/idempotent_requests); closing needs none.
 */
export function stripePayments(account: StripeAccount): Payments {
  // Made when it is needed: most pages have nothing to do with it, and it costs as much as reading their data.
  let made: Stripe | undefined
  const stripe = () =>
    (made ??= new Stripe(account.secretKey, {
      ...(account.apiUrl ? ordersUrl(account.apiUrl) : {}),
      timeout: timeout,
      maxNetworkRetries: 1,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(),
    }))

  async function findCheckout(id: string): Promise<PaymentState> {
    const session = await knownTypes(stripe().checkout.sessions.retrieve(id, { expand: ['payment_intent'] }))
    if (!session) return { state: 'over' }
    const intent = session.payment_intent
    // Stryker disable next-line ConditionalExpression: a mere id has no status
    if (session.payment_status === 'paid' && intent && typeof intent === 'object' && intent.status === 'succeeded') {
      return { state: 'paid', payment: paymentOf(intent) }
    }
    return session.status === 'expired' ? { state: 'over' } : { state: 'open', clientSecret: null }
  }

  async function findIntent(id: string): Promise<PaymentState> {
    const intent = await knownTypes(stripe().paymentIntents.retrieve(id))
    if (!intent || intent.status === 'canceled') return { state: 'over' }
    if (intent.status === 'succeeded') return { state: 'paid', payment: paymentOf(intent) }
    return { state: 'open', clientSecret: intent.client_secret }
  }

  const find = (kind: PaymentKind, id: string) =>
    callStripe(() => (kind === 'checkout' ? findCheckout(id) : findIntent(id)))

  return {
    async openCheckout(order, attempt, expiresAt) {
      const back = `${account.shopOrigin}/dashboard/myOrders/payment/${encodeURIComponent(order.id)}`
      const metadata = labelOf(order)
      return callStripe(async () => {
        const session = await stripe().checkout.sessions.create(
          {
            mode: 'payment',
            allowed_payment_method_types: ['card'],
            line_items: [lineOf(order)],
            client_reference_id: order.id,
            customer_email: order.customerEmail,
            metadata,
            payment_intent_data: { metadata },
            success_url: `${back}?from=checkout`,
            cancel_url: back,
            expires_at: Math.floor(expiresAt / 1000),
          },
          { idempotencyKey: `checkout:${order.id}:${attempt}` },
        )
        if (!session.url) throw new ProviderError('The checkout has no address', { final: true })
        return { id: session.id, url: session.url }
      })
    },

    async openIntent(order, attempt) {
      return callStripe(async () => {
        const intent = await stripe().paymentIntents.create(
          {
            amount: order.totalCents,
            currency: 'usd',
            allowed_payment_method_types: ['card'],
            description: `${order.quantity} × ${order.productName}`,
            metadata: labelOf(order),
          },
          { idempotencyKey: `intent:${order.id}:${attempt}` },
        )
        if (!intent.client_secret) throw new ProviderError('The intent has no client secret', { final: true })
        return { id: intent.id, clientSecret: intent.client_secret }
      })
    },

    find,

    async close(kind, id) {
      try {
        if (kind === 'checkout') await stripe().checkout.sessions.expire(id)
        else await stripe().paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
        return { state: 'over' }
      } catch (error) {
        // Only what is open can be closed. Any other answer may mean that it was paid or had run out: look.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw providerError(error)
        return find(kind, id)
      }
    },

    async refund({ transactionId, amountCents }) {
      return callStripe(async () => {
        // By us before a crash, or by the shopkeeper at Stripe: then there is nothing, or less, left to send back.
        const { data } = await stripe().refunds.list({ payment_intent: transactionId, limit: 100 })
        const made = data.filter((refund) => !isFailed(refund))
        const sentBack = made.reduce((sum, { amount }) => sum + amount, 0)
        if (made[0] && sentBack >= amountCents) return { refundId: made[0].id }
        // Stripe keeps the answer to a key for a day, a failure too; and it never refunds more than was paid.
        const hour = new Date().toISOString().slice(0, 13)
        const refund = await stripe().refunds.create(
          { payment_intent: transactionId },
          { idempotencyKey: `refund:${transactionId}:${hour}` },
        )
        if (isFailed(refund)) throw new ProviderError(`The refund ${refund.id} has failed`, { final: true })
        return { refundId: refund.id }
      })
    },

    async isRefundFailed(refundId) {
      return callStripe(async () => {
        const refund = await knownTypes(stripe().refunds.retrieve(refundId))
        return refund !== null && isFailed(refund)
      })
    },

    async readEvent(body, signature) {
      try {
        await stripe().webhooks.signature!.verifyHeaderAsync(body, signature ?? '', account.webhookSecret)
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
        throw error
      }
      // Not `constructEventAsync`: its TypeErrors for what is no snapshot event look like bugs of ours.
      const event = SnapshotEvent.safeParse(parsed(body))
      if (event.success) return { id: event.data.id, type: event.data.type, about: subjectOf(event.data.data.object) }
      throw new Refusal('invalid', 'This is signed, but is no snapshot event: only those are handled here.')
    },
  }
}

/** What a webhook endpoint is sent unless it asks for thin events: docs.stripe.com/event-destinations#events-overview. */
const SnapshotEvent = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.looseObject({}) }),
})

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** A refund that the customer's bank would not take, or that was called back. */
function isFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled'
}

function lineOf(order: PayableOrder) {
  return {
    quantity: order.quantity,
    price_data: {
      currency: 'usd',
      unit_amount: order.unitPriceCents,
      product_data: { name: order.productName },
    },
  }
}

/** What ties a payment to its order, at Stripe. */
function labelOf({ id, customerId }: PayableOrder) {
  return { order: id, customer: customerId }
}

const kinds: Partial<Record<string, PaymentKind | 'refund'>> = {
  'checkout.session': 'checkout',
  payment_intent: 'intent',
  refund: 'refund',
}

function subjectOf({ object, id }: { object?: unknown; id?: unknown }): ProviderEvent['about'] {
  const kind = kinds[String(object)]
  return kind && typeof id === 'string' ? { kind, id } : null
}

/** What Stripe does not know, nobody can pay: null. */
async function knownTypes<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
    throw error
  }
}

function paymentOf(intent: Stripe.PaymentIntent): Payment {
  return {
    transactionId: intent.id,
    orderId: intent.metadata.order ?? null,
    customerId: intent.metadata.customer ?? null,
    amountCents: intent.amount_received,
    currency: intent.currency,
  }
}

function ordersUrl(apiUrl: string) {
  const { protocol, hostname, port } = new URL(apiUrl)
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, ...(port ? { port } : {}) } as const
}

async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw providerError(error)
  }
}

/**
 * Whether the same call may be tried again. A call that got no answer of Stripe's, or came too soon, may; any other answer is
 * stored by Stripe under its idempotency key, a 500 as well, so that a repeated call would get it again.
 */
function providerError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const again =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    // What is no JSON is not Stripe's: something between us answered in its place.
    error.statusCode === undefined ||
    error.code === 'idempotency_key_in_use'
  return new ProviderError(`Stripe: ${error.message}`, { final: !again, cause: error })
}
