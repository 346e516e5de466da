// @ts-check

/** What Stripe's script throws at whoever calls it wrongly. */
export class IntegrationError extends Error {
  name = 'IntegrationError'
}

/** Stripe would know this; the sandbox does not. */
export function unknownHere(/** @type {string} */ what) {
  const message = `Stripe's stand-in: the sandbox does not know ${what}.`
  console.error(message)
  return new Error(message)
}
