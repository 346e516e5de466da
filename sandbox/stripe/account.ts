import type Stripe from 'stripe'
import type { Memory } from '../memory'
import type { KeptSession } from './session'
import type { KeptEvent, Tell } from './events'
import type { KeptAnswer } from './idempotency'

/** What really happened to money: only ever added to. */
export interface LedgerEntry {
  /** ISO 8601. */
  at: string
  what: 'created' | 'succeeded' | 'failed' | 'cancelled' | 'refunded'
  paymentIntent: string
  checkoutSession: string | null
  charge: string | null
  refund: string | null
  /** In cents: of the intent, or of the refund. */
  amount: number
  currency: string
  metadata: Stripe.Metadata
}

/** The one Stripe account of the sandbox. What it holds is replaced, never changed, so that an event stays what it was. */
export interface Account {
  intents: Map<string, Stripe.PaymentIntent>
  charges: Map<string, Stripe.Charge>
  sessions: Map<string, KeptSession>
  /** The checkout session that an intent was made by. */
  sessionOfIntent: Map<string, string>
  refunds: Map<string, Stripe.Refund>
  events: Map<string, KeptEvent>
  answers: Map<string, KeptAnswer>
  ledger: LedgerEntry[]
}

/** An account, and the request that it is being changed by. */
export interface Desk {
  account: Account
  tell: Tell
  /** Where the sandbox is reached: the hosted page's origin. */
  origin: string
}

const shelves = ['intents', 'charges', 'sessions', 'sessionOfIntent', 'refunds', 'events', 'answers'] as const

export function openAccount(memory: Memory): Account {
  // Trusted: only the sandbox writes the file.
  const kept = memory.recall('stripe') as (Record<string, [string, never][]> & { ledger: LedgerEntry[] }) | undefined
  const account: Account = {
    intents: new Map(kept?.intents),
    charges: new Map(kept?.charges),
    sessions: new Map(kept?.sessions),
    sessionOfIntent: new Map(kept?.sessionOfIntent),
    refunds: new Map(kept?.refunds),
    events: new Map(kept?.events),
    answers: new Map(kept?.answers),
    ledger: kept?.ledger ?? [],
  }
  memory.keep('stripe', () => ({
    ...Object.fromEntries(shelves.map((shelf) => [shelf, [...account[shelf]]])),
    ledger: account.ledger,
  }))
  return account
}

export function record(
  account: Account,
  what: LedgerEntry['what'],
  intent: Stripe.PaymentIntent,
  refund?: Stripe.Refund,
) {
  account.ledger.push({
    at: new Date().toISOString(),
    what,
    paymentIntent: intent.id,
    checkoutSession: account.sessionOfIntent.get(intent.id) ?? null,
    charge: typeof intent.latest_charge === 'string' ? intent.latest_charge : null,
    refund: refund?.id ?? null,
    amount: refund?.amount ?? intent.amount,
    currency: intent.currency,
    metadata: refund?.metadata ?? intent.metadata,
  })
}
