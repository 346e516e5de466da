/** The families of the shop's first sentence (R33). */
export const families = ['strings', 'brass', 'woodwind', 'cases'] as const
export type Family = (typeof families)[number]

/** An instrument on sale, as pages show it. Price in whole US cents; quantities in pieces. */
export interface Instrument {
  id: string
  name: string
  family: Family | null
  img: string
  description: string
  priceCents: number
  minQuantity: number
  availableQuantity: number
}

/**
 * How many instruments the home page shows of a list of this length (spec section 9, R30): all of up to 3, the first 3
 * of 4 or 5, the first 6 of 6 or more.
 */
export function homeCount(total: number): number {
  if (total <= 3) return total
  return total < 6 ? 3 : 6
}

/** Why an instrument cannot be ordered now, or null when it can. */
export function describeShortage({ availableQuantity, minQuantity }: Instrument): string | null {
  if (availableQuantity >= minQuantity) return null
  return availableQuantity === 0 ? 'Sold out' : `Sold out: only ${availableQuantity} left, below the minimum order`
}
