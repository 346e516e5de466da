import type { instruments } from '../../db/schema'

export type { Attribute, PriceBreak } from '../../db/schema'

/** Prices in US cents, quantities in pieces. `version` is the optimistic lock of the details. */
export type Instrument = Omit<
  typeof instruments.$inferSelect,
  'slug' | 'oldFamily' | 'searchId' | 'listedAt' | 'removedAt' | 'hidden' | 'lowStock'
> & { slug: string }

/** With what only admins see. `hidden` is 1 or 0. */
export type ManagedInstrument = Instrument & Pick<typeof instruments.$inferSelect, 'hidden' | 'lowStock'>

/** What a shopkeeper edits: the stock moves by the audit log alone. */
export type InstrumentDetails = Omit<ManagedInstrument, 'id' | 'slug' | 'availableQuantity' | 'version' | 'hidden'>

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

/** Null if so many pieces can be ordered, or the minimum. */
export function describeShortage(
  { availableQuantity, minQuantity }: Pick<Instrument, 'availableQuantity' | 'minQuantity'>,
  wanted = minQuantity,
): string | null {
  if (availableQuantity >= Math.max(minQuantity, wanted)) return null
  if (availableQuantity === 0) return 'Sold out'
  return `Only ${availableQuantity} left${availableQuantity < minQuantity ? ', below the minimum order' : ''}`
}
