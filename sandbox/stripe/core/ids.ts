import { randomBytes } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function newId(prefix: string, length = 24): string {
  return prefix + Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}

export function seconds({ now }: { now: () => number }): number {
  return Math.floor(now() / 1000)
}
