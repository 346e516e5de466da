import type Stripe from 'stripe'
import { recordSession } from '../core/account'
import { allowOnly, formAt, integerAt, throwMissing, textAt, urlAt, type Form } from '../core/form'
import { newId, seconds } from '../core/ids'
import { requireAmount } from './intent'
import { lineItemsAt, lineItemPatterns } from './line-items'
import { expanderAt, listOf, listPatterns, pageOf } from './lists'
import { metadataAt } from './metadata'
import { invalid, invalidState } from '../core/refusal'
import { expireSession, requireSession, sessionExpansions } from './session'
import { cardOnlyAt, requireSupported } from './supported'
import type { RequestContext } from '../core/types'

const halfHourSeconds = 30 * 60
const daySeconds = 24 * 3600

export function createSession({ account, origin }: RequestContext, form: Form): Stripe.Checkout.Session {
  allowOnly(form, [
    'mode',
    'ui_mode',
    'success_url',
    'cancel_url',
    'client_reference_id',
    'customer_email',
    'expires_at',
    'allowed_payment_method_types[#]',
    'metadata[*]',
    'payment_intent_data[metadata][*]',
    ...lineItemPatterns,
  ])
  if (form.mode === undefined) throwMissing('mode')
  requireSupported(form, 'mode', ['payment'])
  requireSupported(form, 'ui_mode', ['hosted_page'])
  const allowedTypes = cardOnlyAt(form, 'allowed_payment_method_types')
  const created = seconds(account)
  if (!formAt(form, 'line_items')) throwMissing('line_items')
  const lineItems = lineItemsAt(form, 'line_items', created)
  const amount = lineItems.reduce((sum, item) => sum + item.amount_total, 0)
  requireAmount(amount, 'line_items')
  const id = newId('cs_test_', 58)
  const intentData = { metadata: metadataAt(form, 'payment_intent_data[metadata]') }
  const session: Stripe.Checkout.Session = {
    ...defaults,
    id,
    allowed_payment_method_types: allowedTypes,
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: urlAt(form, 'cancel_url') ?? null,
    client_reference_id: referenceAt(form, 'client_reference_id'),
    created,
    currency: 'usd',
    customer_email: emailAt(form, 'customer_email'),
    expires_at: expiryAt(form, 'expires_at', created),
    metadata: metadataAt(form, 'metadata'),
    success_url: urlAt(form, 'success_url') ?? throwMissing('success_url'),
    url: `${origin}/checkout/${id}`,
  }
  account.sessions.set(id, { session, lineItems, intentData, intentId: null })
  recordSession(account, 'opened', session)
  return session
}

export function readSession({ account }: RequestContext, form: Form, id: string): Stripe.Checkout.Session {
  allowOnly(form, ['expand[#]'])
  return expanderAt(form, sessionExpansions(account))(requireSession(account, id).session)
}

export function listSessions({ account }: RequestContext, form: Form): Stripe.ApiList<Stripe.Checkout.Session> {
  allowOnly(form, listPatterns)
  const sessions = [...account.sessions.values()].map(({ session }) => session)
  const { page, hasMore } = pageOf(sessions, form, 'checkout.session')
  return listOf('/v1/checkout/sessions', page, hasMore)
}

export function expireOpenSession(context: RequestContext, form: Form, id: string): Stripe.Checkout.Session {
  allowOnly(form, [])
  const stored = requireSession(context.account, id)
  const { status } = stored.session
  if (status !== 'open') {
    throw invalidState(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${status}\`.`,
    )
  }
  return expireSession(context, stored).session
}

function emailAt(form: Form, path: string): string | null {
  const email = textAt(form, path)
  if (email === undefined) return null
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email
  throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: path })
}

function referenceAt(form: Form, path: string): string | null {
  const reference = textAt(form, path)
  if (reference === undefined) return null
  if (reference.length <= 200) return reference
  throw invalid('Invalid string: must be at most 200 characters', { param: path })
}

function expiryAt(form: Form, path: string, created: number): number {
  const expiresAt = integerAt(form, path) ?? created + daySeconds
  if (expiresAt < created + halfHourSeconds) {
    throw invalid('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: path,
    })
  }
  if (expiresAt > created + daySeconds) {
    throw invalid('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: path,
    })
  }
  return expiresAt
}

const defaults = {
  object: 'checkout.session',
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  customer_details: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  mode: 'payment',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>
