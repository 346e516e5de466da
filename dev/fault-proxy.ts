import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs once: before request number `at` is forwarded, or before its response is returned. */
export interface Ambush {
  at: number
  side: 'before' | 'after'
  strike: () => Promise<void>
}

export interface LineFault {
  kind: 'status' | 'reset' | 'garbage' | 'silence'
  status?: number
  side: 'before' | 'after'
  next: number
}

export class FaultProxy {
  readonly passed: string[] = []
  ambush: Ambush | null = null
  fault: LineFault | null = null
  watch: (name: string, request: Buffer, answer: Buffer) => void = () => undefined
  private readonly servers: ReturnType<typeof createServer>[] = []

  async door(name: string, target: () => string): Promise<string> {
    const server = createServer((incoming, outgoing) => void this.pass(name, target(), incoming, outgoing))
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

  private async pass(name: string, target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
    try {
      const body = Buffer.concat((await incoming.toArray()) as Buffer[])
      const { method = 'GET', url = '/', headers } = incoming
      this.passed.push(`${name} ${method} ${url}`)
      const ambush = this.ambush?.at === this.passed.length ? this.ambush : null
      if (ambush?.side === 'before') {
        await ambush.strike()
        outgoing.destroy()
        return
      }
      const fault = this.fault && this.fault.next-- > 0 ? this.fault : null
      if (fault?.side === 'before') {
        misbehave(fault, outgoing)
        return
      }
      const kept = Object.entries(headers).filter(([key]) => !['host', 'connection', 'content-length'].includes(key))
      const answer = await fetch(target + url, {
        method,
        headers: kept as [string, string][],
        redirect: 'manual',
        ...(body.length > 0 ? { body } : {}),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      this.watch(name, body, bytes)
      if (ambush) {
        await ambush.strike()
        outgoing.destroy()
        return
      }
      if (fault) {
        misbehave(fault, outgoing)
        return
      }
      // fetch has decompressed the bytes.
      const told = [...answer.headers].filter(([key]) => !['content-encoding', 'content-length'].includes(key))
      outgoing.writeHead(answer.status, Object.fromEntries(told)).end(bytes)
    } catch {
      outgoing.destroy()
    }
  }
}

function misbehave({ kind, status = 500 }: LineFault, outgoing: ServerResponse): void {
  if (kind === 'reset') outgoing.destroy()
  else if (kind === 'garbage') outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>It works!</html>')
  else if (kind === 'status') outgoing.writeHead(status, { 'content-type': 'text/plain' }).end('Something is wrong.')
}
