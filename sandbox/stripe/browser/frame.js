// @ts-check
/* global document, window, MessageChannel, setTimeout, clearTimeout */

/** In Stripe's words: nothing came back. */
export const unreachable = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection.',
}

/** Milliseconds that the page in the frame may take to say hello once it is there. */
const patience = 10_000

/**
 * A page of the sandbox inside of the shop's. They talk through a channel, whose other end goes to the sandbox's origin
 * and to nobody else.
 * @typedef {{ origin: string, path: string, told: () => object, hear: (event: string, detail: any) => void }} FrameOptions
 */
export class Frame {
  /** @type {MessagePort | null} */
  #port = null
  /** @type {Map<number, { message: object, resolve: (answer: any) => void }>} */
  #asked = new Map()
  #count = 0
  #dead = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** @param {FrameOptions} options */
  constructor({ origin, path, told, hear }) {
    this.origin = origin
    this.told = told
    this.hear = hear
    this.node = document.createElement('iframe')
    this.node.src = `${origin}${path}?parent=${encodeURIComponent(window.location.origin)}`
    this.node.addEventListener('load', () => this.#connect())
  }

  /** What the page in the frame answers; an error if it cannot be reached. */
  ask(/** @type {string} */ call, /** @type {object} */ detail = {}) {
    return new Promise((resolve) => {
      if (this.#dead) {
        resolve({ error: unreachable })
        return
      }
      const message = { id: ++this.#count, call, detail }
      this.#asked.set(message.id, { message, resolve })
      this.#port?.postMessage(message)
    })
  }

  close() {
    this.#giveUp()
    this.node.remove()
  }

  /** Each time that the page is loaded: a frame that is moved in its document loads anew. */
  #connect() {
    if (this.#port) this.#settleAll()
    this.#port?.close()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = ({ data }) => this.#receive(data)
    this.node.contentWindow?.postMessage({ sandbox: 'connect', told: this.told() }, this.origin, [port2])
    for (const { message } of this.#asked.values()) port1.postMessage(message)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#giveUp()
      this.hear('loaderror', { error: unreachable })
    }, patience)
  }

  #receive(/** @type {any} */ { id, answer, event, detail }) {
    clearTimeout(this.#timer)
    if (event !== undefined) this.hear(event, detail)
    this.#asked.get(id)?.resolve(answer)
    this.#asked.delete(id)
  }

  #giveUp() {
    this.#dead = true
    clearTimeout(this.#timer)
    this.#port?.close()
    this.#settleAll()
  }

  #settleAll() {
    for (const { resolve } of this.#asked.values()) resolve({ error: unreachable })
    this.#asked.clear()
  }
}
