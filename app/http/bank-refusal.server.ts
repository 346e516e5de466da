import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { secureCookie } from './keys.server'

/** That the bank has refused a payment: for the next load of that payment page, so that Back or a later visit does not repeat it. */
export function bankRefusal({ origin }: Pick<AppLoadContext, 'origin'>, path: string) {
  const cookie = createCookie(secureCookie(origin, 'bank-refusal'), {
    path,
    httpOnly: true,
    // Lax: the redirect comes from the bank's site.
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
    // Who has been signed out meanwhile logs in first.
    maxAge: 600,
  })
  return {
    set: (): Promise<string> => cookie.serialize(true),
    clear: (): Promise<string> => cookie.serialize('', { maxAge: 0 }),
    isIn: async (request: Request): Promise<boolean> =>
      (await cookie.parse(request.headers.get('cookie')).catch(() => null)) === true,
  }
}
