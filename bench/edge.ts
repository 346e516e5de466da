import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, constants } from 'node:zlib'

/** Compresses like the edge of a deployed Worker. `linked` serves the stylesheet as a file of its own, to compare. */
export class Edge {
  private readonly server: Server
  private target = ''
  private styles = ''

  private constructor(private readonly linked: boolean) {
    this.server = createServer(
      (incoming, outgoing) => void this.forward(incoming, outgoing).catch(() => outgoing.destroy()),
    )
  }

  static async open({ linked = false } = {}): Promise<Edge> {
    const edge = new Edge(linked)
    await new Promise<void>((resolve) => edge.server.listen(0, '127.0.0.1', resolve))
    return edge
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  setTarget(origin: string): void {
    this.target = origin
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  private async forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.url === stylesPath) {
      send(outgoing, 200, { 'content-type': 'text/css', 'cache-control': forGood }, Buffer.from(this.styles), 11)
      return
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { method, headers } = incoming
      // A compressed answer cannot be rewritten.
      if (this.linked) delete headers['accept-encoding']
      const request = ask(this.target + (incoming.url ?? '/'), { method, headers }, resolve)
      request.once('error', reject)
      incoming.pipe(request)
    })
    let body = await buffer(response)
    const headers = { ...response.headers }
    delete headers['transfer-encoding']
    if (this.linked && headers['content-type']?.includes('html')) {
      delete headers['content-security-policy']
      body = Buffer.from(body.toString().replace(/<style>(.*?)<\/style>/s, (_, css: string) => this.link(css)))
    }
    send(outgoing, response.statusCode!, headers, body, incoming.url!.startsWith('/assets/') ? 11 : 4)
  }

  private link(css: string): string {
    this.styles = css
    return `<link rel="stylesheet" href="${stylesPath}">`
  }
}

const stylesPath = '/assets/styles.css'
const forGood = 'public, max-age=31536000, immutable'
const text = /^(text\/|image\/svg|application\/(json|speculationrules))/

function send(
  outgoing: ServerResponse,
  status: number,
  headers: NodeJS.Dict<string | string[]>,
  body: Buffer,
  quality: number,
) {
  const isText = !headers['content-encoding'] && text.test(String(headers['content-type']))
  const bytes = isText ? brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }) : body
  const encoded = isText && body.length > 0 ? { 'content-encoding': 'br' } : {}
  outgoing.writeHead(status, { ...headers, ...encoded, 'content-length': body.length > 0 ? bytes.length : 0 })
  outgoing.end(body.length > 0 ? bytes : undefined)
}
