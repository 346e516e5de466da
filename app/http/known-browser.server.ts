import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { hashSecret } from '../store/ids.server'
import type { Origin } from '../store/sign-in.server'

/*
 * A browser that has signed in to an account carries a signed cookie that says so. Guesses at that account from elsewhere
 * can then not lock it out (OWASP: "device cookies").
 */

function knownCookie({ config }: AppLoadContext) {
  return createCookie('known', {
    path: '/login',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.SHOP_ORIGIN.startsWith('https:'),
    maxAge: 180 * 24 * 60 * 60,
    secrets: [config.SESSION_SECRET],
  })
}

/** The network address of whoever asks, as Cloudflare tells it: what a client says of itself (X-Forwarded-For) is not heard. */
export function addressOf(request: Request): string {
  return request.headers.get('cf-connecting-ip') ?? 'unknown'
}

/** Where a try to sign in to this account comes from. */
export async function originOf(request: Request, context: AppLoadContext, email: string): Promise<Origin> {
  const known: unknown = await knownCookie(context).parse(request.headers.get('cookie'))
  return { address: addressOf(request), knownBrowser: known === (await hashSecret(email)) }
}

/** The header by which this browser is known to have signed in to this account. */
export async function rememberBrowser(context: AppLoadContext, email: string): Promise<string> {
  return knownCookie(context).serialize(await hashSecret(email))
}
