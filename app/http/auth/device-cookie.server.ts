import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { keyFor, secureCookie } from '../keys.server'
import { clientIp } from './client-ip'
import { hashSecret, newId } from '../../store/shared/ids.server'
import { passwordMark, type SignInOrigin } from '../../store/accounts/sign-in.server'

// OWASP "device cookies": password guesses from elsewhere cannot lock out a browser that has signed in before.

function deviceCookie(context: AppLoadContext) {
  const { SHOP_ORIGIN: origin } = context.config
  return createCookie(secureCookie(origin, 'known'), {
    path: '/login',
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
    maxAge: 180 * 24 * 60 * 60,
    secrets: [keyFor(context, 'device')],
  })
}

/** `account`: the hash of its email. */
export async function readDevice(
  request: Request,
  context: AppLoadContext,
): Promise<(SignInOrigin['device'] & { account: string }) | null> {
  // A malformed cookie throws; it must not prevent signing in.
  const value: unknown = await deviceCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)
  const [account, id, mark] = typeof value === 'string' ? value.split('.') : []
  return account !== undefined && id !== undefined && mark !== undefined ? { account, id, passwordMark: mark } : null
}

export async function signInOrigin(request: Request, context: AppLoadContext, email: string): Promise<SignInOrigin> {
  const device = await readDevice(request, context)
  return { ip: clientIp(request), device: device?.account === (await hashSecret(email)) ? device : null }
}

/** It ends with the password: whoever knew the old one must not keep it. */
export async function setDeviceCookie(
  context: AppLoadContext,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<string> {
  return deviceCookie(context).serialize(`${await hashSecret(email)}.${newId()}.${await passwordMark(passwordHash)}`)
}
