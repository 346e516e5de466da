import { html, page, type Html } from '../../page'
import { authenticationFailure, customerFailureMessage } from '../api/authentication'
import { readCard } from '../api/cards'
import { paySession, requireSession } from '../api/session'
import { ApiError } from '../core/refusal'
import type { RequestContext, StoredSession } from '../core/types'

const title = 'Pay Cadenza (sandbox)'

export const styles = `
main, .notice p { max-width: 30rem; }
main { padding-top: 2rem; padding-bottom: 3rem; }
label { display: block; font-weight: 600; }
input, button { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; margin: 0.25rem 0 1rem; font: inherit; }
button { color: #fff; background: var(--varnish); border: 0; }
[role=alert] { color: var(--error); }
`

/** In the order of the page; `field` as Stripe calls it. */
const fields = [
  { name: 'email', label: 'Email', field: 'email', autocomplete: 'email' },
  { name: 'number', label: 'Card number', field: 'cardNumber', autocomplete: 'cc-number' },
  { name: 'expiry', label: 'Expiry (MM / YY)', field: 'cardExpiry', autocomplete: 'cc-exp' },
  { name: 'cvc', label: 'CVC', field: 'cardCvc', autocomplete: 'cc-csc' },
  { name: 'name', label: 'Name on card', field: 'billingName', autocomplete: 'cc-name' },
] as const

type Input = Record<(typeof fields)[number]['name'], string>
interface Answer {
  input?: Input
  errors?: Partial<Input>
  decline?: string
  status?: number
}

export async function hostedPage(context: RequestContext, request: Request, id: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  }
  const body = request.method === 'POST' ? new URLSearchParams(await request.text()) : null
  // No await from here on, so that two posts cannot both pay.
  const stored = context.account.sessions.get(id)
  if (!stored)
    return messageView(404, 'There is no such payment page', 'Go back to the shop and choose to pay once more.')
  const { session } = stored
  if (session.status === 'complete') return redirectToShop(stored)
  if (session.status === 'expired') {
    const back = session.cancel_url ?? new URL(session.success_url!).origin
    return messageView(410, 'This payment page has expired', 'Nothing was paid here.', back)
  }
  if (body) return pay(context, stored, body)
  const intent = stored.intentId === null ? undefined : context.account.intents.get(stored.intentId)
  const hasFailed = intent?.last_payment_error?.code === authenticationFailure
  return checkoutView(stored, hasFailed ? { decline: customerFailureMessage } : {})
}

function pay(context: RequestContext, stored: StoredSession, body: URLSearchParams): Response {
  const input = Object.fromEntries(fields.map(({ name, field }) => [name, body.get(field)?.trim() ?? ''])) as Input
  input.email = stored.session.customer_email ?? input.email
  const card = readCard(input, context.account)
  const errors: Partial<Input> = {
    ...(!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(input.email) && { email: 'Your email is incomplete.' }),
    ...(Array.isArray(card) && Object.fromEntries(card.map(({ field, message }) => [field, message]))),
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

function checkoutView(
  { session, lineItems }: StoredSession,
  { input, errors = {}, decline, status = 200 }: Answer,
): Response {
  const total = dollars(session.amount_total!)
  const problem = status === 200 && decline === undefined ? '' : 'Not paid yet: '
  return page({
    title: problem + title,
    status,
    styles,
    // Browsers check redirects after a form post against form-action, too.
    policy: { 'form-action': `'self' ${new URL(session.success_url!).origin}` },
    body: shell(html`
      <h1>Pay Cadenza</h1>
      ${lineItems.map((item) => html`<p>${item.quantity} × ${item.description}: ${dollars(item.amount_total)}</p>`)}
      <form method="post" novalidate>
        ${decline !== undefined && html`<p role="alert">${decline}</p>`}
        ${session.customer_email !== null && html`<p>Email ${session.customer_email}</p>`}
        ${fields
          .filter(({ name }) => name !== 'email' || session.customer_email === null)
          .map(({ name, label, field, autocomplete }) => {
            const value = name === 'cvc' ? '' : (input?.[name] ?? '')
            const error = errors[name]
            return html`<label for="${name}">${label}</label>
              <input id="${name}" name="${field}" value="${value}" autocomplete="${autocomplete}" required />
              ${error !== undefined && html`<p role="alert">${error}</p>`}`
          })}
        <button>Pay ${total}</button>
      </form>
      ${session.cancel_url !== null && html`<p><a href="${session.cancel_url}">Back to the shop</a></p>`}
      <p>
        4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined, 4000 0000 0000 9995 has insufficient funds, and 4000
        0027 6000 3184 asks for authentication. Any date to come and any three digits as CVC will do.
      </p>
    `),
  })
}

function messageView(status: number, heading: string, words: string, back?: string): Response {
  const link = back !== undefined && html`<p><a href="${back}">Back to the shop</a></p>`
  return page({
    title,
    status,
    styles,
    body: shell(
      html`<h1>${heading}</h1>
        <p>${words}</p>
        ${link}`,
    ),
  })
}

function shell(content: Html): Html {
  return html`<div class="notice">
      <p>This is the sandbox: no card is charged and no money moves. Do not type a real card number.</p>
    </div>
    <main>${content}</main>`
}

function dollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}

export function redirectToShop({ session }: StoredSession): Response {
  return redirect(session.success_url!.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
}

export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
