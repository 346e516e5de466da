import type Stripe from 'stripe'
import { html, page, type Html } from '../../page'
import { authenticate, failAuthentication, isPending } from '../api/authentication'
import { redirectToShop, redirect, styles } from './hosted-page'
import { requireIntent } from '../api/intent'
import { completeSession, requireSession } from '../api/session'
import type { RequestContext } from '../core/types'

const title = 'Authenticate the payment (sandbox)'

export async function authenticationPage(
  context: RequestContext,
  request: Request,
  intentId: string,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  }
  const body = request.method === 'POST' ? new URLSearchParams(await request.text()) : null
  // No await from here on, so that two posts cannot both charge.
  const { account } = context
  const paymentMethod = new URL(request.url).searchParams.get('payment_method') ?? ''
  const challenge = account.challenges.get(paymentMethod)
  if (challenge?.intentId !== intentId) {
    return view({ status: 404, heading: 'There is nothing to authenticate here' })
  }
  const intent = requireIntent(account, intentId)
  const outcome = body?.get('outcome')
  const sessionId = account.sessionOfIntent.get(intentId)
  if (isPending(intent, paymentMethod)) {
    if (outcome === 'complete') {
      authenticate(context, intent, paymentMethod)
      if (sessionId !== undefined) completeSession(context, sessionId, challenge.payer)
    } else if (outcome === 'fail') failAuthentication(context, intent)
    else return challengeView(context, intent, challenge.returnUrl)
  }
  if (sessionId !== undefined) return redirectFromSession(context, sessionId)
  const updated = requireIntent(account, intentId)
  if (challenge.returnUrl !== null) return redirect(addOutcome(challenge.returnUrl, updated))
  return view({
    heading: updated.status === 'succeeded' ? 'The payment went through' : 'The payment did not go through',
    body: html`<p>You can close this page.</p>`,
  })
}

function challengeView({ account }: RequestContext, intent: Stripe.PaymentIntent, returnUrl: string | null): Response {
  const sessionId = account.sessionOfIntent.get(intent.id)
  const redirectsTo = sessionId === undefined ? returnUrl : requireSession(account, sessionId).session.success_url
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: intent.currency })
  return view({
    heading: 'Does this payment come from you?',
    redirectsTo,
    body: html`
      <p>A bank asks its customer at this point. Here you choose what the customer answers.</p>
      <p>Cadenza ${amount.format(intent.amount / 100)}</p>
      <form method="post">
        <p><button name="outcome" value="complete">Complete authentication</button></p>
        <p><button name="outcome" value="fail">Fail authentication</button></p>
      </form>
    `,
  })
}

function redirectFromSession({ account }: RequestContext, sessionId: string): Response {
  const stored = requireSession(account, sessionId)
  return stored.session.status === 'complete' ? redirectToShop(stored) : redirect(`/checkout/${sessionId}`)
}

function addOutcome(returnUrl: string, intent: Stripe.PaymentIntent): string {
  const url = new URL(returnUrl)
  const outcome = new URLSearchParams({
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret!,
    redirect_status: intent.status === 'succeeded' ? 'succeeded' : 'failed',
  })
  url.search = [url.search.slice(1), outcome.toString()].filter(Boolean).join('&')
  return url.href
}

interface View {
  heading: string
  status?: number
  body?: Html
  redirectsTo?: string | null
}

function view({ heading, status, body, redirectsTo }: View): Response {
  return page({
    title,
    status,
    styles,
    policy: redirectsTo ? { 'form-action': `'self' ${new URL(redirectsTo).origin}` } : {},
    body: html`
      <div class="notice"><p>This is the sandbox: it plays the bank, and no money moves.</p></div>
      <main>
        <h1>${heading}</h1>
        ${body}
      </main>
    `,
  })
}
