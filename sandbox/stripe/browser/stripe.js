// @ts-check
/* global window, document, HTMLScriptElement, URLSearchParams */
import { Elements } from './elements.js'
import { Frame } from './frame.js'
import { IntegrationError, unsupported } from './integration.js'

const sandboxKey = 'pk_test_cadenza_sandbox'
const script = document.currentScript
const origin = new URL(script instanceof HTMLScriptElement ? script.src : window.location.href).origin

const unsupportedMethods = [
  'createToken',
  'createSource',
  'createPaymentMethod',
  'createConfirmationToken',
  'confirmCardPayment',
  'confirmSetup',
  'confirmCardSetup',
  'handleNextAction',
  'handleCardAction',
  'retrieveSetupIntent',
  'paymentRequest',
]

/** @typedef {{ return_url?: string } & Record<string, unknown>} ConfirmParams */
/** @typedef {{ elements?: Elements, clientSecret?: string, confirmParams?: ConfirmParams, redirect?: string }} Confirmation */

function Stripe(/** @type {unknown} */ key) {
  if (typeof key !== 'string') throw new IntegrationError('Missing value for Stripe(): apiKey should be a string.')
  if (/^(sk|rk)_/.test(key)) {
    throw new IntegrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    )
  }
  if (key !== sandboxKey) {
    console.error(`Stripe.js fake: this page uses the key ${key}, and the sandbox knows only ${sandboxKey}.`)
  }

  /** @type {Frame | null} */
  let controller = null
  /** Calls the API through a hidden frame: it accepts only the sandbox's own origin. */
  function request(/** @type {string} */ call, /** @type {object} */ detail) {
    if (!controller) {
      controller = new Frame({
        origin,
        path: '/elements/controller',
        options: () => ({ key }),
        onEvent: () => undefined,
      })
      controller.node.hidden = true
      controller.node.setAttribute('aria-hidden', 'true')
      document.body.append(controller.node)
    }
    return controller.request(call, detail)
  }

  /** @returns {Promise<any>} */
  async function confirmPayment(
    /** @type {Confirmation} */ { elements, clientSecret, confirmParams = {}, redirect = 'always' },
  ) {
    if (elements !== undefined && !(elements instanceof Elements)) {
      throw new IntegrationError(
        'Invalid value for stripe.confirmPayment(): elements should be an object created by stripe.elements().',
      )
    }
    if (redirect !== 'always' && redirect !== 'if_required') {
      throw new IntegrationError(
        "Invalid value for stripe.confirmPayment(): redirect should be 'always' or 'if_required'.",
      )
    }
    const params = JSON.parse(JSON.stringify(confirmParams))
    if (redirect === 'always' && !params.return_url) throw new IntegrationError(returnUrlMissing)
    const secret = clientSecret ?? elements?.options.clientSecret
    const detail = { clientSecret: secret, params }
    const response = elements ? await confirmOnce(elements, detail) : await request('confirm', detail)
    if (response.error) return response
    const challengeUrl = response.paymentIntent.next_action?.redirect_to_url?.url
    if (challengeUrl) return navigate(challengeUrl)
    return redirect === 'always' ? navigate(addOutcome(params.return_url, response.paymentIntent)) : response
  }

  const stripe = {
    elements: (/** @type {object} */ options) => new Elements({ origin, key }, options),
    confirmPayment,
    retrievePaymentIntent: (/** @type {string} */ clientSecret) => request('retrieve', { clientSecret }),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  }
  const refusals = unsupportedMethods.map((name) => [
    name,
    () => {
      throw unsupported(`stripe.${name}()`)
    },
  ])
  return Object.assign(stripe, Object.fromEntries(refusals))
}
Stripe.version = 'endive'

const returnUrlMissing =
  'stripe.confirmPayment(): the `confirmParams.return_url` argument is required when using automatic payment methods.'

/** One confirmation at a time, however often the customer presses the button. */
async function confirmOnce(/** @type {Elements} */ elements, /** @type {object} */ detail) {
  elements._confirming ??= elements._requestMounted('stripe.confirmPayment()', 'confirm', detail).finally(() => {
    elements._confirming = null
  })
  return elements._confirming
}

function navigate(/** @type {string} */ url) {
  window.location.assign(url)
  return new Promise(() => undefined)
}

function addOutcome(/** @type {string} */ returnUrl, /** @type {any} */ intent) {
  const url = new URL(returnUrl)
  const outcome = new URLSearchParams({
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: intent.status,
  })
  url.search = [url.search.slice(1), String(outcome)].filter(Boolean).join('&')
  return url.href
}

Object.assign(window, { Stripe })
