import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { shopName } from '../../../shop-name'

/* RFC 6238 with what every authenticator app takes: HMAC-SHA-1, 30 seconds, six digits. */

const stepMs = 30_000

/** As long as the result of SHA-1, as RFC 4226 recommends. */
export function newTotpSecret(): Buffer {
  return randomBytes(20)
}

/** For the QR code. */
export function totpUri(secret: Buffer, email: string): string {
  const issuer = encodeURIComponent(shopName)
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${base32(secret)}&issuer=${issuer}`
}

/** The time step whose code this is, the current one or a neighbour; else null. */
export function stepOf(secret: Buffer, code: string, now: number): number | null {
  const current = Math.floor(now / stepMs)
  const steps = [current - 1, current, current + 1]
  return steps.find((step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) ?? null
}

function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Without padding: RFC 4648. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
