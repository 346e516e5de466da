import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from './json-response'

interface ServerOptions {
  port: number
  handle: (request: Request) => Promise<Response>
  log: (line: string) => void
}

const maxBytes = 1024 * 1024
const graceMs = 500

export async function startServer({
  port,
  handle,
  log,
}: ServerOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => void exchange(incoming, outgoing))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isPortInUse = error.code === 'EADDRINUSE'
      if (isPortInUse) error.message = `The sandbox cannot start: port ${port} is taken. SANDBOX_PORT chooses another.`
      reject(error)
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const body = await readBody(incoming)
      if (body === null) {
        const message = `The body is longer than ${maxBytes} bytes.`
        await send(json(413, { error: { type: 'invalid_request_error', message } }, { connection: 'close' }), outgoing)
        // Drain the body: the client would miss a response to a request that is cut off.
        incoming.resume()
        return
      }
      await send(refusalOf(incoming) ?? (await handle(toRequest(incoming, url, body))), outgoing)
    } catch (error) {
      if (incoming.destroyed && !incoming.complete) return
      log(`sandbox: ${incoming.method} ${incoming.url} threw ${error instanceof Error ? error.stack : String(error)}`)
      const message = 'The sandbox has a bug; its log says more.'
      if (!outgoing.headersSent) await send(json(500, { error: { type: 'api_error', message } }), outgoing)
    }
  }

  let stopping: Promise<void> | undefined
  function close(): Promise<void> {
    return new Promise((resolve) => {
      // Idle keep-alive connections and hanging faults would keep the server open for ever.
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
      server.close(() => {
        clearTimeout(deadline)
        resolve()
      })
      server.closeIdleConnections()
    })
  }
  return { url, stop: () => (stopping ??= close()) }
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i

/** A web page reaches this server by a form, or by a name of its own that it points at 127.0.0.1 (DNS rebinding). */
function refusalOf({ method = 'GET', headers: { host = '', origin } }: IncomingMessage): Response | null {
  if (!loopback.test(host)) return refusal(421, `The sandbox serves this machine only, and not the host "${host}".`)
  if (safeMethods.includes(method) || origin === undefined || isLoopback(origin)) return null
  return refusal(403, `The sandbox refuses ${method} from pages of "${origin}".`)
}

/** `null` is the origin of a sandboxed frame, which may hold any page. */
function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && loopback.test(new URL(origin).host)
}

function refusal(status: number, message: string): Response {
  return json(status, { error: { type: 'invalid_request_error', message } })
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toRequest({ method = 'GET', url = '/', headers }: IncomingMessage, origin: string, body: Buffer): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return new Request(new URL(url.replace(/^\/+/, '/'), origin), {
    method: method === 'HEAD' ? 'GET' : method,
    headers: pairs,
    body: method === 'GET' || method === 'HEAD' ? undefined : new Uint8Array(body),
  })
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  if (response.type === 'error') {
    outgoing.destroy()
    return
  }
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.length })
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body)
}
