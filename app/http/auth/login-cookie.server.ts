import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { hostCookie, keyFor } from '../keys.server'

/** In seconds. */
export const loginCookieMaxAge = 600

/** A signed cookie for what waits during a login. `name` is the purpose of its key as well. */
export function loginCookie(context: AppLoadContext, name: 'google-join' | 'second-factor' | 'passkey') {
  const origin = context.config.SHOP_ORIGIN
  const cookie = createCookie(hostCookie(origin, name), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
    maxAge: loginCookieMaxAge,
    secrets: [keyFor(context, name)],
  })
  return {
    set: (value: object): Promise<string> => cookie.serialize(value),
    clear: (): Promise<string> => cookie.serialize('', { maxAge: 0 }),
    /** A malformed cookie throws. */
    read: (request: Request): Promise<unknown> => cookie.parse(request.headers.get('cookie')).catch(() => null),
  }
}
