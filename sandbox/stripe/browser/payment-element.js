// @ts-check
/* global document, HTMLElement */
import { Frame } from './frame.js'
import { IntegrationError } from './integration.js'

/** @typedef {(event: any) => void} Handler */

function submit(/** @type {HTMLFormElement | null} */ form) {
  const buttons = [...(form?.elements ?? [])].filter((one) => /** @type {any} */ (one).type === 'submit')
  const button = /** @type {HTMLButtonElement | undefined} */ (buttons[0])
  if (!button?.disabled) form?.requestSubmit(button)
}

export class PaymentElement {
  /** @type {Map<string, Handler[]>} */
  #handlers = new Map()
  /** @type {Frame | null} */
  #frame = null
  #destroyed = false

  /** @param {{ origin: string, options: () => object, onDestroy: () => void }} group */
  constructor(group) {
    this.group = group
  }

  mount(/** @type {string | HTMLElement} */ target) {
    this.#requireAlive()
    const node = typeof target === 'string' ? document.querySelector(target) : target
    if (!(node instanceof HTMLElement)) {
      throw new IntegrationError(
        typeof target === 'string'
          ? `The selector you specified (${target}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`
          : 'Invalid DOM element. Make sure to call mount() with a valid DOM element or selector.',
      )
    }
    this.unmount()
    const frame = new Frame({
      origin: this.group.origin,
      path: '/elements/payment',
      options: this.group.options,
      onEvent: (event, detail) => this.#onEvent(event, detail),
    })
    frame.node.title = 'Secure payment input frame'
    // Room for the focus ring.
    frame.node.style.cssText =
      'border:0;display:block;width:calc(100% + 8px);margin:-4px;height:0;color-scheme:light only'
    node.classList.add('StripeElement')
    node.replaceChildren(frame.node)
    this.#frame = frame
  }

  unmount() {
    this.#frame?.node.parentElement?.classList.remove('StripeElement')
    this.#frame?.close()
    this.#frame = null
  }

  destroy() {
    this.#requireAlive()
    this.unmount()
    this.#destroyed = true
    this.#handlers.clear()
    this.group.onDestroy()
  }

  on(/** @type {string} */ event, /** @type {Handler} */ handler) {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler])
    return this
  }

  once(/** @type {string} */ event, /** @type {Handler} */ handler) {
    const first = (/** @type {any} */ detail) => {
      this.off(event, first)
      handler(detail)
    }
    return this.on(event, first)
  }

  off(/** @type {string} */ event, /** @type {Handler | undefined} */ handler) {
    const handlers = handler ? (this.#handlers.get(event) ?? []).filter((one) => one !== handler) : []
    this.#handlers.set(event, handlers)
    return this
  }

  update() {
    this.#requireAlive()
    return this
  }

  focus() {
    this._request('focus')
  }

  blur() {
    this._request('blur')
  }

  clear() {
    this._request('clear')
  }

  collapse() {
    return this
  }

  _request(/** @type {string} */ call, /** @type {object} */ detail = {}) {
    this.#requireAlive()
    return this.#frame?.request(call, detail) ?? null
  }

  #onEvent(/** @type {string} */ event, /** @type {any} */ detail) {
    const node = this.#frame?.node
    if (!node) return
    if (event === 'height') node.style.height = `${detail.height}px`
    else if (event === 'enter') submit(node.closest('form'))
    else this.#emit(event, { elementType: 'payment', ...detail })
  }

  #emit(/** @type {string} */ event, /** @type {any} */ detail) {
    const handlers = this.#handlers.get(event) ?? []
    if (event === 'loaderror' && handlers.length === 0) {
      console.error('Unhandled payment Element loaderror', { error: detail.error })
    }
    for (const handler of handlers) handler(detail)
  }

  #requireAlive() {
    if (this.#destroyed) {
      throw new IntegrationError('This Element has already been destroyed. Please create a new one.')
    }
  }
}
