import Stripe from 'stripe'
import { z } from 'zod'
import {
  ProviderError,
  type PayableOrder,
  type Payment,
  type PaymentKind,
  type Payments,
  type PaymentState,
  type DisputeState,
  type ProviderDispute,
  type ProviderEvent,
  type ProviderRefund,
} from '../store/deps'
import { Refusal } from '../store/shared/refusal'
import { localPath } from '../i18n/paths'
import { pathTo } from '../path-to'

export interface StripeAccount {
  secretKey: string
  webhookSecret: string
  /** Another base URL, for the sandbox: `http://127.0.0.1:8789`. */
  apiUrl?: string
  shopOrigin: string
}

/** Those after which the shop has something to do: `npm run task -- providers` subscribes to them. */
export const webhookEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

/** Milliseconds for one try. A call has at most two, so it takes less than 13 seconds. */
const timeout = 6_000

/**
 * Amounts in US cents (docs.stripe.com/currencies). Calls that open or refund a payment have an idempotency key
 * (docs.stripe.com/api/idempotent_requests); closing needs none.
 */
export function stripePayments(account: StripeAccount): Payments {
  const stripe = () => clientOf(account)

  async function findCheckout(id: string): Promise<PaymentState> {
    const session = await nullIfMissing(
      stripe().checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
    )
    if (!session) return { state: 'over' }
    const intent = session.payment_intent
    // Stryker disable next-line ConditionalExpression: an id string has no status
    if (session.payment_status === 'paid' && intent && typeof intent === 'object' && intent.status === 'succeeded') {
      return { state: 'paid', payment: paymentOf(intent) }
    }
    return session.status === 'expired' ? { state: 'over' } : { state: 'open', clientSecret: null }
  }

  async function findIntent(id: string): Promise<PaymentState> {
    const intent = await nullIfMissing(stripe().paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
    if (!intent || intent.status === 'canceled') return { state: 'over' }
    if (intent.status === 'succeeded') return { state: 'paid', payment: paymentOf(intent) }
    return { state: 'open', clientSecret: intent.client_secret }
  }

  const find = (kind: PaymentKind, id: string) =>
    callStripe(() => (kind === 'checkout' ? findCheckout(id) : findIntent(id)))

  const allRefunds = (query: Stripe.RefundListParams) =>
    stripe()
      .refunds.list({ ...query, limit: 100 })
      .autoPagingToArray({ limit: 10_000 })

  return {
    async openCheckout(order, attempt, expiresAt) {
      const back = account.shopOrigin + localPath(pathTo('/dashboard/myOrders/payment/:id', order))
      const metadata = metadataOf(order, account)
      return callStripe(async () => {
        const session = await stripe().checkout.sessions.create(
          {
            mode: 'payment',
            allowed_payment_method_types: ['card'],
            line_items: [lineItemOf(order)],
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
            metadata: metadataOf(order, account),
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
        // Only an open payment can be closed: it may be paid or expired, so read its state.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw providerError(error)
        return find(kind, id)
      }
    },

    async refund({ transactionId, amountCents }) {
      return callStripe(async () => {
        // We may have refunded it before a crash, or the shopkeeper at Stripe. A failed one stays in the list, and each hour may add one.
        const existing = (await allRefunds({ payment_intent: transactionId })).filter((refund) => !isFailed(refund))
        const refundedCents = existing.reduce((sum, { amount }) => sum + amount, 0)
        if (existing[0] && refundedCents >= amountCents) return { refundId: existing[0].id }
        // Stripe stores the response of a key for a day, errors too; by the hour, a retry can succeed.
        const hour = new Date().toISOString().slice(0, 13)
        const refund = await stripe().refunds.create(
          { payment_intent: transactionId },
          { idempotencyKey: `refund:${transactionId}:${hour}` },
        )
        if (isFailed(refund)) throw new ProviderError(`The refund ${refund.id} has failed`, { final: true })
        return { refundId: refund.id }
      })
    },

    async refundPart({ id, transactionId, amountCents, tries }) {
      return callStripe(async () => {
        const refund = await stripe().refunds.create(
          { payment_intent: transactionId, amount: amountCents, metadata: { refund: id } },
          { idempotencyKey: `refund:${id}:${tries}` },
        )
        if (isFailed(refund)) throw new ProviderError(`The refund ${refund.id} has failed`, { final: true })
        return { refundId: refund.id }
      })
    },

    async listPayments(since) {
      return callStripe(async () => {
        // By the charge: an intent may be paid days after it was created.
        const query = { created: { gte: Math.floor(since / 1000) }, limit: 100, expand: ['data.payment_intent'] }
        const found: Payment[] = []
        for await (const charge of stripe().charges.list(query)) {
          const intent = charge.payment_intent
          if (charge.status === 'succeeded' && intent && typeof intent === 'object' && intent.status === 'succeeded')
            found.push(paymentOf({ ...intent, latest_charge: charge }))
        }
        return found
      })
    },

    async findRefund(refundId) {
      return callStripe(async () => {
        const refund = await nullIfMissing(stripe().refunds.retrieve(refundId))
        return refund && refundOf(refund)
      })
    },

    async listRefunds(which) {
      const query =
        'since' in which
          ? { created: { gte: Math.floor(which.since / 1000) } }
          : { payment_intent: which.transactionId }
      return callStripe(async () => {
        const found = await allRefunds(query)
        return found.map(refundOf)
      })
    },

    async findDispute(disputeId) {
      return callStripe(async () => {
        const dispute = await nullIfMissing(stripe().disputes.retrieve(disputeId))
        return dispute && disputeOf(dispute)
      })
    },

    async listDisputes(since) {
      return callStripe(async () => {
        const query = { created: { gte: Math.floor(since / 1000) }, limit: 100 }
        const found = await stripe().disputes.list(query).autoPagingToArray({ limit: 10_000 })
        return found.map(disputeOf)
      })
    },

    async readEvent(body, signature) {
      try {
        await stripe().webhooks.signature!.verifyHeaderAsync(body, signature ?? '', account.webhookSecret)
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
        throw error
      }
      // Not `constructEventAsync`: it throws a TypeError for other events, which looks like our own bug.
      const event = SnapshotEvent.safeParse(parseJson(body))
      if (event.success) {
        const { id, type, data } = event.data
        // The shop has just opened that one itself.
        return { id, type, about: type === 'payment_intent.created' ? null : subjectOf(data.object) }
      }
      throw new Refusal('invalid', 'Only snapshot events are supported.')
    },
  }
}

let client: { key: string; stripe: Stripe } | null = null

/** Made when first needed, and once per isolate: it costs as much time as reading a page's data. */
function clientOf({ secretKey, apiUrl = '' }: StripeAccount): Stripe {
  const key = `${secretKey} ${apiUrl}`
  if (client?.key === key) return client.stripe
  const stripe = new Stripe(secretKey, {
    ...(apiUrl ? apiOptions(apiUrl) : {}),
    timeout,
    maxNetworkRetries: 1,
    telemetry: false,
    // The key must not follow a redirect.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: 'manual' })),
  })
  // Stryker disable next-line ObjectLiteral: without it, each call makes its own
  client = { key, stripe }
  return stripe
}

/** docs.stripe.com/event-destinations#events-overview */
const SnapshotEvent = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.looseObject({}) }),
})

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function isFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled'
}

function refundOf(refund: Stripe.Refund): ProviderRefund {
  const { id, payment_intent: intent, amount, metadata } = refund
  return {
    refundId: id,
    transactionId: typeof intent === 'string' ? intent : (intent?.id ?? ''),
    amountCents: amount,
    isFailed: isFailed(refund),
    ownId: metadata?.refund ?? null,
  }
}

/** docs.stripe.com/disputes/how-disputes-work; the other states are open. */
const disputeStates: Partial<Record<Stripe.Dispute.Status, DisputeState>> = {
  ...{ warning_needs_response: 'inquiry', warning_under_review: 'inquiry', warning_closed: 'closed' },
  ...{ won: 'won', lost: 'lost', prevented: 'closed' },
}

function disputeOf(dispute: Stripe.Dispute): ProviderDispute {
  const { id, payment_intent: intent, status, reason, amount, created, balance_transactions: moves } = dispute
  // Where Stripe pays out another currency, it says what left the balance in that one: then the disputed amount stands for it.
  const net = (move: Stripe.BalanceTransaction) =>
    move.currency === dispute.currency ? move.net : Math.sign(move.net) * amount
  const sum = (sign: 1 | -1) => {
    const its = moves.filter((move) => net(move) * sign > 0)
    const cents = its.reduce((all, move) => all + net(move) * sign, 0)
    return { cents, at: its.length > 0 ? Math.max(...its.map((move) => move.created * 1000)) : null }
  }
  const [withdrawn, reinstated] = [sum(-1), sum(1)]
  const dueBy = status.endsWith('needs_response') ? dispute.evidence_details.due_by : null
  return {
    ...{ disputeId: id, reason, amountCents: amount, createdAt: created * 1000 },
    transactionId: typeof intent === 'string' ? intent : (intent?.id ?? ''),
    state: disputeStates[status] ?? 'open',
    // 0: the bank takes no answer.
    dueBy: dueBy ? dueBy * 1000 : null,
    ...{ withdrawnCents: withdrawn.cents, withdrawnAt: withdrawn.at },
    ...{ reinstatedCents: reinstated.cents, reinstatedAt: reinstated.at },
  }
}

function lineItemOf(order: PayableOrder) {
  return {
    quantity: order.quantity,
    price_data: {
      currency: 'usd',
      unit_amount: order.unitPriceCents,
      product_data: { name: order.productName },
    },
  }
}

function metadataOf({ id, customerId }: PayableOrder, { shopOrigin }: StripeAccount) {
  return { order: id, customer: customerId, shop: shopOrigin }
}

const kinds: Partial<Record<string, PaymentKind | 'refund' | 'dispute'>> = {
  'checkout.session': 'checkout',
  payment_intent: 'intent',
  refund: 'refund',
  dispute: 'dispute',
}

function subjectOf({ object, id }: { object?: unknown; id?: unknown }): ProviderEvent['about'] {
  const kind = kinds[String(object)]
  return kind && typeof id === 'string' ? { kind, id } : null
}

async function nullIfMissing<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
    throw error
  }
}

/** `latest_charge` must be expanded. */
function paymentOf(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  return {
    transactionId: intent.id,
    orderId: intent.metadata.order ?? null,
    customerId: intent.metadata.customer ?? null,
    shop: intent.metadata.shop ?? null,
    customerEmail: charge?.billing_details.email ?? charge?.receipt_email ?? null,
    amountCents: intent.amount_received,
    refundedCents: charge?.amount_refunded ?? 0,
    currency: intent.currency,
  }
}

export function apiOptions(apiUrl: string) {
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

/** Final: Stripe stores a response, also a 500, under its idempotency key, so that a retry gets the same one. */
function providerError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const canRetry =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    // Not JSON: a proxy responded instead of Stripe.
    error.statusCode === undefined ||
    error.code === 'idempotency_key_in_use'
  return new ProviderError(`Stripe: ${error.message}`, { final: !canRetry, cause: error })
}
