import type Stripe from 'stripe'
import type { StateFile } from '../../state-file'
import type { Account, LedgerEntry } from './types'

const collections = [
  'intents',
  'charges',
  'sessions',
  'sessionOfIntent',
  'refunds',
  'challenges',
  'events',
  'answers',
] as const

export function openAccount(stateFile: StateFile, now: () => number): Account {
  // Trusted: only the sandbox writes the file.
  const saved = stateFile.read('stripe') as (Record<string, [string, never][]> & { ledger: LedgerEntry[] }) | undefined
  const account: Account = {
    now,
    intents: new Map(saved?.intents),
    charges: new Map(saved?.charges),
    sessions: new Map(saved?.sessions),
    sessionOfIntent: new Map(saved?.sessionOfIntent),
    refunds: new Map(saved?.refunds),
    challenges: new Map(saved?.challenges),
    events: new Map(saved?.events),
    answers: new Map(saved?.answers),
    ledger: (saved?.ledger ?? []).map((entry, i) => ({ ...entry, seq: i + 1 })),
  }
  stateFile.register('stripe', () => ({
    ...Object.fromEntries(collections.map((name) => [name, [...account[name]]])),
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
  append(account, {
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
  append(account, {
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

function append({ ledger, now }: Account, entry: Omit<LedgerEntry, 'seq' | 'at'>) {
  ledger.push({ seq: ledger.length + 1, at: new Date(now()).toISOString(), ...entry })
}
