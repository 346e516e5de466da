import type { Db } from '../db/open.server'

/** What a command may need of the world. It takes only what it uses: `Pick<Deps, 'db' | 'now'>`. */
export interface Deps {
  db: Db
  /** Milliseconds since 1970. */
  now: () => number
  payments: Payments
  mail: Mail
  /** Where the shop is, without a slash at the end: mailed links and the payment provider lead back to it. */
  origin: string
  /** The shop's own mail address: messages of visitors go there. */
  shopMail: string
}

/** What a customer is asked to pay: an order's frozen terms. Money in whole US cents. */
export interface PayableOrder {
  id: string
  productName: string
  unitPriceCents: number
  quantity: number
  customerEmail: string
}

/** What the provider says of a payment that succeeded. */
export interface Payment {
  transactionId: string
  /** The order that it was made for, as we told the provider when we opened it. */
  orderId: string | null
  amountCents: number
  currency: string
}

export type CheckoutState = { state: 'open' } | { state: 'expired' } | { state: 'paid'; payment: Payment }

/** What the provider tells us by a signed message, as far as we act on it. */
export interface ProviderEvent {
  id: string
  type: string
  /** The hosted checkout that it speaks of, if it does. */
  checkoutId: string | null
}

/** The card payment provider. A call that it does not answer, or answers with an error, throws `ProviderError`. */
export interface Payments {
  /** Opens a hosted checkout. The same order and attempt give the same checkout, however often it is asked for. */
  openCheckout(order: PayableOrder, attempt: number, expiresAt: number): Promise<{ id: string; url: string }>
  findCheckout(id: string): Promise<CheckoutState>
  /** Makes it unpayable, if it is not paid yet, and says what it is then: never `open`. */
  closeCheckout(id: string): Promise<CheckoutState>
  /** Sends the whole payment back. Asking again for the same payment does nothing more. */
  refund(transactionId: string): Promise<{ refundId: string }>
  /** Null when the signature is not the provider's. */
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
export interface ProvenIdentity {
  issuer: string
  /** The provider's own, lasting name of the account. */
  subject: string
  email: string
  emailVerified: boolean
  name: string
}

export interface Letter {
  /** The same id is never delivered twice. */
  id: string
  recipient: string
  subject: string
  text: string
  html: string
}

/** The mail provider. Throws when it did not take the letter. */
export interface Mail {
  send(letter: Letter): Promise<void>
}
