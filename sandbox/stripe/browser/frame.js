// @ts-check
/* global document, window, MessageChannel, setTimeout, clearTimeout */

export const unreachable = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection.',
}

const patience = 10_000

/** @typedef {{ origin: string, path: string, told: () => object, hear: (event: string, detail: any) => void }} FrameOptions */
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

  /** Runs on every load: a frame that moves in its document loads again. */
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
