import Stripe from 'stripe'
import { ProviderError, type CheckoutState, type PayableOrder, type Payment, type Payments } from '../store/deps'

export interface StripeAccount {
  secretKey: string
  webhookSecret: string
  /** Where Stripe's API is, when it is not where it always is: `http://127.0.0.1:8789`. */
  apiUrl?: string
  /** Where the shop is: customers come back there. */
  shopOrigin: string
}

/** Milliseconds that one try may take. A call is tried twice at the most, so it takes less than 13 seconds. */
const patience = 6_000

/**
 * The card payment provider, by Stripe's own library. Amounts are whole US cents (docs.stripe.com/currencies), every
 * write has an idempotency key of ours, so that a repeated call has one effect (docs.stripe.com/api/idempotent_requests).
 */
export function stripePayments(account: StripeAccount): Payments {
  const stripe = new Stripe(account.secretKey, {
    ...(account.apiUrl ? addressOf(account.apiUrl) : {}),
    timeout: patience,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  })

  async function findCheckout(id: string): Promise<CheckoutState> {
    return calling(async () => {
      const session = await retrieve(id)
      // What Stripe does not know, nobody can pay.
      if (!session) return { state: 'expired' }
      const intent = session.payment_intent
      if (session.payment_status === 'paid' && intent && typeof intent === 'object' && intent.status === 'succeeded') {
        return { state: 'paid', payment: paymentOf(intent) }
      }
      return { state: session.status === 'expired' ? 'expired' : 'open' }
    })
  }

  async function retrieve(id: string): Promise<Stripe.Checkout.Session | null> {
    try {
      return await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
      throw error
    }
  }

  return {
    async openCheckout(order, attempt, expiresAt) {
      const back = `${account.shopOrigin}/dashboard/myOrders/payment/${encodeURIComponent(order.id)}`
      return calling(async () => {
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [lineOf(order)],
            client_reference_id: order.id,
            customer_email: order.customerEmail,
            metadata: { order: order.id },
            payment_intent_data: { metadata: { order: order.id } },
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

    findCheckout,

    async closeCheckout(id) {
      try {
        await stripe.checkout.sessions.expire(id)
        return { state: 'expired' }
      } catch (error) {
        // Only an open checkout can be closed. Any other answer may mean that it was paid or had run out: look.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw providerError(error)
        const found = await findCheckout(id)
        if (found.state === 'open') throw providerError(error)
        return found
      }
    },

    async refund(transactionId) {
      return calling(async () => {
        // By us before a crash, or by the shopkeeper at Stripe: then there is nothing left to send back.
        const done = await stripe.refunds.list({ payment_intent: transactionId, limit: 1 })
        if (done.data[0]) return { refundId: done.data[0].id }
        // Stripe keeps the answer to a key for a day, a failure too; and it never refunds more than was paid.
        const hour = new Date().toISOString().slice(0, 13)
        const refund = await stripe.refunds.create(
          { payment_intent: transactionId },
          { idempotencyKey: `refund:${transactionId}:${hour}` },
        )
        return { refundId: refund.id }
      })
    },

    async readEvent(body, signature) {
      try {
        const event = await stripe.webhooks.constructEventAsync(body, signature ?? '', account.webhookSecret)
        const subject: { object?: unknown; id?: unknown } = event.data.object
        const checkoutId = subject.object === 'checkout.session' && typeof subject.id === 'string' ? subject.id : null
        return { id: event.id, type: event.type, checkoutId }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
        throw error
      }
    },
  }
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

function paymentOf(intent: Stripe.PaymentIntent): Payment {
  return {
    transactionId: intent.id,
    orderId: intent.metadata.order ?? null,
    amountCents: intent.amount_received,
    currency: intent.currency,
  }
}

function addressOf(apiUrl: string) {
  const { protocol, hostname, port } = new URL(apiUrl)
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, ...(port ? { port } : {}) } as const
}

async function calling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw providerError(error)
  }
}

/**
 * Whether the same call may be tried again. A call that got no answer, or came too soon, may; any other answer is kept
 * by Stripe under its idempotency key, a 500 as well, so that it would only be heard again.
 */
function providerError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const again =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error.code === 'idempotency_key_in_use'
  return new ProviderError(`Stripe: ${error.message}`, { final: !again, cause: error })
}
