// @ts-check
/* global document, window, requestAnimationFrame, ResizeObserver */
import { confirm, retrieve } from './api.js'
import { applyAppearance } from './appearance.js'
import { Field } from './field.js'
import { connectToParent } from './parent.js'

const { options, emit, serve } = await connectToParent()
const number = new Field('number', onChange)
const expiry = new Field('expiry', onChange)
const cvc = new Field('cvc', onChange, () => number.value)
const fields = [number, expiry, cvc]
const form = /** @type {HTMLElement} */ (document.getElementById('form'))
const notice = /** @type {HTMLElement} */ (document.getElementById('notice'))

applyAppearance(options.appearance)
new ResizeObserver(() => emit('height', { height: Math.ceil(document.body.getBoundingClientRect().height) })).observe(
  document.body,
)

async function retrievePayable() {
  const response = await retrieve(options.key, options.clientSecret)
  const { status } = response.paymentIntent ?? {}
  if (status !== 'succeeded' && status !== 'canceled') return response
  const message = `This PaymentIntent is in a terminal state and cannot be used to initialize Elements: it has a status of ${status}.`
  const code = 'payment_intent_unexpected_state'
  return { error: { type: 'invalid_request_error', code, message, payment_intent: response.paymentIntent } }
}

async function reload() {
  const { paymentIntent, error } = await retrievePayable()
  form.hidden = Boolean(error)
  notice.hidden = !error
  notice.textContent = error?.message ?? ''
  return { paymentIntent, error }
}

function check() {
  const faults = fields.flatMap((field) => {
    const fault = field.fault()
    field.show(fault?.message ?? null)
    return fault ? [{ field, fault }] : []
  })
  const [first] = faults
  if (!first) return { selectedPaymentMethod: 'card' }
  first.field.input.focus()
  const { code, message } = first.fault
  return { error: { type: 'validation_error', code, message } }
}

async function pay(/** @type {{ clientSecret: string, params: any }} */ { clientSecret, params }) {
  if (form.hidden) {
    const { error } = await reload()
    if (error) return { error }
  }
  const result = check()
  if (result.error) return result
  const [month = '', year = ''] = expiry.value.split(' / ')
  const card = { number: number.value, exp_month: month, exp_year: `20${year}`, cvc: cvc.value }
  for (const { input } of fields) input.readOnly = true
  try {
    const { payment_method_data: data, ...rest } = params
    const response = await confirm(options.key, clientSecret, {
      ...rest,
      payment_method_data: { ...data, type: 'card', card },
    })
    if (response.error?.code === 'incorrect_number') number.show(response.error.message)
    return response
  } finally {
    for (const { input } of fields) input.readOnly = false
  }
}

let lastState = ''
function onChange() {
  const state = {
    collapsed: false,
    empty: fields.every(({ value }) => value === ''),
    complete: fields.every((field) => field.fault() === null),
    value: { type: 'card' },
  }
  if (JSON.stringify(state) === lastState) return
  lastState = JSON.stringify(state)
  emit('change', state)
}

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') emit('escape')
  if (key === 'Enter') emit('enter')
})
let focused = false
document.addEventListener('focusin', () => {
  if (!focused) emit('focus')
  focused = true
})
document.addEventListener('focusout', () =>
  // Moving between fields is not a blur.
  requestAnimationFrame(() => {
    if (!focused || (document.hasFocus() && document.activeElement !== document.body)) return
    focused = false
    emit('blur')
  }),
)

serve({
  applyAppearance: (/** @type {any} */ { appearance }) => applyAppearance(appearance),
  reload: async () => {
    const { error } = await reload()
    return error ? { error } : {}
  },
  check,
  confirm: pay,
  focus: () => {
    window.focus()
    number.input.focus()
  },
  blur: () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
  clear: () => {
    for (const field of fields) field.clear()
    onChange()
  },
})

emit('loaderstart')
const { error } = await reload()
if (error) emit('loaderror', { error })
else emit('ready')
