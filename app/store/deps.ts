import type { Db } from '../db/open.server'

/** What a command may need of the world.  */
export interface Deps {
  db: Db
  /** Milliseconds since 1970. */
  now: () => number
  payments: Payments
  email: EmailProvider
  /** Where the shop is, without a slash at the end: mailed links and the payment provider lead back to it. */
  origin: string
  /** The shop's own mail address: messages of visitors go there. */
  shopEmail: string
  /** How long an unpaid order keeps its pieces, in milliseconds; 0 is until it is cancelled. */
  holdMs: number
  /** Told when what everybody is shown has become different. */
  invalidate: (what: 'catalogue' | 'reviews' | 'stock') => void
  /** Writes what went wrong on the way, and was dealt with, into the operators' log. */
  report: (what: string, error: unknown) => void
}

/** What a customer is asked to pay: an order's frozen terms. Money in whole US cents. */
export interface PayableOrder {
  id: string
  customerId: string
  productName: string
  unitPriceCents: number
  quantity: number
  totalCents: number
  customerEmail: string
}

/** What the provider says of a payment that succeeded. */
export interface Payment {
  transactionId: string
  /** The order that it was made for, and whose, as we told the provider when we opened it. */
  orderId: string | null
  customerId: string | null
  amountCents: number
  currency: string
}

/** A hosted checkout is paid on the provider's page, an intent in the card form of ours. */
export type PaymentKind = 'checkout' | 'intent'

/** What became of a checkout or an intent: `over` can never be paid again. */
export type PaymentState =
  | {
      state: 'open'
      /** Lets a browser pay it: only an intent has one. It is the customer's alone, and kept nowhere. */
      clientSecret: string | null
    }
  | { state: 'over' }
  | { state: 'paid'; payment: Payment }

/** What the provider tells us by a signed event, as far as we act on it. */
export interface ProviderEvent {
  id: string
  type: string
  /** The checkout, the intent or the refund that it speaks of, if it does. */
  about: { kind: PaymentKind | 'refund'; id: string } | null
}

/** The card payment provider. A call that it does not answer, or answers with an error, throws `ProviderError`. */
export interface Payments {
  /**
   * Opens a hosted checkout, which can be paid until `expiresAt` (milliseconds since 1970). The same order and attempt give the
   * same checkout, however often it is asked for.
   */
  openCheckout(order: PayableOrder, attempt: number, expiresAt: number): Promise<{ id: string; url: string }>
  /** Opens an intent that a browser can pay. The same order and attempt give the same intent. */
  openIntent(order: PayableOrder, attempt: number): Promise<{ id: string; clientSecret: string }>
  find(kind: PaymentKind, id: string): Promise<PaymentState>
  /** Makes it unpayable, if that can still be done, and says what it is then: `open` while a payment is on its way. */
  close(kind: PaymentKind, id: string): Promise<PaymentState>
  /** Sends the whole payment back. Asking again for the same payment does nothing more. `amountCents` is what was paid. */
  refund(payment: Pick<Payment, 'transactionId' | 'amountCents'>): Promise<{ refundId: string }>
  /** Whether a refund that was made did not arrive: the customer's bank has sent it back to us, or it was called back. */
  isRefundFailed(refundId: string): Promise<boolean>
  /** Null when the signature is not the provider's. Refuses what is signed, but is no event that we can read. */
  readEvent(body: string, signature: string | null): Promise<ProviderEvent | null>
}

export class ProviderError extends Error {
  override name = 'ProviderError'
  /** True when trying the very same call again cannot help: the provider answered, and keeps to its answer. */
  readonly final: boolean

  constructor(message: string, { final, cause }: { final: boolean; cause?: unknown }) {
    super(message, { cause })
    this.final = final
  }
}

/** Who an identity provider says is here. */
export interface VerifiedIdentity {
  issuer: string
  /** The provider's own, lasting name of the account. */
  subject: string
  email: string
  emailVerified: boolean
  name: string
}

export interface Email {
  /** The same id is never delivered twice. */
  id: string
  recipient: string
  /** Where an answer goes, when not to the shop. */
  replyTo?: string | null
  subject: string
  text: string
  html: string
}

/** The mail provider. Throws when it did not take the letter. */
export interface EmailProvider {
  send(letter: Email): Promise<void>
}
