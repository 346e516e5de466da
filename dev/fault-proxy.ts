import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs once: before request number `at` is forwarded, or before its response is returned. */
export interface Interruption {
  at: number
  side: 'before' | 'after'
  run: () => Promise<void>
}

export interface ProxyFault {
  /** `full`: what sqld says when its disk is full. */
  kind: 'status' | 'reset' | 'garbage' | 'silence' | 'full'
  status?: number
  side: 'before' | 'after'
  next: number
  /** Only requests whose body has this text. */
  only?: string
}

export class FaultProxy {
  readonly requests: string[] = []
  interruption: Interruption | null = null
  fault: ProxyFault | null = null
  onResponse: (name: string, request: Buffer, response: Buffer) => void = () => undefined
  private readonly servers: ReturnType<typeof createServer>[] = []

  async open(name: string, target: () => string): Promise<string> {
    const server = createServer((incoming, outgoing) => void this.forward(name, target(), incoming, outgoing))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  close(): void {
    for (const server of this.servers) {
      server.close()
      server.closeAllConnections()
    }
  }

  private async forward(name: string, target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
    try {
      const body = Buffer.concat((await incoming.toArray()) as Buffer[])
      const { method = 'GET', url = '/', headers } = incoming
      // The Worker asks for the settings once a second, beside whatever it does.
      const isBeside = body.includes('settings_versions AS newest')
      if (!isBeside) this.requests.push(`${name} ${method} ${url}`)
      const interruption = !isBeside && this.interruption?.at === this.requests.length ? this.interruption : null
      if (interruption?.side === 'before') {
        await interruption.run()
        outgoing.destroy()
        return
      }
      const isMeant = !isBeside && body.includes(this.fault?.only ?? '')
      const fault = this.fault && isMeant && this.fault.next-- > 0 ? this.fault : null
      if (fault?.side === 'before') {
        fail(fault, outgoing, body)
        return
      }
      const requestHeaders = Object.entries(headers).filter(
        ([key]) => !['host', 'connection', 'content-length'].includes(key),
      )
      const response = await fetch(target + url, {
        method,
        headers: requestHeaders as [string, string][],
        redirect: 'manual',
        ...(body.length > 0 ? { body } : {}),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      if (!isBeside) this.onResponse(name, body, bytes)
      if (interruption) {
        await interruption.run()
        outgoing.destroy()
        return
      }
      if (fault) {
        fail(fault, outgoing, body)
        return
      }
      // fetch has decompressed the bytes.
      const responseHeaders = [...response.headers].filter(
        ([key]) => !['content-encoding', 'content-length'].includes(key),
      )
      outgoing.writeHead(response.status, Object.fromEntries(responseHeaders)).end(bytes)
    } catch {
      outgoing.destroy()
    }
  }
}

function fail({ kind, status = 500 }: ProxyFault, outgoing: ServerResponse, body: Buffer): void {
  if (kind === 'reset') outgoing.destroy()
  else if (kind === 'garbage') outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>It works!</html>')
  else if (kind === 'status') outgoing.writeHead(status, { 'content-type': 'text/plain' }).end('Something is wrong.')
  else if (kind === 'full') {
    const { requests } = JSON.parse(body.toString()) as { requests: { type: string }[] }
    const results = requests.map(({ type }) =>
      type === 'close' ? { type: 'ok', response: { type } } : { type: 'error', error: diskFull },
    )
    outgoing
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ baton: null, base_url: null, results }))
  }
}

/** Seen with sqld 0.24 on a full disk. */
const diskFull = { message: 'SQLite error: disk I/O error', code: 'SQLITE_IOERR' }
