import { randomInt } from 'node:crypto'
import { createServer, isIPv4, type Server } from 'node:net'

/** Below the ephemeral range, so that outgoing connections do not take them. */
const [minPort, maxPort] = [20_000, 26_000]

/** While a process listens here, the port so far below belongs to it: the system frees it whatever the process dies of. */
const reservation = maxPort - minPort
const reservations = new Map<number, Server>()

let next = randomInt(minPort, maxPort)

/** Counts up from a random start. No other process gets the port before we listen on it: it may be long until then. */
export async function freePort(): Promise<number> {
  for (let tries = minPort; tries < maxPort; tries++) {
    const port = next
    next = port + 1 < maxPort ? port + 1 : minPort
    if ((await reserve(port)) && (await isFree(port))) return port
  }
  throw new Error(`Every port from ${minPort} to ${maxPort} is taken.`)
}

function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port + reservation, '127.0.0.1', () => {
      reservations.set(port, server)
      resolve(true)
    })
    server.unref()
  })
}

/** For those who take many, one after the other. */
export function releasePort(port: number): void {
  reservations.get(port)?.close()
  reservations.delete(port)
}

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

/** Where a shop of this origin listens: at the address itself, but for a tunnel or a name at this machine. */
export function listenHost(origin: string): string {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && isIPv4(hostname) ? hostname : '127.0.0.1'
}
