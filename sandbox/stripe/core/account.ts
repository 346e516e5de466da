import type Stripe from 'stripe'
import type { StateFile } from '../../state-file'
import type { Account, LedgerEntry } from './types'

const shelves = [
  'intents',
  'charges',
  'sessions',
  'sessionOfIntent',
  'refunds',
  'challenges',
  'events',
  'answers',
] as const

export function openAccount(memory: StateFile, now: () => number): Account {
  // Trusted: only the sandbox writes the file.
  const kept = memory.recall('stripe') as (Record<string, [string, never][]> & { ledger: LedgerEntry[] }) | undefined
  const account: Account = {
    now,
    intents: new Map(kept?.intents),
    charges: new Map(kept?.charges),
    sessions: new Map(kept?.sessions),
    sessionOfIntent: new Map(kept?.sessionOfIntent),
    refunds: new Map(kept?.refunds),
    challenges: new Map(kept?.challenges),
    events: new Map(kept?.events),
    answers: new Map(kept?.answers),
    ledger: (kept?.ledger ?? []).map((entry, i) => ({ ...entry, seq: i + 1 })),
  }
  memory.keep('stripe', () => ({
    ...Object.fromEntries(shelves.map((shelf) => [shelf, [...account[shelf]]])),
    ledger: account.ledger,
  }))
  return account
}

export function record(
  account: Account,
  what: Exclude<LedgerEntry['what'], 'opened' | 'closed'>,
  intent: Stripe.PaymentIntent,
  refund?: Stripe.Refund,
) {
  write(account, {
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

export function recordSession(account: Account, what: 'opened' | 'closed', session: Stripe.Checkout.Session) {
  write(account, {
    what,
    paymentIntent: null,
    checkoutSession: session.id,
    charge: null,
    refund: null,
    amount: session.amount_total!,
    currency: session.currency!,
    metadata: session.metadata ?? {},
  })
}

function write({ ledger, now }: Account, entry: Omit<LedgerEntry, 'seq' | 'at'>) {
  ledger.push({ seq: ledger.length + 1, at: new Date(now()).toISOString(), ...entry })
}
