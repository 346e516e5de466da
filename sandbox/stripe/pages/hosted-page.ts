import { authenticationFailure, customerFailureMessage } from '../api/authentication'
import { readCard, type CardInputError } from '../api/cards'
import { checkoutView, closedView, unknownView, type FormInput } from './hosted-view'
import { ApiError } from '../core/refusal'
import { paySession, requireSession } from '../api/session'
import type { RequestContext, StoredSession } from '../core/types'

const emptyInput: FormInput = { email: '', number: '', expiry: '', cvc: '', name: '' }

export async function hostedPage(context: RequestContext, request: Request, id: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  }
  const body = request.method === 'POST' ? new URLSearchParams(await request.text()) : null
  // No await from here on, so that two posts cannot both pay.
  const stored = context.account.sessions.get(id)
  if (!stored) return unknownView()
  if (stored.session.status === 'complete') return redirectToShop(stored)
  if (stored.session.status === 'expired') return closedView(stored.session)
  if (body) return pay(context, stored, body)
  const intent = stored.intentId === null ? undefined : context.account.intents.get(stored.intentId)
  const failed = intent?.last_payment_error?.code === authenticationFailure
  return checkoutView(stored, failed ? { input: emptyInput, decline: customerFailureMessage } : { input: emptyInput })
}

function pay(context: RequestContext, stored: StoredSession, body: URLSearchParams): Response {
  const input: FormInput = {
    email: stored.session.customer_email ?? body.get('email')?.trim() ?? '',
    number: body.get('cardNumber')?.trim() ?? '',
    expiry: body.get('cardExpiry')?.trim() ?? '',
    cvc: body.get('cardCvc')?.trim() ?? '',
    name: body.get('billingName')?.trim() ?? '',
  }
  const card = readCard(input, context.account)
  const errors: Partial<Record<keyof FormInput, string>> = {
    ...(!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(input.email) && { email: 'Your email is incomplete.' }),
    ...(Array.isArray(card) && messagesByField(card)),
    ...(input.name === '' && { name: 'Your name is missing.' }),
  }
  if (Array.isArray(card) || Object.keys(errors).length > 0) return checkoutView(stored, { input, errors, status: 422 })
  try {
    const intent = paySession(context, stored, card, { name: input.name, email: input.email })
    const challengeUrl = intent.next_action?.redirect_to_url?.url
    return challengeUrl ? redirect(challengeUrl) : redirectToShop(requireSession(context.account, stored.session.id))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return checkoutView(stored, { input, decline: error.message, status: 402 })
  }
}

function messagesByField(errors: CardInputError[]) {
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]))
}

export function redirectToShop({ session }: StoredSession): Response {
  return redirect(session.success_url!.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
}

export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
