import type { z } from 'zod'
import { selectProfile } from '../accounts/profile.server'
import type { Deps } from '../deps'
import { formatEnd } from '../shared/dates'
import { newId } from '../shared/ids.server'
import { findQuote, selectQuote, type Quote } from '../quotes/quotes.server'
import { Refusal } from '../shared/refusal'
import { selectLastDelivery } from './order-form.server'
import { holdOf } from './order-limits.server'
import { NewOrder, placeOrder } from './place-order.server'

export const QuoteAcceptance = NewOrder.pick({
  ...{ customerAddress: true, customerPhone: true },
  ...{ company: true, vatNumber: true, purchaseOrder: true },
})

/**
 * Makes the one order of an offer, at its price and quantity: an unpaid order as any other. `isRepeat`: it was made before, whatever the
 * tab or Worker, by the unique index on `orders.quote_id` (R13). Refuses another customer's request, one without an offer, an offer that
 * is over, too few pieces, and what `placeOrder` refuses.
 */
export async function acceptQuote(
  deps: Deps,
  customer: { id: string },
  quoteId: string,
  input: z.output<typeof QuoteAcceptance>,
): Promise<{ id: string; isRepeat: boolean }> {
  const found = await readOpen(deps, customer, quoteId)
  if (typeof found === 'string') return { id: found, isRepeat: true }
  const { instrumentId, quantity, unitPriceCents } = found.quote
  const order = { ...input, instrumentId, orderQuantity: quantity!, unitPrice: unitPriceCents!, quoteId }
  try {
    return await placeOrder(deps, customer, { ...order, submissionId: newId() })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Another tab may have accepted it meanwhile, or the shop withdrawn it.
    const current = await readOpen(deps, customer, quoteId)
    if (typeof current === 'string') return { id: current, isRepeat: true }
    const isShort = error.fields.orderQuantity !== undefined
    throw isShort
      ? new Refusal('conflict', whyShort(current) ?? 'Someone else just ordered these. Please try again.')
      : error
  }
}

/**
 * What the customer's page of a request shows: also why its offer cannot be accepted now. Address and phone are those of the last order,
 * or else of the profile. Null for another's. One round trip.
 */
export async function readQuotePage(deps: Deps, customer: { id: string }, quoteId: string) {
  const [[found], [profile], [last]] = await deps.db.batch([
    selectQuote(deps, customer, quoteId),
    selectProfile(deps, customer),
    selectLastDelivery(deps, customer),
  ])
  if (!found) return null
  return {
    ...found,
    problem: whyClosed(found, deps.now()) ?? whyShort(found),
    address: last?.address ?? profile!.address ?? '',
    phone: last?.phone ?? profile!.phone ?? '',
    company: last?.company ?? '',
    vatNumber: last?.vatNumber ?? '',
    holdMs: holdOf(deps, { isVerified: true }),
  }
}

/** The id of its order if it was accepted before. */
async function readOpen(deps: Deps, customer: { id: string }, quoteId: string): Promise<Quote | string> {
  const found = await findQuote(deps, customer, quoteId)
  if (!found) throw new Refusal('not-found', 'There is no such request.')
  if (found.order) return found.order.id
  const problem = whyClosed(found, deps.now())
  if (problem) throw new Refusal('conflict', problem)
  return found
}

/** Null for an offer that holds. */
function whyClosed({ quote, instrument, isOnSale }: Quote, now: number): string | null {
  const { state, quantity, validUntil } = quote
  if (state === 'asked') return 'We have not answered this request yet.'
  if (state === 'declined') return 'There is no offer any more.'
  if (validUntil! <= now) return `This offer ended on ${formatEnd(validUntil!)}. Ask for a new price.`
  if (!isOnSale) return 'This instrument is not on sale any more.'
  const { minQuantity } = instrument
  return quantity! < minQuantity ? `The minimum order is ${minQuantity} now. Ask for a new price.` : null
}

/** Null if there are enough pieces for the offer. */
function whyShort({ quote: { quantity, validUntil }, instrument: { availableQuantity } }: Quote): string | null {
  if (availableQuantity >= quantity!) return null
  return `Only ${availableQuantity} of the ${quantity} pieces are available now. You can still accept the offer when there are enough, until ${formatEnd(validUntil!)}.`
}
