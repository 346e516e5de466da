import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { z } from 'zod'
import type { PendingSignIn } from '../../store/accounts/second-factor.server'
import { hostCookie, keyFor } from '../keys.server'
import { logSecurityEvent } from '../log.server'

const maxAge = 600

/** A login whose password or Google account was right, while its owner is asked for a code. It is no session. */
function pendingCookie(context: AppLoadContext) {
  return createCookie(hostCookie(context.config.SHOP_ORIGIN, 'second-factor'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: context.config.SHOP_ORIGIN.startsWith('https:'),
    maxAge,
    secrets: [keyFor(context, 'second-factor')],
  })
}

const Pending = z.object({ userId: z.string(), passwordMark: z.string().nullable(), until: z.number() })

export function setPendingSignIn(context: AppLoadContext, pending: PendingSignIn): Promise<string> {
  logSecurityEvent(context, 'code asked', { user: pending.userId })
  return pendingCookie(context).serialize({ ...pending, until: context.now() + maxAge * 1000 })
}

export async function readPendingSignIn(request: Request, context: AppLoadContext): Promise<PendingSignIn | null> {
  // A malformed cookie throws.
  const value: unknown = await pendingCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)
  const pending = Pending.safeParse(value)
  return pending.success && pending.data.until > context.now() ? pending.data : null
}

export function clearPendingSignIn(context: AppLoadContext): Promise<string> {
  return pendingCookie(context).serialize('', { maxAge: 0 })
}
