/** The sandbox's append-only record of what happened to money. `amount` in cents. */
export interface LedgerEntry {
  seq: number
  at: string
  what: 'created' | 'updated' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'opened' | 'closed'
  /** Null for a checkout that nobody has tried to pay. */
  paymentIntent: string | null
  checkoutSession: string | null
  refund: string | null
  amount: number
  currency: string
  metadata: Record<string, string>
}

export interface DeliveredEmail {
  to: string
  subject: string
  text: string | null
}

export async function readSandbox<T>(sandboxUrl: string, path: '/ledger' | '/mail'): Promise<T> {
  const response = await fetch(sandboxUrl + path)
  if (!response.ok) throw new Error(`The sandbox answered the checker ${response.status} at ${path}`)
  return await response.json()
}

export interface Payable {
  id: string
  order: string
  from: number
  until: number
}

export function payablesIn(ledger: LedgerEntry[]): Payable[] {
  const payables = new Map<string, Payable>()
  for (const [seq, entry] of ledger.entries()) {
    const id = entry.checkoutSession ?? entry.paymentIntent!
    const begins = entry.what === 'opened' || (entry.what === 'created' && entry.checkoutSession === null)
    if (begins) payables.set(id, { id, order: entry.metadata.order ?? '', from: seq, until: Infinity })
    const payable = payables.get(id)
    const ends = entry.what === 'closed' || ((entry.what === 'succeeded' || entry.what === 'cancelled') && !begins)
    if (payable && ends) payable.until = Math.min(payable.until, seq)
  }
  return [...payables.values()]
}
