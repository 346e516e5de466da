// @ts-check
/* global document, window, MessageChannel, setTimeout, clearTimeout */

export const unreachable = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection.',
}

const timeoutMs = 10_000

/**
 * The port goes to the sandbox's origin only: other windows must not see card data.
 * @typedef {{ origin: string, path: string, options: () => object, onEvent: (event: string, detail: any) => void }} FrameOptions
 */
export class Frame {
  /** @type {MessagePort | null} */
  #port = null
  /** @type {Map<number, { message: object, resolve: (response: any) => void }>} */
  #pending = new Map()
  #count = 0
  #failed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** @param {FrameOptions} options */
  constructor({ origin, path, options, onEvent }) {
    this.origin = origin
    this.options = options
    this.onEvent = onEvent
    this.node = document.createElement('iframe')
    this.node.src = `${origin}${path}?parent=${encodeURIComponent(window.location.origin)}`
    this.node.addEventListener('load', () => this.#connect())
  }

  request(/** @type {string} */ call, /** @type {object} */ detail = {}) {
    return new Promise((resolve) => {
      if (this.#failed) {
        resolve({ error: unreachable })
        return
      }
      const message = { id: ++this.#count, call, detail }
      this.#pending.set(message.id, { message, resolve })
      this.#port?.postMessage(message)
    })
  }

  close() {
    this.#fail()
    this.node.remove()
  }

  /** Runs on every load: a frame that moves in its document loads again. */
  #connect() {
    if (this.#port) this.#failPending()
    this.#port?.close()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = ({ data }) => this.#receive(data)
    this.node.contentWindow?.postMessage({ sandbox: 'connect', options: this.options() }, this.origin, [port2])
    for (const { message } of this.#pending.values()) port1.postMessage(message)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#fail()
      this.onEvent('loaderror', { error: unreachable })
    }, timeoutMs)
  }

  #receive(/** @type {any} */ { id, response, event, detail }) {
    clearTimeout(this.#timer)
    if (event !== undefined) this.onEvent(event, detail)
    this.#pending.get(id)?.resolve(response)
    this.#pending.delete(id)
  }

  #fail() {
    this.#failed = true
    clearTimeout(this.#timer)
    this.#port?.close()
    this.#failPending()
  }

  #failPending() {
    for (const { resolve } of this.#pending.values()) resolve({ error: unreachable })
    this.#pending.clear()
  }
}
