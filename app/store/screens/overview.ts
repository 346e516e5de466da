export interface Sales {
  orders: number
  revenueCents: number
}

export interface Period extends Sales {
  /** Its first day, a day of the shop, in days since 1970. */
  from: number
  days: number
}
