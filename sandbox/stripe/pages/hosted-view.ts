import type Stripe from 'stripe'
import { html, page, type Html } from '../../page'
import { styles } from './hosted-style'
import type { StoredSession } from '../core/types'

export interface FormInput {
  email: string
  number: string
  expiry: string
  cvc: string
  name: string
}

interface State {
  input: FormInput
  errors?: Partial<Record<keyof FormInput, string>>
  decline?: string
  status?: number
}

const title = 'Pay Cadenza (sandbox)'

export function checkoutView(
  { session, lineItems }: StoredSession,
  { input, errors = {}, decline, status = 200 }: State,
): Response {
  const total = dollars(session.amount_total!)
  const firstInvalid = (Object.keys(input) as (keyof FormInput)[]).find((name) => errors[name] !== undefined)
  const field = (name: keyof FormInput, label: string, options: FieldOptions) =>
    fieldView({
      ...options,
      name,
      label,
      error: errors[name],
      autofocus: name === firstInvalid,
      value: name === 'cvc' ? '' : input[name],
    })

  return page({
    title: firstInvalid !== undefined || decline !== undefined ? `Not paid yet: ${title}` : title,
    status,
    styles,
    // Browsers check redirects after a form post against form-action, too.
    policy: { 'form-action': `'self' ${new URL(session.success_url!).origin}` },
    body: shell(html`
      <h1>Pay Cadenza</h1>
      <section aria-label="Your order">
        <ul>
          ${lineItems.map(
            (item) =>
              html`<li>
                <span
                  >${item.description}<small
                    >${item.quantity} × <span class="amount">${dollars(item.price?.unit_amount ?? 0)}</span></small
                  ></span
                >
                <span class="amount">${dollars(item.amount_total)}</span>
              </li>`,
          )}
        </ul>
        <p class="total"><span>Total</span> <span class="amount">${total}</span></p>
      </section>
      <form method="post" novalidate>
        ${decline !== undefined && html`<p class="alert" role="alert">${decline}</p>`}
        ${
          session.customer_email === null
            ? field('email', 'Email', { field: 'email', type: 'email', autocomplete: 'email' })
            : html`<p class="email">Email <strong>${session.customer_email}</strong></p>`
        }
        ${field('number', 'Card number', { field: 'cardNumber', autocomplete: 'cc-number', numeric: true, placeholder: '4242 4242 4242 4242' })}
        <div class="pair">
          ${field('expiry', 'Expiry (MM / YY)', { field: 'cardExpiry', autocomplete: 'cc-exp', numeric: true })}
          ${field('cvc', 'CVC', { field: 'cardCvc', autocomplete: 'cc-csc', numeric: true })}
        </div>
        ${field('name', 'Name on card', { field: 'billingName', autocomplete: 'cc-name' })}
        <button type="submit">Pay ${total}</button>
      </form>
      ${session.cancel_url !== null && html`<p><a class="back" href="${session.cancel_url}">Back to the shop</a></p>`}
      <section class="cards" aria-label="Test cards">
        <h2>Cards to try</h2>
        <dl>
          <div>
            <dt>4242 4242 4242 4242</dt>
            <dd>pays</dd>
          </div>
          <div>
            <dt>4000 0000 0000 0002</dt>
            <dd>is declined</dd>
          </div>
          <div>
            <dt>4000 0000 0000 9995</dt>
            <dd>insufficient funds</dd>
          </div>
          <div>
            <dt>4000 0027 6000 3184</dt>
            <dd>asks for authentication</dd>
          </div>
        </dl>
        <p>Any date to come and any three digits as CVC will do.</p>
      </section>
    `),
  })
}

export function closedView(session: Stripe.Checkout.Session): Response {
  const back = session.cancel_url ?? new URL(session.success_url!).origin
  return page({
    title: `Expired: ${title}`,
    status: 410,
    styles,
    body: shell(html`
      <h1>This payment page has expired</h1>
      <p>Nothing was paid here. If you still want the order, pay it again from the shop.</p>
      <p><a class="back" href="${back}">Back to the shop</a></p>
    `),
  })
}

export function unknownView(): Response {
  return page({
    title: `Not found: ${title}`,
    status: 404,
    styles,
    body: shell(html`
      <h1>There is no such payment page</h1>
      <p>The sandbox has never made it, or has forgotten it. Go back to the shop and choose to pay once more.</p>
    `),
  })
}

function shell(content: Html): Html {
  return html`
    <div class="notice">
      <p>This is the sandbox: no card is charged and no money moves. Do not type a real card number.</p>
    </div>
    <main>${content}</main>
  `
}

interface FieldOptions {
  field: string
  autocomplete: string
  type?: string
  numeric?: boolean
  placeholder?: string
}

interface Field extends FieldOptions {
  name: string
  label: string
  value: string
  error: string | undefined
  /** Moves the focus to the first invalid field without scripts. */
  autofocus: boolean
}

function fieldView({
  name,
  label,
  field,
  value,
  error,
  autofocus,
  type = 'text',
  autocomplete,
  numeric,
  placeholder,
}: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${field}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      required
      ${numeric && html`inputmode="numeric"`}
      ${placeholder && html`placeholder="${placeholder}"`}
      ${error !== undefined && html`aria-invalid="true" aria-describedby="${name}-fault"`}
      ${autofocus && html`autofocus`}
    />
    ${error !== undefined && html`<p class="fault" id="${name}-fault" role="alert">${error}</p>`}
  </div>`
}

function dollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}
