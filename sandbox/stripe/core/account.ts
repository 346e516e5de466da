import type Stripe from 'stripe'
import type { StateFile } from '../../state-file'
import type { Account, LedgerEntry } from './types'

export function openAccount(stateFile: StateFile, now: () => number): Account {
  // Trusted: only the sandbox writes the file.
  return {
    now,
    intents: stateFile.map('stripe.intents'),
    charges: stateFile.map('stripe.charges'),
    sessions: stateFile.map('stripe.sessions'),
    sessionOfIntent: stateFile.map('stripe.sessionOfIntent'),
    refunds: stateFile.map('stripe.refunds'),
    disputes: stateFile.map('stripe.disputes'),
    challenges: stateFile.map('stripe.challenges'),
    events: stateFile.map('stripe.events'),
    answers: stateFile.map('stripe.answers'),
    ledger: stateFile.map('stripe.ledger'),
  }
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
  const seq = ledger.size + 1
  ledger.set(String(seq), { seq, at: new Date(now()).toISOString(), ...entry })
}
