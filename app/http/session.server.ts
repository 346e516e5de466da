import { createCookie, redirectDocument, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import { endSession, type NewSession } from '../store/sign-in.server'

/**
 * The session cookie holds a random secret and nothing else, so it needs no signature. Over https it is a `__Host-`
 * cookie: no other host, and no plain connection, can set it.
 */
export const sessionCookies = ['__Host-session', 'session'] as const

function sessionCookie(origin: string) {
  const secure = origin.startsWith('https:')
  return createCookie(sessionCookies[secure ? 0 : 1], { path: '/', httpOnly: true, sameSite: 'lax', secure })
}

/** The secret of the session that the browser names, or null. */
export async function readSessionCookie(request: Request, origin: string): Promise<string | null> {
  const value: unknown = await sessionCookie(origin).parse(request.headers.get('cookie'))
  return typeof value === 'string' && value !== '' ? value : null
}

/** The header that gives the browser its session. */
export function setSessionCookie(origin: string, session: NewSession): Promise<string> {
  return sessionCookie(origin).serialize(session.secret, { expires: new Date(session.expiresAt) })
}

/**
 * The header that gives the browser the session of whoever has just signed in. The one that it came with ends: nothing of
 * what was before the sign-in is worth anything after it (R3).
 */
export async function renewSession(context: AppLoadContext, session: NewSession): Promise<string> {
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  return setSessionCookie(context.origin, session)
}

/** The header that takes it away. */
export function clearSessionCookie(origin: string): Promise<string> {
  return sessionCookie(origin).serialize('', { maxAge: 0 })
}

/**
 * Home, without the session cookie; and without the access token in the browser's storage, on pages without scripts too.
 * Both are worth nothing by now.
 */
export async function signedOut(context: AppLoadContext): Promise<TypedResponse<never>> {
  const headers = new Headers({ 'set-cookie': await clearSessionCookie(context.origin) })
  headers.set('clear-site-data', '"storage"')
  return redirectDocument('/', { status: 303, headers })
}
