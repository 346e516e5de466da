/** Orders are those paid on the day (UTC); a day is a number of days since 1970. */
export interface DayOfInstrument {
  day: number
  views: number
  orders: number
  pieces: number
}

export interface DayOfShop {
  day: number
  /** Of the pages of all instruments. */
  views: number
  searches: number
  orders: number
}

export interface ViewedInstrument {
  id: string
  name: string
  views: number
  orders: number
  pieces: number
}

/** Of one instrument, today included. */
export const daysShown = 30
