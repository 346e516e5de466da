import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral range, so that outgoing connections do not take them. */
const [lowest, highest] = [20_000, 32_000]

let next = randomInt(lowest, highest)

/** Counts up from a random start: a port from the system could go to another process before we listen on it. */
export async function freePort(): Promise<number> {
  for (let tries = lowest; tries < highest; tries++) {
    const port = next
    next = port + 1 < highest ? port + 1 : lowest
    if (await isFree(port)) return port
  }
  throw new Error(`Every port from ${lowest} to ${highest} is taken.`)
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
