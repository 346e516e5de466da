import type { instruments } from '../../db/schema'
import { t } from '../../i18n/language'

export type { Attribute, PriceBreak } from '../../db/schema'

type Row = typeof instruments.$inferSelect

/**
 * Prices in US cents, quantities in pieces. `priceCents` is the price of now, that of a sale too, and `priceBreaks` are below it.
 * `version` is the optimistic lock of the details.
 */
export type Instrument = Omit<
  Row,
  'slug' | 'searchId' | 'listedAt' | 'removedAt' | 'hidden' | 'lowStock' | 'nameKey'
> & {
  slug: string
  /** Without a sale. */
  regularCents: number
}

/** For admins: `priceCents` is the price without a sale. `hidden` is 1 or 0. */
export type ManagedInstrument = Omit<Instrument, 'regularCents'> & Pick<Row, 'hidden' | 'lowStock'>

/** What a shopkeeper edits: the stock moves by the audit log alone. */
export type InstrumentDetails = Omit<
  ManagedInstrument,
  'id' | 'slug' | 'availableQuantity' | 'version' | 'hidden' | 'priorCents'
>

/** While a sale counts: when it ends, and the price to show beside it; null if none of the 30 days before was above it (decision 54). */
export function currentSale({
  priceCents,
  regularCents,
  saleUntilAt,
  priorCents,
}: Pick<Instrument, 'priceCents' | 'regularCents' | 'saleUntilAt' | 'priorCents'>) {
  if (priceCents >= regularCents || saleUntilAt === null) return null
  return { untilAt: saleUntilAt, priorCents: priorCents !== null && priorCents > priceCents ? priorCents : null }
}

/** Spec section 9, R30: all of up to 3, 3 of 4 or 5, 6 of 6 or more. */
export function homeCount(total: number): number {
  if (total <= 3) return total
  return total < 6 ? 3 : 6
}

/** What one piece costs in an order of this quantity, in US cents (R46). */
export function unitPriceCents(
  { priceCents, priceBreaks }: Pick<Instrument, 'priceCents' | 'priceBreaks'>,
  quantity: number,
): number {
  return Math.min(priceCents, ...priceBreaks.filter(({ from }) => from <= quantity).map(({ priceCents }) => priceCents))
}

/** What the smallest order costs, in US cents: what feeds and search engines are told, which know of no minimum. `priceCents`: of one piece. */
export function smallestOrderCents(
  { priceBreaks, minQuantity }: Pick<Instrument, 'priceBreaks' | 'minQuantity'>,
  priceCents: number,
): number {
  return unitPriceCents({ priceCents, priceBreaks }, minQuantity) * minQuantity
}

/** Null if so many pieces can be ordered, or the minimum. */
export function describeShortage(
  { availableQuantity, minQuantity }: Pick<Instrument, 'availableQuantity' | 'minQuantity'>,
  wanted = minQuantity,
): string | null {
  if (availableQuantity >= Math.max(minQuantity, wanted)) return null
  if (availableQuantity === 0) return t('Sold out')
  const text = availableQuantity < minQuantity ? 'Only {count} left, below the minimum order' : 'Only {count} left'
  return t(text, { count: availableQuantity })
}
