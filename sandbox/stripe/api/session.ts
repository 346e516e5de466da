import type Stripe from 'stripe'
import { recordSession } from '../core/account'
import { chargeOrChallenge } from './authentication'
import { seconds } from '../core/ids'
import { cancelOpenIntent, createOpenIntent, intentExpansions, requireIntent } from './intent'
import { listOf } from './lists'
import { missing } from '../core/refusal'
import type { Account, Card, RequestContext, StoredSession, Payer } from '../core/types'

export function requireSession(account: Account, id: string): StoredSession {
  const stored = account.sessions.get(id)
  if (!stored) throw missing('checkout.session', id, 'session')
  return stored
}

export function paySession(
  context: RequestContext,
  stored: StoredSession,
  card: Card,
  payer: Payer,
): Stripe.PaymentIntent {
  const { account } = context
  const { session, intentData } = stored
  const intent =
    stored.intentId === null
      ? createOpenIntent(context, {
          amount: session.amount_total!,
          currency: session.currency!,
          sessionId: session.id,
          metadata: intentData.metadata,
          description: null,
          receiptEmail: null,
        })
      : requireIntent(account, stored.intentId)
  account.sessions.set(session.id, { ...stored, intentId: intent.id })
  const intentAfter = chargeOrChallenge(context, intent, { card, payer, returnUrl: null })
  if (intentAfter.status === 'succeeded') completeSession(context, session.id, payer)
  return intentAfter
}

export function completeSession(context: RequestContext, id: string, payer: Payer): StoredSession {
  const { account } = context
  const stored = requireSession(account, id)
  const { session } = stored
  const paid: StoredSession = {
    ...stored,
    session: {
      ...session,
      status: 'complete',
      payment_status: 'paid',
      payment_intent: stored.intentId,
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
  context.emit('checkout.session.completed', paid.session)
  return paid
}

export function expireSession(context: RequestContext, stored: StoredSession): StoredSession {
  const { account } = context
  const expired: StoredSession = { ...stored, session: { ...stored.session, status: 'expired', url: null } }
  account.sessions.set(stored.session.id, expired)
  recordSession(account, 'closed', expired.session)
  // Expire the session first: handlers of the intent event may read it.
  if (stored.intentId !== null) cancelOpenIntent(context, requireIntent(account, stored.intentId), 'expired')
  context.emit('checkout.session.expired', expired.session)
  return expired
}

export function expireDueSessions(context: RequestContext): void {
  const now = seconds(context.account)
  for (const stored of context.account.sessions.values()) {
    if (stored.session.status === 'open' && stored.session.expires_at <= now) expireSession(context, stored)
  }
}

export function sessionExpansions(account: Account) {
  type Session = Stripe.Checkout.Session
  const withIntent = (session: Session, expand = (intent: Stripe.PaymentIntent) => intent): Session =>
    typeof session.payment_intent === 'string'
      ? { ...session, payment_intent: expand(requireIntent(account, session.payment_intent)) }
      : session
  return {
    payment_intent: (session: Session) => withIntent(session),
    'payment_intent.latest_charge': (session: Session) => withIntent(session, intentExpansions(account).latest_charge),
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
