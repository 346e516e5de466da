import { createHmac } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/cloudflare'

/** One key per purpose: what is signed for one means nothing to another. */
export function keyFor({ config }: Pick<AppLoadContext, 'config'>, purpose: string): string {
  return createHmac('sha256', config.SESSION_SECRET).update(`cadenza: ${purpose}`).digest('base64url')
}

/** `__Host-`: no other host, and no plain connection, can set the cookie. It needs `Path=/`. */
export function hostCookie({ config }: Pick<AppLoadContext, 'config'>, name: string): string {
  return config.SHOP_ORIGIN.startsWith('https:') ? `__Host-${name}` : name
}
