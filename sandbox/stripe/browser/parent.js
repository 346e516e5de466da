// @ts-check
/* global window, location, URLSearchParams */

/** @typedef {Record<string, (detail: any) => unknown>} Calls */

/**
 * Accepts one port from the parent page. Messages from anybody else are ignored.
 * @returns {Promise<{ options: any, emit: (event: string, detail?: object) => void, serve: (calls: Calls) => void }>}
 */
export function connectToParent() {
  const origin = new URLSearchParams(location.search).get('parent')
  return new Promise((resolve) => {
    window.addEventListener('message', function onMessage({ source, origin: from, data, ports: [port] }) {
      if (source !== window.parent || from !== origin || data?.sandbox !== 'connect' || !port) return
      window.removeEventListener('message', onMessage)
      const emit = (/** @type {string} */ event, detail = {}) => port.postMessage({ event, detail })
      emit('hello')
      resolve({ options: data.options, emit, serve: (calls) => serve(port, calls) })
    })
  })
}

function serve(/** @type {MessagePort} */ port, /** @type {Calls} */ calls) {
  port.onmessage = async ({ data: { id, call, detail } }) => {
    let response
    try {
      response = await calls[call]?.(detail)
    } catch (error) {
      response = { error: { type: 'api_error', message: String(error) } }
    }
    port.postMessage({ id, response })
  }
}
