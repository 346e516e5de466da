interface OrderKnown {
  customer: string
  instrument: string
  submission: string
  quantity: number
}

/** In cents, as in the database. */
export interface PriceList {
  price: number
  breaks: { from: number; priceCents: number }[]
}

export function priceAt({ price, breaks }: PriceList, quantity: number): number {
  return breaks.findLast(({ from }) => from <= quantity)?.priceCents ?? price
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
  /** All that an instrument has had. */
  readonly prices = new Map<string, PriceList[]>()
  readonly payables: { order: string; payable: string }[] = []
  charged = 0
  readonly forgedEvents: { what: string }[] = []

  priced(instrument: string, list: PriceList): void {
    this.prices.set(instrument, [...(this.prices.get(instrument) ?? []), list])
  }
}
