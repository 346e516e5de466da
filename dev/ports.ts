import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral range, so that outgoing connections do not take them. */
const [minPort, maxPort] = [20_000, 32_000]

let next = randomInt(minPort, maxPort)

/** Counts up from a random start: a port from the system could go to another process before we listen on it. */
export async function freePort(): Promise<number> {
  for (let tries = minPort; tries < maxPort; tries++) {
    const port = next
    next = port + 1 < maxPort ? port + 1 : minPort
    if (await isFree(port)) return port
  }
  throw new Error(`Every port from ${minPort} to ${maxPort} is taken.`)
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
