import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** A proxy between the browser and the shop that breaks the line of what the browser sends. */
export class BrokenLine {
  /** Where the line of a POST breaks: `before` it reaches the shop, or `after` the shop has answered. */
  cut: 'before' | 'after' | null = null
  private readonly server = createServer((asked, answer) => this.pass(asked, answer))

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const cut = asked.method === 'POST' ? this.cut : null
    const breakOff = () => void asked.socket.destroy()
    if (cut === 'before') {
      breakOff()
      return
    }
    const { method, headers } = asked
    // A proxy is asked for the whole address.
    const passed = request(asked.url!, { method, headers }, (answered) => {
      if (cut === 'after') {
        breakOff()
        answered.resume()
        return
      }
      answer.writeHead(answered.statusCode!, answered.rawHeaders)
      pipeline(answered, answer, () => undefined)
    })
    passed.on('error', breakOff)
    pipeline(asked, passed, () => undefined)
  }
}
