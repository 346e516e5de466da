import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * What an authenticator app shows for the secret, `steps` half minutes from now. Shares no code with the shop.
 * The shop takes the code of now and of the next half minute, however slow the test: the one before can be too old.
 */
export function appCode(secret: string, { at = Date.now(), steps = 0 } = {}): string {
  const letters = secret.match(/\w/g)!
  const number = letters.reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n)
  const key = Buffer.from(number.toString(16).padStart((letters.length * 5) / 4, '0'), 'hex')
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at / 30_000) + steps, 4)
  const mac = createHmac('sha1', key).update(counter).digest()
  const start = mac.at(-1)! % 16
  return String((mac.readUInt32BE(start) % 2 ** 31) % 1_000_000).padStart(6, '0')
}
