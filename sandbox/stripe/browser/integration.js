// @ts-check

export class IntegrationError extends Error {
  name = 'IntegrationError'
}

export function unknownHere(/** @type {string} */ what) {
  const message = `Stripe's stand-in: the sandbox does not know ${what}.`
  console.error(message)
  return new Error(message)
}
