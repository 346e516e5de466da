import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { joinIdentity } from '../../store/accounts/google-sign-in.server'
import type { User } from '../../store/accounts/sign-in'
import type { VerifiedIdentity } from '../../store/deps'
import { hostCookie, keyFor } from '../keys.server'

/** The Google identity that waits, while its owner is asked for the password of the account with the same email. */
function joinCookie(context: AppLoadContext) {
  return createCookie(hostCookie(context.config.SHOP_ORIGIN, 'google-join'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: context.config.SHOP_ORIGIN.startsWith('https:'),
    maxAge: 600,
    secrets: [keyFor(context, 'google-join')],
  })
}

export function setJoinCookie(context: AppLoadContext, identity: VerifiedIdentity): Promise<string> {
  return joinCookie(context).serialize(identity)
}

/** For a login with the password on the page that asks for it (`?google=join`). True if a Google account is linked now. */
export async function joinGoogle(request: Request, context: AppLoadContext, user: User): Promise<boolean> {
  if (new URL(request.url).searchParams.get('google') !== 'join') return false
  // A malformed cookie throws.
  const identity = (await joinCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)) as VerifiedIdentity | null
  if (identity?.email.toLowerCase() !== user.email) return false
  await joinIdentity(context, user, { ...identity, email: user.email })
  return true
}
