import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export class BrokenLine {
  /**
   * Breaks a POST `before` it reaches the shop, `within` its response or `after` the shop has responded; `stall` never passes on the
   * response.
   */
  cut: 'before' | 'within' | 'after' | 'stall' | null = null
  /** Breaks all other requests too. */
  everything = false
  private readonly server = createServer((incoming, response) => this.pass(incoming, response))

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    const cut = this.everything || incoming.method === 'POST' ? this.cut : null
    const breakOff = () => void incoming.socket.destroy()
    if (cut === 'before') {
      breakOff()
      return
    }
    const { method, headers } = incoming
    // A proxy request has the whole URL. On a connection that was kept, it may meet the shop closing it.
    const passed = request(incoming.url!, { method, headers, agent: false }, (upstream) => {
      if (cut === 'within') {
        response.writeHead(upstream.statusCode!, upstream.rawHeaders)
        upstream.once('data', (bytes: Buffer) => response.write(bytes.subarray(0, bytes.length / 2), breakOff))
        upstream.once('end', breakOff)
        return
      }
      if (cut === 'after') breakOff()
      // From Node 24 on, `pipeline` throws when the browser has left.
      if (cut || response.destroyed) {
        upstream.resume()
        return
      }
      response.writeHead(upstream.statusCode!, upstream.rawHeaders)
      pipeline(upstream, response, () => undefined)
    })
    passed.on('error', (error) => {
      console.error(`The shop could not be reached at ${incoming.url}:`, error)
      breakOff()
    })
    pipeline(incoming, passed, () => undefined)
  }
}
