export interface Sales {
  orders: number
  revenueCents: number
}

export interface Period extends Sales {
  /** Milliseconds since 1970, the start of its first day (UTC). */
  from: number
  days: number
}
