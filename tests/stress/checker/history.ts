interface OrderKnown {
  customer: string
  instrument: string
  submission: string
  quantity: number
}

interface RefundKnown {
  order: string
  submission: string
  amount: number
  restock: number
}

/** What clients received: only a response counts as acknowledged. */
export class History {
  readonly ordered: (OrderKnown & { order: string | null; shownPrice: number | null })[] = []
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
  /** In cents, by instrument. */
  readonly prices = new Map<string, Set<number>>()
  readonly payables: { order: string; payable: string }[] = []
  charged = 0
  readonly forgedEvents: { what: string }[] = []

  priced(instrument: string, cents: number): void {
    const prices = this.prices.get(instrument) ?? new Set<number>()
    this.prices.set(instrument, prices.add(cents))
  }
}
