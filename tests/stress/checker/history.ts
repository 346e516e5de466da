interface OrderKnown {
  customer: string
  instrument: string
  submission: string
  quantity: number
}

/** In cents, as in the database; `until` is the first moment after the sale. */
export interface PriceList {
  price: number
  breaks: { from: number; priceCents: number }[]
  sale?: { price: number; from: number; until: number } | undefined
}

/** At a time in milliseconds since 1970. */
export function priceAt({ price, breaks, sale }: PriceList, quantity: number, at: number): number {
  const usual = breaks.findLast(({ from }) => from <= quantity)?.priceCents ?? price
  const isOn = sale !== undefined && at >= sale.from && at < sale.until
  return isOn && sale.price < usual ? sale.price : usual
}

interface RefundKnown {
  order: string
  submission: string
  amount: number
  restock: number
}

/** What clients received: only a response counts as acknowledged. */
export class History {
  readonly ordered: (OrderKnown & { order: string | null; shownPrice: number | null; code?: string | undefined })[] = []
  /** The response was an error or missing, so the order may or may not exist. */
  readonly unsure: OrderKnown[] = []
  readonly short: OrderKnown[] = []
  readonly paid: { order: string; transaction: string | null }[] = []
  readonly cancelled: { order: string }[] = []
  readonly shipped: { order: string }[] = []
  /** Amounts in cents. `isSure`: the shop said that it is stored. */
  readonly refunded: (RefundKnown & { isSure: boolean })[] = []
  /** By the shopkeeper, at the provider's site. */
  readonly refundedElsewhere: { order: string; amount: number }[] = []
  /** All that an instrument has had, each from a time on. */
  readonly prices = new Map<string, (PriceList & { since: number })[]>()
  readonly payables: { order: string; payable: string }[] = []
  charged = 0
  readonly forgedEvents: { what: string }[] = []

  priced(instrument: string, list: PriceList, since: number): void {
    this.prices.set(instrument, [...(this.prices.get(instrument) ?? []), { ...list, since }])
  }

  /** Those of a time; two where they changed just then. Undefined where the stress has set no price. */
  listsAt(instrument: string, at: number): PriceList[] | undefined {
    const all = this.prices.get(instrument)
    return all?.filter(({ since }, nth) => since <= at && at <= (all[nth + 1]?.since ?? Infinity))
  }
}
