import { createHmac } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/cloudflare'

/** Deriving one in each request was 3.6 % of the Worker's CPU for an order. */
const keys = new Map<string, string>()

/** One key per purpose: what is signed for one means nothing to another. */
export function keyFor({ config }: Pick<AppLoadContext, 'config'>, purpose: string): string {
  const name = `${config.SESSION_SECRET} ${purpose}`
  const key =
    keys.get(name) ?? createHmac('sha256', config.SESSION_SECRET).update(`cadenza: ${purpose}`).digest('base64url')
  keys.set(name, key)
  return key
}

/** `__Host-`: no other host, and no plain connection, can set the cookie. It needs `Path=/`. */
export function hostCookie(origin: string, name: string): string {
  return origin.startsWith('https:') ? `__Host-${name}` : name
}

/** For a cookie of one path, which `__Host-` forbids. */
export function secureCookie(origin: string, name: string): string {
  return origin.startsWith('https:') ? `__Secure-${name}` : name
}
