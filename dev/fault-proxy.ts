import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs once: before request number `at` is forwarded, or before its response is returned. */
export interface Interruption {
  at: number
  side: 'before' | 'after'
  run: () => Promise<void>
}

export interface ProxyFault {
  kind: 'status' | 'reset' | 'garbage' | 'silence'
  status?: number
  side: 'before' | 'after'
  next: number
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
      this.requests.push(`${name} ${method} ${url}`)
      const interruption = this.interruption?.at === this.requests.length ? this.interruption : null
      if (interruption?.side === 'before') {
        await interruption.run()
        outgoing.destroy()
        return
      }
      const fault = this.fault && this.fault.next-- > 0 ? this.fault : null
      if (fault?.side === 'before') {
        fail(fault, outgoing)
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
      this.onResponse(name, body, bytes)
      if (interruption) {
        await interruption.run()
        outgoing.destroy()
        return
      }
      if (fault) {
        fail(fault, outgoing)
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

function fail({ kind, status = 500 }: ProxyFault, outgoing: ServerResponse): void {
  if (kind === 'reset') outgoing.destroy()
  else if (kind === 'garbage') outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>It works!</html>')
  else if (kind === 'status') outgoing.writeHead(status, { 'content-type': 'text/plain' }).end('Something is wrong.')
}
