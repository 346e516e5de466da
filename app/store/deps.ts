import type { Db } from '../db/open.server'

export interface Deps {
  db: Db
  /** Milliseconds since 1970. */
  now: () => number
  payments: Payments
  email: EmailProvider
  /** Null: this deployment has no bucket or no image service. */
  pictures: Pictures | null
  /** Whether an https address answers with an image. Never throws. */
  isImage: (address: string) => Promise<boolean>
  /** What is wrong with the picture at an address of a file, in words; null: nothing. Never throws. */
  inspectPicture: (address: string) => Promise<string | null>
  fetchPicture: FetchPicture
  webhooks: WebhookSender
  /** The shop's base URL, without a slash at the end. */
  origin: string
  shopEmail: string
  /** For invoices. Null: a script, which does not know it; the newest one in the database then counts. */
  seller: Seller | null
  /** Where the request came from: an IPv4 address, or the first 64 bits of an IPv6 address. */
  ip: string
  /** 256 bits in base64url. */
  encryptionKey: string
  /** How long an unpaid order holds its stock, in milliseconds; 0: until it is cancelled. */
  holdMs: number
  /** From shipping to the email that asks for a review; 0: there is none. */
  reviewDays: number
  /** For so many whole years after that of the payment, paid orders of closed accounts have a name and an address. */
  keepOrdersYears: number
  /** Drops the copies of what has changed, and reads the log soon. */
  invalidate: (what: 'catalogue' | 'reviews' | 'stock' | 'pages' | 'settings') => void
  /** After the response, the readers of the audit log act on what is new, and the outbox is sent; else the cron trigger does. */
  readLogSoon: () => void
  /** Writes a line to the log. `event` is one of docs/on-call.md, `error` what was thrown or a text, `about` an id. */
  report: (event: string, error: unknown, about?: string) => void
  /** For the metrics, if there are any. */
  count: (event: BusinessEvent) => void
}

/** The picture at an address of a file; or what is wrong with it, in words. Never throws. */
export type FetchPicture = (address: string) => Promise<{ file: File } | { problem: string }>

/** Who stands on invoices. */
export interface Seller {
  name: string
  /** With line breaks. */
  address: string
  vatNumber: string | null
  /** The VAT contained in the prices, in hundredths of a percent; 0: none. */
  vatRate: number
}

export type BusinessEvent = 'order placed' | 'order paid' | 'refund' | 'email given up'

/** Amounts in US cents. */
export interface PayableOrder {
  id: string
  customerId: string
  productName: string
  unitPriceCents: number
  quantity: number
  totalCents: number
  customerEmail: string
}

export interface Payment {
  transactionId: string
  /** From the metadata that we set when we opened the payment. */
  orderId: string | null
  customerId: string | null
  /** The origin of the shop that opened it, from the same metadata. */
  shop: string | null
  customerEmail: string | null
  amountCents: number
  /** Given back at the provider's site before we looked. */
  refundedCents: number
  currency: string
}

/** A checkout is paid on the provider's page, an intent in our own card form. */
export type PaymentKind = 'checkout' | 'intent'

/** The state of a checkout or an intent: `over` can never be paid again. */
export type PaymentState =
  | {
      state: 'open'
      /** Lets a browser pay the intent: never store it, never show it to another customer. */
      clientSecret: string | null
    }
  | { state: 'over' }
  | { state: 'paid'; payment: Payment }

/** `id` is ours; `tries` counts the final responses of the provider to it. */
export interface RefundPart {
  id: string
  transactionId: string
  amountCents: number
  tries: number
}

export interface ProviderRefund {
  refundId: string
  transactionId: string
  amountCents: number
  /** The customer's bank returned it, or it was cancelled. */
  isFailed: boolean
  /** The id of `refundPart`; null for a refund that was made at the provider's site. */
  ownId: string | null
}

/** `inquiry`: the bank asks before it takes anything. `closed`: one that came to nothing, or a dispute that was prevented. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost' | 'closed'

/** A payment that the customer asks back from the bank. Amounts in cents, times in milliseconds since 1970. */
export interface ProviderDispute {
  disputeId: string
  transactionId: string
  state: DisputeState
  /** The provider's word, such as `product_not_received`. */
  reason: string
  amountCents: number
  createdAt: number
  /** Until when the shop can answer; null: it has answered, or cannot. */
  dueBy: number | null
  /** What has left the shop's balance, fees included, and what came back. */
  withdrawnCents: number
  withdrawnAt: number | null
  reinstatedCents: number
  reinstatedAt: number | null
}

export interface ProviderEvent {
  id: string
  type: string
  about: { kind: PaymentKind | 'refund' | 'dispute'; id: string } | null
}

/** The card payment provider. A call that fails or times out throws `ProviderError`. */
export interface Payments {
  /**
   * `expiresAt` in milliseconds since 1970. Idempotent: the same order and attempt give the same checkout. `attempt` must never come
   * again, also after a restore of the database.
   */
  openCheckout(order: PayableOrder, attempt: string, expiresAt: number): Promise<{ id: string; url: string }>
  /** Idempotent: the same order and attempt give the same intent. */
  openIntent(order: PayableOrder, attempt: string): Promise<{ id: string; clientSecret: string }>
  find(kind: PaymentKind, id: string): Promise<PaymentState>
  /** Expires it if possible and returns its state: `open` while a payment is in progress. */
  close(kind: PaymentKind, id: string): Promise<PaymentState>
  /** Refunds a payment as a whole. Idempotent. */
  refund(payment: Pick<Payment, 'transactionId' | 'amountCents'>): Promise<{ refundId: string }>
  /** Refunds a part of a payment. Idempotent: the same id and try give the same refund. */
  refundPart(refund: RefundPart): Promise<{ refundId: string }>
  /** The succeeded payments of the account since a time in milliseconds, also those of other shops. */
  listPayments(since: number): Promise<Payment[]>
  findRefund(refundId: string): Promise<ProviderRefund | null>
  /** Those of one payment, or of all payments since a time (at most 10,000), newest first. */
  listRefunds(which: { transactionId: string } | { since: number }): Promise<ProviderRefund[]>
  findDispute(disputeId: string): Promise<ProviderDispute | null>
  /** Those that were opened since a time in milliseconds (at most 10,000), also those of other shops, newest first. */
  listDisputes(since: number): Promise<ProviderDispute[]>
  /** Null when the signature is invalid. Refuses a signed body that is not a snapshot event. */
  readEvent(body: string, signature: string | null): Promise<ProviderEvent | null>
}

export class ProviderError extends Error {
  override name = 'ProviderError'
  /** True when a retry of the same call cannot succeed. */
  readonly final: boolean

  constructor(message: string, { final, cause }: { final: boolean; cause?: unknown }) {
    super(message, { cause })
    this.final = final
  }
}

export interface VerifiedIdentity {
  issuer: string
  /** The provider's permanent account id. */
  subject: string
  email: string
  emailVerified: boolean
  /** The provider hosts this address. Else it only asked its owner once, maybe another one than today's. */
  isHosted: boolean
  name: string
}

export interface Email {
  /** The idempotency key: the same id is never delivered twice. */
  id: string
  recipient: string
  replyTo?: string | null
  /** Where a POST, without a login, ends emails of this kind (RFC 8058). */
  unsubscribe?: string
  subject: string
  text: string
  html: string
}

/** The provider accepts no more emails for now. */
export class EmailPause extends ProviderError {
  override name = 'EmailPause'

  constructor(
    message: string,
    readonly milliseconds: number,
  ) {
    super(message, { final: false })
  }
}

/** Throws when the provider did not accept the email: `EmailPause` when it would accept none. */
export interface EmailProvider {
  send(email: Email): Promise<void>
}

export interface WebhookAnswer {
  /** The HTTP status; null: there was no answer, and `answer` says why. */
  status: number | null
  /** Its first 200 characters, as one line. */
  answer: string
}

/** Posts events to the addresses of other programs. */
export interface WebhookSender {
  /** What is wrong with an address, in words; null: nothing. */
  problemOf(address: string): string | null
  /** Never throws. Refuses what `problemOf` refuses, follows no redirect, and waits ten seconds at most. */
  send(event: {
    url: string
    headers: Record<string, string>
    body: string
  }): Promise<WebhookAnswer & { durationMs: number }>
}

export interface Conversion {
  /** The picture is fitted into a square, and never enlarged. In pixels. */
  side: number
  format: 'avif' | 'webp' | 'png'
  /** From 1 to 100; PNG has none. */
  quality?: number
  /** The radius in pixels. */
  blur?: number
  /** What shows through a transparent picture. */
  background?: string
}

/** The image service and the bucket. A call that fails throws `ProviderError`, `final` if the picture is unreadable. */
export interface Pictures {
  /** In pixels, from the header: nothing is decoded. */
  measure(picture: Blob): Promise<{ width: number; height: number }>
  /** Applies the EXIF orientation, and removes all metadata. */
  convert(picture: Blob, to: Conversion): Promise<Blob>
  store(key: string, file: Blob): Promise<void>
  find(key: string): Promise<ReadableStream | null>
}
