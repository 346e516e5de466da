import { randomBytes } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id as Stripe makes them: `pi_3f…`. */
export function newId(prefix: string, length = 24): string {
  return prefix + Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}

/** Now, in the seconds that Stripe counts time in. */
export function seconds({ now }: { now: () => number }): number {
  return Math.floor(now() / 1000)
}
