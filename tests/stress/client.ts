import { sql } from 'drizzle-orm'
import type { StaffRole } from '../../app/store/accounts/sign-in'
import type { Deps } from '../../app/store/deps'
import { inFirstDay, inLastDay, startOfDay } from '../../app/store/shared/dates'
import { Refusal } from '../../app/store/shared/refusal'
import { priceAt, type History, type PriceList } from './checker/history'
import { payableOf, type PaymentHandle, type Kind } from './card'
import {
  addReview,
  averageOf,
  cancelOrder,
  findManagedInstrument,
  findSessionUser,
  moderateReview,
  placeOrder,
  readOrder,
  confirmOrderPayment,
  endDiscount,
  grantAdmin,
  readInvoice,
  refundOrder,
  revokeAdmin,
  selectReviewsOf,
  setStaffRole,
  shipOrder,
  startCheckout,
  startIntent,
  startSession,
  toReviewsOf,
  updateInstrument,
} from './store-commands'
import type { Details } from './model'
import type { Person } from './test-environment'

/** `unsure`: no response, so it may have happened. */
export type Outcome<T> =
  | { how: 'done'; value: T }
  | { how: 'refused'; refusal: Refusal }
  | { how: 'unsure'; error: unknown }

interface OrderOptions {
  submission?: string
  /** In cents. */
  shownPrice?: number
  shownBreaks?: PriceList['breaks']
  /** Replaces the customer's own unpaid orders of this instrument. */
  instead?: boolean
  /** Of a discount. */
  code?: string | undefined
}

interface RefundForm {
  amount: number
  restock?: number
  submission?: string
}

export class Client {
  constructor(
    readonly worker: Deps,
    private readonly history: History,
    readonly who: Person,
  ) {}

  async order(instrument: string, quantity: number, options: OrderOptions = {}): Promise<Outcome<string>> {
    const { submission = crypto.randomUUID(), shownPrice, shownBreaks = [], instead = false, code } = options
    const attempt = { customer: this.who.id, instrument, submission, quantity }
    const outcome = await outcomeOf(async () => {
      const { id } = await placeOrder(this.worker, this.who, {
        instrumentId: instrument,
        submissionId: submission,
        orderQuantity: quantity,
        customerAddress: '1 Bow Lane',
        customerPhone: '07700 900123',
        ...(shownPrice === undefined ? {} : { unitPrice: shownPrice, priceBreaks: shownBreaks }),
        replaceUnpaid: instead,
        code,
      })
      return id
    })
    const shown = shownPrice === undefined ? null : priceAt({ price: shownPrice, breaks: shownBreaks }, quantity, 0)
    if (outcome.how === 'done') this.history.ordered.push({ ...attempt, order: outcome.value, shownPrice: shown, code })
    else if (outcome.how === 'unsure') this.history.unsure.push(attempt)
    else if (isShort(outcome.refusal)) this.history.short.push(attempt)
    return outcome
  }

  /** Refuses who is no admin, like the page. */
  endDiscount(code: string) {
    return outcomeOf(async () => {
      const { secret } = await startSession(this.worker, { id: this.who.id, passwordHash: null }, 'stress')
      const user = await findSessionUser(this.worker, secret)
      await endDiscount(this.worker, user!, code)
    })
  }

  async start(kind: Kind, order: string): Promise<Outcome<PaymentHandle>> {
    const outcome = await outcomeOf(async (): Promise<PaymentHandle> => {
      if (kind === 'checkout') return { kind, ...(await startCheckout(this.worker, this.who, order)) }
      return { kind, ...(await startIntent(this.worker, this.who, order)) }
    })
    if (outcome.how === 'done') this.history.payables.push({ order, payable: payableOf(outcome.value) })
    return outcome
  }

  async returnFromPayment(order: string): Promise<Outcome<string>> {
    const outcome = await outcomeOf(() => confirmOrderPayment(this.worker, order))
    if (outcome.how === 'done' && outcome.value === 'paid') this.history.paid.push({ order, transaction: null })
    return outcome
  }

  async cancel(order: string): Promise<Outcome<boolean>> {
    const outcome = await outcomeOf(() => cancelOrder(this.worker, this.who, order))
    if (outcome.how === 'done') this.history.cancelled.push({ order })
    return outcome
  }

  async ship(order: string): Promise<Outcome<void>> {
    const outcome = await outcomeOf(() => shipOrder(this.worker, this.who, order))
    if (outcome.how === 'done') this.history.shipped.push({ order })
    return outcome
  }

  /** As an admin. */
  readOrder(order: string) {
    return outcomeOf(() => readOrder(this.worker, { ...this.who, name: '', role: 'admin' }, order, { admins: true }))
  }

  /** `amount` in cents. */
  async refund(order: string, { amount, restock = 0, submission = crypto.randomUUID() }: RefundForm) {
    const input = { submissionId: submission, amount, restock, reason: 'stress' }
    const outcome = await outcomeOf(() => refundOrder(this.worker, this.who, order, input))
    if (outcome.how !== 'refused')
      this.history.refunded.push({ order, submission, amount, restock, isSure: outcome.how === 'done' })
    return outcome
  }

  review({ instrument, rating, submission }: { instrument: string; rating: number | null; submission: string }) {
    const stars = rating === null ? {} : { rating }
    const input = { description: 'Fine.', instrumentId: instrument, submissionId: submission, ...stars }
    return outcomeOf(() => addReview(this.worker, this.who, input))
  }

  moderate(reviewId: string, intent: 'hide' | 'show') {
    const change = intent === 'hide' ? { intent, reviewId, reason: 'stress' } : { intent, reviewId }
    return outcomeOf(() => moderateReview(this.worker, this.who, change))
  }

  edit(instrument: string, change: Partial<Details>) {
    return outcomeOf(async () => {
      const found = await findManagedInstrument(this.worker, instrument)
      if (!found) throw new Refusal('not-found', 'This product is no longer on sale.')
      const { name, img, priceCents: price, minQuantity, priceBreaks, lowStock, attributes } = found
      const { saleCents, saleFromAt, saleUntilAt } = found
      // The form has the days of the sale of before; without one it ends.
      const until = startOfDay(inLastDay(saleUntilAt ?? 0))
      const sale = saleCents !== null && { price: saleCents, from: startOfDay(inFirstDay(saleFromAt!)), until }
      const pictures = change.pictures?.map((address) => ({ img: address, alt: '' })) ?? found.pictures
      const more = { ...(lowStock !== null && { lowStock }), ...(sale && { sale }) }
      const details = { name, img, price, minQuantity, priceBreaks, pictures, ...more }
      const input = { ...details, attributes: change.attributes ?? attributes, stockChange: 0, stockNote: null }
      await updateInstrument(this.worker, this.who, instrument, input)
    })
  }

  /** As the page of the instrument shows it. */
  rating(instrument: string) {
    return outcomeOf(async () => {
      const { rating } = toReviewsOf(...(await this.worker.db.batch(selectReviewsOf(this.worker, sql`${instrument}`))))
      return { reviews: rating?.reviews ?? 0, average: rating && averageOf(rating) ? Number(averageOf(rating)) : null }
    })
  }

  /** In a session of its own. Says whether there is one to read. */
  readInvoice(order: string) {
    return outcomeOf(async () => {
      const { secret } = await startSession(this.worker, { id: this.who.id, passwordHash: null }, 'stress')
      const user = await findSessionUser(this.worker, secret)
      return (await readInvoice(this.worker, user!, order)) !== null
    })
  }

  makeAdmin(who: Person) {
    return outcomeOf(() => grantAdmin(this.worker, this.who.id, who.email))
  }

  setStaffRole(who: Person, role: StaffRole | null) {
    return outcomeOf(() => setStaffRole(this.worker, this.who, who.id, role))
  }

  revokeAdmin(who: Person) {
    return outcomeOf(() => revokeAdmin(this.worker, this.who, who.email))
  }
}

export function done<T>(outcome: Outcome<T>): T {
  if (outcome.how === 'done') return outcome.value
  throw outcome.how === 'refused' ? outcome.refusal : outcome.error
}

export async function outcomeOf<T>(act: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { how: 'done', value: await act() }
  } catch (error) {
    return error instanceof Refusal ? { how: 'refused', refusal: error } : { how: 'unsure', error }
  }
}

function isShort({ fields, message }: Refusal): boolean {
  return (
    (fields.orderQuantity?.includes('Cannot be more than available') ?? false) || message.includes('just ordered these')
  )
}
