/** What a client was told, or what it never got an answer to. */
interface OrderKnown {
  customer: string
  instrument: string
  submission: string
  quantity: number
}

/** What the clients of a run know, for the checker: only what they were answered counts as acknowledged. */
export class History {
  /** Orders that were acknowledged: the id, if the answer said it, and the price that the customer was shown, if any. */
  readonly ordered: (OrderKnown & { order: string | null; shown: number | null })[] = []
  /** Orders that were asked for and may or may not be there: the answer was an error, or none. */
  readonly unsure: OrderKnown[] = []
  /** Orders that were refused because there were not enough pieces. */
  readonly short: OrderKnown[] = []
  readonly paid: { order: string; transaction: string | null }[] = []
  readonly cancelled: { order: string }[] = []
  readonly shipped: { order: string }[] = []
  /** Every price that an instrument ever had, in cents. */
  readonly prices = new Map<string, Set<number>>()
  /** What customers were given to pay at: ids of checkouts and intents, by order. */
  readonly given: { order: string; payable: string }[] = []
  /** How often a card was charged. */
  charged = 0
  /** Events that were accepted from somebody who is not the provider. */
  readonly forged: { what: string }[] = []

  priced(instrument: string, cents: number): void {
    const prices = this.prices.get(instrument) ?? new Set<number>()
    this.prices.set(instrument, prices.add(cents))
  }
}
