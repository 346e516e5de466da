import type Stripe from 'stripe'

/**
 * What really happened to money; append-only. Session entries (`opened`, `closed`) have no intent.
 * An intent can be paid from `created` to `succeeded` or `cancelled`, a session from `opened` to `closed`.
 */
export interface LedgerEntry {
  seq: number
  at: string
  what: 'created' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'opened' | 'closed'
  paymentIntent: string | null
  checkoutSession: string | null
  charge: string | null
  refund: string | null
  /** In cents. */
  amount: number
  currency: string
  metadata: Stripe.Metadata
}

/** Objects are replaced, never changed, so that events keep their snapshots. */
export interface Account {
  now: () => number
  intents: Map<string, Stripe.PaymentIntent>
  charges: Map<string, Stripe.Charge>
  sessions: Map<string, StoredSession>
  sessionOfIntent: Map<string, string>
  refunds: Map<string, Stripe.Refund>
  disputes: Map<string, Stripe.Dispute>
  challenges: Map<string, Challenge>
  events: Map<string, StoredEvent>
  answers: Map<string, StoredResponse>
  ledger: Map<string, LedgerEntry>
}

export interface RequestContext {
  account: Account
  emit: EmitEvent
  origin: string
}

/** https://docs.stripe.com/api/idempotent_requests */
export interface StoredResponse {
  request: string
  requestId: string
  status: number
  body: string
  at: number
}

export interface Card {
  number: string
  expMonth: number
  expYear: number
}

export interface Payer {
  name: string | null
  email: string | null
}

export interface CardPayment {
  card: Card
  payer: Payer
  returnUrl: string | null
}

/** 3-D Secure. Kept after the customer answers: people press twice and go back. */
export interface Challenge extends CardPayment {
  intentId: string
}

export interface StoredSession {
  /** `payment_intent` stays null until it is paid. */
  session: Stripe.Checkout.Session
  lineItems: Stripe.LineItem[]
  intentData: { metadata: Stripe.Metadata }
  intentId: string | null
}

export type WebhookEvent =
  | Stripe.PaymentIntentCreatedEvent
  | Stripe.PaymentIntentSucceededEvent
  | Stripe.PaymentIntentPaymentFailedEvent
  | Stripe.PaymentIntentRequiresActionEvent
  | Stripe.PaymentIntentCanceledEvent
  | Stripe.CheckoutSessionCompletedEvent
  | Stripe.CheckoutSessionExpiredEvent
  | Stripe.ChargeRefundedEvent
  | Stripe.RefundCreatedEvent
  | Stripe.ChargeDisputeCreatedEvent
  | Stripe.ChargeDisputeUpdatedEvent
  | Stripe.ChargeDisputeClosedEvent
  | Stripe.ChargeDisputeFundsWithdrawnEvent
  | Stripe.ChargeDisputeFundsReinstatedEvent

export interface StoredEvent {
  event: WebhookEvent
  /** `lost`: dropped by a fault. `failed`: every retry failed. */
  delivery: 'pending' | 'delivered' | 'lost' | 'failed'
}

export type ObjectOf<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>['data']['object']

export type EmitEvent = <T extends WebhookEvent['type']>(type: T, object: ObjectOf<T>) => void
