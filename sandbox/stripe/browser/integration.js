// @ts-check

export class IntegrationError extends Error {
  name = 'IntegrationError'
}

export function unsupported(/** @type {string} */ what) {
  const message = `Stripe.js fake: the sandbox does not know ${what}.`
  console.error(message)
  return new Error(message)
}
