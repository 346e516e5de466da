import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { hashSecret, newId } from '../../store/ids.server'
import type { SignInOrigin } from '../../store/accounts/sign-in.server'

// OWASP "device cookies": password guesses from elsewhere cannot lock out a browser that has signed in before.

function deviceCookie({ config }: AppLoadContext) {
  return createCookie('known', {
    path: '/login',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.SHOP_ORIGIN.startsWith('https:'),
    maxAge: 180 * 24 * 60 * 60,
    secrets: [config.SESSION_SECRET],
  })
}

/** Not X-Forwarded-For, which clients can forge. Of IPv6 the /64 prefix: one client owns all of it. */
export function clientIp(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'unknown'
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  const allGroups = [...groups, ...Array<string>(Math.max(missing, 0)).fill('0'), ...(tail?.split(':') ?? [])]
  return allGroups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}

export async function signInOrigin(request: Request, context: AppLoadContext, email: string): Promise<SignInOrigin> {
  // A malformed cookie throws; it must not prevent signing in.
  const value: unknown = await deviceCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)
  const [account, browser] = typeof value === 'string' ? value.split('.') : []
  const isSameAccount = browser !== undefined && account === (await hashSecret(email))
  return { address: clientIp(request), device: isSameAccount ? browser : null }
}

export async function setDeviceCookie(context: AppLoadContext, email: string): Promise<string> {
  return deviceCookie(context).serialize(`${await hashSecret(email)}.${newId()}`)
}
