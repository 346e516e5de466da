// @ts-check
/* global fetch, URLSearchParams, AbortSignal */
import { unreachable } from './frame.js'

const timeoutMs = 30_000

export function retrieve(/** @type {string} */ key, /** @type {string} */ clientSecret) {
  const query = new URLSearchParams({ client_secret: clientSecret })
  return sendRequest(`${intentPath(clientSecret)}?${query}`, { headers: { authorization: `Bearer ${key}` } })
}

export function confirm(
  /** @type {string} */ key,
  /** @type {string} */ clientSecret,
  /** @type {Record<string, unknown>} */ params,
) {
  return sendRequest(`${intentPath(clientSecret)}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams([['client_secret', clientSecret], ...formPairs(params)]),
  })
}

function intentPath(/** @type {string} */ clientSecret) {
  return `/v1/payment_intents/${encodeURIComponent(clientSecret.split('_secret_')[0] ?? '')}`
}

/**
 * Returns an intent or an error, like Stripe's script.
 * @returns {Promise<{ paymentIntent?: any, error?: any }>}
 */
async function sendRequest(/** @type {string} */ path, /** @type {RequestInit} */ request) {
  try {
    const response = await fetch(path, { ...request, signal: AbortSignal.timeout(timeoutMs) })
    const body = await response.json()
    return response.ok ? { paymentIntent: body } : { error: body.error }
  } catch {
    return { error: unreachable }
  }
}

/** @returns {[string, string][]} */
function formPairs(/** @type {Record<string, unknown>} */ params, prefix = '') {
  return Object.entries(params).flatMap(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}[${name}]`
    if (typeof value === 'object' && value !== null) return formPairs(/** @type {any} */ (value), path)
    return value === undefined || value === null ? [] : [/** @type {[string, string]} */ ([path, String(value)])]
  })
}
