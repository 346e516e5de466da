import type Stripe from 'stripe'
import { recordSession } from '../core/account'
import { payOrAsk } from './authentication'
import { seconds } from '../core/ids'
import { closeIntent, openIntent, requireIntent } from './intent'
import { listOf } from './lists'
import { missing } from '../core/refusal'
import type { Account, Card, Desk, KeptSession, Payer } from '../core/types'

export function requireSession(account: Account, id: string): KeptSession {
  const kept = account.sessions.get(id)
  if (!kept) throw missing('checkout.session', id, 'session')
  return kept
}

export function paySession(desk: Desk, kept: KeptSession, card: Card, payer: Payer): Stripe.PaymentIntent {
  const { account } = desk
  const { session, intentMetadata } = kept
  const intent =
    kept.intentId === null
      ? openIntent(desk, {
          amount: session.amount_total!,
          currency: session.currency!,
          sessionId: session.id,
          metadata: intentMetadata,
          description: null,
          receiptEmail: null,
        })
      : requireIntent(account, kept.intentId)
  account.sessions.set(session.id, { ...kept, intentId: intent.id })
  const tried = payOrAsk(desk, intent, { card, payer, returnUrl: null })
  if (tried.status === 'succeeded') completeSession(desk, session.id, payer)
  return tried
}

export function completeSession(desk: Desk, id: string, payer: Payer): KeptSession {
  const { account } = desk
  const kept = requireSession(account, id)
  const { session } = kept
  const paid: KeptSession = {
    ...kept,
    session: {
      ...session,
      status: 'complete',
      payment_status: 'paid',
      payment_intent: kept.intentId,
      url: null,
      customer_details: {
        address: null,
        business_name: null,
        email: payer.email,
        individual_name: payer.name,
        name: payer.name,
        phone: null,
        tax_exempt: 'none',
        tax_ids: [],
      },
    },
  }
  account.sessions.set(session.id, paid)
  recordSession(account, 'closed', paid.session)
  desk.tell('checkout.session.completed', paid.session)
  return paid
}

export function expireSession(desk: Desk, kept: KeptSession): KeptSession {
  const { account } = desk
  const expired: KeptSession = { ...kept, session: { ...kept.session, status: 'expired', url: null } }
  account.sessions.set(kept.session.id, expired)
  recordSession(account, 'closed', expired.session)
  // Expire the session first: handlers of the intent event may read it.
  if (kept.intentId !== null) closeIntent(desk, requireIntent(account, kept.intentId), 'expired')
  desk.tell('checkout.session.expired', expired.session)
  return expired
}

export function expireDue(desk: Desk): void {
  const now = seconds(desk.account)
  for (const kept of desk.account.sessions.values()) {
    if (kept.session.status === 'open' && kept.session.expires_at <= now) expireSession(desk, kept)
  }
}

export function sessionExpansions(account: Account) {
  return {
    payment_intent: (session: Stripe.Checkout.Session): Stripe.Checkout.Session =>
      typeof session.payment_intent === 'string'
        ? { ...session, payment_intent: requireIntent(account, session.payment_intent) }
        : session,
    line_items: (session: Stripe.Checkout.Session): Stripe.Checkout.Session => ({
      ...session,
      line_items: listOf(
        `/v1/checkout/sessions/${session.id}/line_items`,
        requireSession(account, session.id).lineItems,
        false,
      ),
    }),
  }
}
