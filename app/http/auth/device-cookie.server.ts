import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { hashSecret, newId } from '../../store/ids.server'
import type { SignInOrigin } from '../../store/accounts/sign-in.server'

/*
 * A browser that has signed in to an account carries a signed cookie that says so. Guesses at that account from elsewhere
 * can then not lock it out (OWASP: "device cookies").
 */

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

/**
 * The network address of whoever asks, as Cloudflare tells it: what a client says of itself (X-Forwarded-For) is not heard.
 * Of an IPv6 address the first 64 bits, since whoever has one has all that share them.
 */
export function clientIp(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'unknown'
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  const all = [...groups, ...Array<string>(Math.max(missing, 0)).fill('0'), ...(tail?.split(':') ?? [])]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}

/** Where a try to sign in to this account comes from. */
export async function signInOrigin(request: Request, context: AppLoadContext, email: string): Promise<SignInOrigin> {
  // A cookie that cannot even be read throws: nobody may be kept from signing in by it.
  const known: unknown = await deviceCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)
  const [account, browser] = typeof known === 'string' ? known.split('.') : []
  const isKnown = browser !== undefined && account === (await hashSecret(email))
  return { address: clientIp(request), device: isKnown ? browser : null }
}

/** The header by which this browser, under an id of its own, is known to have signed in to this account. */
export async function setDeviceCookie(context: AppLoadContext, email: string): Promise<string> {
  return deviceCookie(context).serialize(`${await hashSecret(email)}.${newId()}`)
}
