import type { Family } from './catalog/instruments'

/** Sums of a month or of an instrument in it. Amounts in cents; revenue is before refunds. */
export interface SalesSums {
  orders: number
  pieces: number
  revenueCents: number
  refundedCents: number
}

export interface MonthlySums extends SalesSums {
  /** Such as `2026-11`. */
  month: string
}

export interface InstrumentSums extends SalesSums {
  instrumentId: string
  name: string
  family: Family | null
}

/** Months in the list, this one included. */
export const monthsShown = 24

export const noSales: SalesSums = { orders: 0, pieces: 0, revenueCents: 0, refundedCents: 0 }

export function addSales(one: SalesSums, other: SalesSums): SalesSums {
  return {
    orders: one.orders + other.orders,
    pieces: one.pieces + other.pieces,
    revenueCents: one.revenueCents + other.revenueCents,
    refundedCents: one.refundedCents + other.refundedCents,
  }
}

/** `2026-11` as the number of months since the year 0; undefined for anything else, and for a month before 1970. */
export function readMonth(text: string): number | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined || Number(year) < 1970 ? undefined : Number(year) * 12 + Number(month) - 1
}

/** Such as `2026-11`. */
export function monthText(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
}

/** The month (UTC) of a time in milliseconds since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026` for `2026-11`. */
export function monthName(text: string): string {
  return monthFormat.format(Date.parse(`${text}-01`))
}
