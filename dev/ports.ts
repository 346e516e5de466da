import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that the system hands out by itself, also to connections that go out. */
const [lowest, highest] = [20_000, 32_000]

let next = randomInt(lowest, highest)

/**
 * A port that nobody listens on. One after the other from a place of chance, and not whichever the system would give: that is given
 * to somebody else as soon as it is let go, and between finding a port and listening on it others find theirs.
 */
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
