import type { AppLoadContext } from '@remix-run/cloudflare'
import { joinIdentity } from '../../store/accounts/google-sign-in.server'
import type { User } from '../../store/accounts/sign-in'
import type { VerifiedIdentity } from '../../store/deps'
import { loginCookie } from './login-cookie.server'

/** The Google identity waits, while its owner is asked for the password of the account with the same email. */
export function setJoinCookie(context: AppLoadContext, identity: VerifiedIdentity): Promise<string> {
  return loginCookie(context, 'google-join').set(identity)
}

/** For a login with the password on the page that asks for it (`?google=join`). True if a Google account is linked now. */
export async function joinGoogle(request: Request, context: AppLoadContext, user: User): Promise<boolean> {
  if (new URL(request.url).searchParams.get('google') !== 'join') return false
  const identity = (await loginCookie(context, 'google-join').read(request)) as VerifiedIdentity | null
  if (identity?.email.toLowerCase() !== user.email) return false
  await joinIdentity(context, user, { ...identity, email: user.email })
  return true
}
