import { authenticationFailure, failureWords } from '../api/authentication'
import { readCard, type CardFault } from '../api/cards'
import { checkoutView, closedView, unknownView, type Typed } from './hosted-view'
import { Refused } from '../core/refusal'
import { paySession, requireSession } from '../api/session'
import type { Desk, KeptSession } from '../core/types'

const blank: Typed = { email: '', number: '', expiry: '', cvc: '', name: '' }

export async function hostedPage(desk: Desk, request: Request, id: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  }
  const body = request.method === 'POST' ? new URLSearchParams(await request.text()) : null
  // No await from here on, so that two posts cannot both pay.
  const kept = desk.account.sessions.get(id)
  if (!kept) return unknownView()
  if (kept.session.status === 'complete') return backToShop(kept)
  if (kept.session.status === 'expired') return closedView(kept.session)
  if (body) return takePayment(desk, kept, body)
  const intent = kept.intentId === null ? undefined : desk.account.intents.get(kept.intentId)
  const failed = intent?.last_payment_error?.code === authenticationFailure
  return checkoutView(kept, failed ? { typed: blank, decline: failureWords } : { typed: blank })
}

function takePayment(desk: Desk, kept: KeptSession, body: URLSearchParams): Response {
  const typed: Typed = {
    email: kept.session.customer_email ?? body.get('email')?.trim() ?? '',
    number: body.get('cardNumber')?.trim() ?? '',
    expiry: body.get('cardExpiry')?.trim() ?? '',
    cvc: body.get('cardCvc')?.trim() ?? '',
    name: body.get('billingName')?.trim() ?? '',
  }
  const card = readCard(typed, desk.account)
  const faults: Partial<Record<keyof Typed, string>> = {
    ...(!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.email) && { email: 'Your email is incomplete.' }),
    ...(Array.isArray(card) && wordsOf(card)),
    ...(typed.name === '' && { name: 'Your name is missing.' }),
  }
  if (Array.isArray(card) || Object.keys(faults).length > 0) return checkoutView(kept, { typed, faults, status: 422 })
  try {
    const tried = paySession(desk, kept, card, { name: typed.name, email: typed.email })
    const asked = tried.next_action?.redirect_to_url?.url
    return asked ? leadTo(asked) : backToShop(requireSession(desk.account, kept.session.id))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return checkoutView(kept, { typed, decline: error.message, status: 402 })
  }
}

function wordsOf(faults: CardFault[]) {
  return Object.fromEntries(faults.map(({ field, message }) => [field, message]))
}

export function backToShop({ session }: KeptSession): Response {
  return leadTo(session.success_url!.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
}

export function leadTo(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
