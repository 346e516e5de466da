// @ts-check
import { unreachable } from './frame.js'
import { IntegrationError, unsupported } from './integration.js'
import { PaymentElement } from './payment-element.js'

const secretPattern = /^pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/

export class Elements {
  /** @type {PaymentElement | null} */
  #element = null
  /** @type {(() => void)[]} */
  #updateEnd = []
  /** @type {Promise<any> | null} */
  _confirming = null

  /**
   * @param {{ origin: string, key: string }} stripe
   * @param {{ clientSecret?: string, appearance?: object, locale?: string }} options
   */
  constructor(stripe, options = {}) {
    const { clientSecret } = options
    if (clientSecret !== undefined && !secretPattern.test(clientSecret)) {
      const message = `Invalid value for elements(): clientSecret should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`
      // React's wrapper swallows exceptions from here.
      console.error(message)
      throw new IntegrationError(message)
    }
    this.stripe = stripe
    this.options = options
  }

  create(/** @type {string} */ type) {
    if (type !== 'payment') throw unsupported(`elements.create('${type}')`)
    if (this.options.clientSecret === undefined) {
      if ('mode' in this.options) throw unsupported('elements without a clientSecret')
      throw new IntegrationError(
        'In order to create a payment element, you must pass a clientSecret or mode when creating the Elements group.',
      )
    }
    if (this.#element) throw new IntegrationError('Can only create one Element of type payment.')
    this.#element = new PaymentElement({
      origin: this.stripe.origin,
      options: () => ({ key: this.stripe.key, ...this.#plainOptions() }),
      onDestroy: () => (this.#element = null),
    })
    return this.#element
  }

  getElement(/** @type {string | { __elementType?: string }} */ type) {
    const name = typeof type === 'string' ? type : type.__elementType
    return name === 'payment' ? this.#element : null
  }

  async update(/** @type {{ appearance?: object, locale?: string }} */ changes) {
    this.options = { ...this.options, ...changes }
    await this.#element?._request('applyAppearance', this.#plainOptions())
    for (const handler of this.#updateEnd) handler()
  }

  on(/** @type {string} */ event, /** @type {() => void} */ handler) {
    if (event === 'update-end') this.#updateEnd.push(handler)
  }

  /** @returns {Promise<{ error?: { message: string, status?: string } }>} */
  async fetchUpdates() {
    return (await this.#element?._request('reload')) ?? { error: unreachable }
  }

  async submit() {
    return this._requestMounted('elements.submit()', 'check', {})
  }

  /** @returns {Promise<any>} */
  _requestMounted(/** @type {string} */ caller, /** @type {string} */ call, /** @type {object} */ detail) {
    const response = this.#element?._request(call, detail)
    if (response) return response
    throw new IntegrationError(
      `Invalid value for ${caller}: elements should have a mounted Payment Element or Express Checkout Element.`,
    )
  }

  /** Messages can carry plain data only. */
  #plainOptions() {
    const { clientSecret, appearance = {} } = this.options
    return { clientSecret, appearance: JSON.parse(JSON.stringify(appearance)) }
  }
}
