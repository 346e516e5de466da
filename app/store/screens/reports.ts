/** Sums of a month or of an instrument in it. Amounts in cents; revenue is before refunds. */
export interface SalesSums {
  orders: number
  pieces: number
  revenueCents: number
  refundedCents: number
  /** What discount codes have taken off: revenue is after it. */
  discountCents: number
}

export interface MonthlySums extends SalesSums {
  /** Such as `2026-11`. */
  month: string
  /** What came back after disputes, less what left the balance at Stripe for them, fees included: mostly negative. */
  disputedCents: number
  /** Whose first paid order is of this month (decision 52). */
  newCustomers: number
  /** Who paid for an order of this month and for one before it, in this month or earlier. */
  returningCustomers: number
}

export type CustomerSums = Pick<MonthlySums, 'newCustomers' | 'returningCustomers'>

export interface InstrumentSums extends SalesSums {
  instrumentId: string
  name: string
  family: string | null
}

export const noCustomers: CustomerSums = { newCustomers: 0, returningCustomers: 0 }

/** Months in the list, this one included. */
export const monthsShown = 24

export const noSales: SalesSums = { orders: 0, pieces: 0, revenueCents: 0, refundedCents: 0, discountCents: 0 }

export function addSales(one: SalesSums, other: SalesSums): SalesSums {
  return {
    orders: one.orders + other.orders,
    pieces: one.pieces + other.pieces,
    revenueCents: one.revenueCents + other.revenueCents,
    refundedCents: one.refundedCents + other.refundedCents,
    discountCents: one.discountCents + other.discountCents,
  }
}
