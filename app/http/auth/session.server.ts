import { createCookie, redirectDocument, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import { endSession, type NewSession } from '../../store/accounts/sign-in.server'

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
 * The headers that give the browser the session of whoever has just signed in. The one that it came with ends: nothing of
 * what was before the sign-in is worth anything after it (R3). A second cookie marks the page that is loaded next.
 */
export async function renewSession(context: AppLoadContext, session: NewSession): Promise<Headers> {
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  const headers = new Headers({ 'set-cookie': await setSessionCookie(context.origin, session) })
  headers.append('set-cookie', await firstPageCookie(context.origin).serialize('1'))
  return headers
}

/** There from sign-in to the first page after it, which exchanges the session for an access token (R42). */
function firstPageCookie(origin: string) {
  const secure = origin.startsWith('https:')
  return createCookie('first-page', { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: 600 })
}

/** Whether this is the first page after sign-in, and the header that says that the next is not. */
export async function takeFirstPage(request: Request, origin: string): Promise<{ isFirst: boolean; forget?: string }> {
  const cookie = firstPageCookie(origin)
  const isFirst = (await cookie.parse(request.headers.get('cookie'))) !== null
  return isFirst ? { isFirst, forget: await cookie.serialize('', { maxAge: 0 }) } : { isFirst }
}

/** The header that takes it away. */
export function clearSessionCookie(origin: string): Promise<string> {
  return sessionCookie(origin).serialize('', { maxAge: 0 })
}

/**
 * Home, without the session cookie; and without the access token in the browser's storage, on pages without scripts too.
 * Both are worth nothing by now. A second cookie marks the page that is loaded next.
 */
export async function signedOut(context: AppLoadContext): Promise<TypedResponse<never>> {
  const headers = new Headers({ 'set-cookie': await clearSessionCookie(context.origin) })
  headers.append('set-cookie', await signedOutCookie(context.origin).serialize('1'))
  headers.set('clear-site-data', '"storage"')
  return redirectDocument('/', { status: 303, headers })
}

/** There from sign-out to the first page after it, which makes the browser forget the pages before. */
function signedOutCookie(origin: string) {
  const secure = origin.startsWith('https:')
  return createCookie(signedOutName, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: 600 })
}

export const signedOutName = 'signed-out'

/** Whether this is the first page after sign-out, and the header that says that the next is not. */
export async function takeSignedOut(
  request: Request,
  origin: string,
): Promise<{ hasSignedOut: boolean; ends?: string }> {
  const cookie = signedOutCookie(origin)
  const hasSignedOut = (await cookie.parse(request.headers.get('cookie'))) === '1'
  return hasSignedOut ? { hasSignedOut, ends: await cookie.serialize('', { maxAge: 0 }) } : { hasSignedOut }
}
