import type { AppLoadContext } from '@remix-run/cloudflare'
import { z } from 'zod'
import type { PendingSignIn } from '../../store/accounts/second-factor/second-factor.server'
import { logSecurityEvent } from '../log.server'
import { loginCookie, loginCookieMaxAge } from './login-cookie.server'

const Pending = z.object({ userId: z.string(), passwordMark: z.string().nullable(), until: z.number() })

/** A login whose password or Google account was right, while its owner is asked for a code. It is no session. */
export function setPendingSignIn(context: AppLoadContext, pending: PendingSignIn): Promise<string> {
  logSecurityEvent(context, 'code asked', { user: pending.userId })
  const until = context.now() + loginCookieMaxAge * 1000
  return loginCookie(context, 'second-factor').set({ ...pending, until })
}

export async function readPendingSignIn(request: Request, context: AppLoadContext): Promise<PendingSignIn | null> {
  const pending = Pending.safeParse(await loginCookie(context, 'second-factor').read(request))
  return pending.success && pending.data.until > context.now() ? pending.data : null
}

export function clearPendingSignIn(context: AppLoadContext): Promise<string> {
  return loginCookie(context, 'second-factor').clear()
}
