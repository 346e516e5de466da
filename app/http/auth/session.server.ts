import { createCookie, redirectDocument, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import { endSession, type NewSession } from '../../store/accounts/sign-in.server'
import { hostCookie } from '../keys.server'
import { setSessionUser } from './drafts.server'

/** A random secret needs no signature. `__Host-`: no other host and no plain connection can set the cookie. */
export const sessionCookies = ['__Host-session', 'session'] as const

function sessionCookie(origin: string) {
  return createCookie(hostCookie(origin, 'session'), attributes(origin))
}

function attributes(origin: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: origin.startsWith('https:') } as const
}

export async function readSessionCookie(request: Request, origin: string): Promise<string | null> {
  const value: unknown = await sessionCookie(origin).parse(request.headers.get('cookie'))
  return typeof value === 'string' && value !== '' ? value : null
}

export function setSessionCookie(origin: string, session: NewSession): Promise<string> {
  return sessionCookie(origin).serialize(session.secret, { expires: new Date(session.expiresAt) })
}

/** Ends the session from before the sign-in (R3), and marks the next page as the first. */
export async function renewSession(context: AppLoadContext, session: NewSession): Promise<Headers> {
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  const headers = new Headers({ 'set-cookie': await setSessionCookie(context.origin, session) })
  headers.append('set-cookie', await firstPageCookie(context.origin).serialize('1'))
  headers.append('set-cookie', await setSessionUser(context, session))
  return headers
}

/** The first page after sign-in exchanges the session for an access token (R42). */
function firstPageCookie(origin: string) {
  return createCookie(hostCookie(origin, 'first-page'), { ...attributes(origin), maxAge: 600 })
}

export async function takeFirstPage(
  request: Request,
  origin: string,
): Promise<{ isFirst: boolean; clearCookie?: string }> {
  const cookie = firstPageCookie(origin)
  const isFirst = (await cookie.parse(request.headers.get('cookie'))) !== null
  return isFirst ? { isFirst, clearCookie: await cookie.serialize('', { maxAge: 0 }) } : { isFirst }
}

export function clearSessionCookie(origin: string): Promise<string> {
  return sessionCookie(origin).serialize('', { maxAge: 0 })
}

/** Redirects home, where an inline script removes the access token: Clear-Site-Data would drop the copies of pages too. */
export async function signedOut(context: AppLoadContext, cookies: string[] = []): Promise<TypedResponse<never>> {
  const headers = await signedOutHeaders(context)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return redirectDocument('/', { status: 303, headers })
}

export async function signedOutHeaders(context: AppLoadContext): Promise<Headers> {
  const headers = new Headers({ 'set-cookie': await clearSessionCookie(context.origin) })
  headers.append('set-cookie', await signedOutCookie(context.origin).serialize('1'))
  return headers
}

/** The first page after sign-out clears the browser's cache (decision 17). */
function signedOutCookie(origin: string) {
  return createCookie(hostCookie(origin, 'signed-out'), { ...attributes(origin), maxAge: 600 })
}

export const signedOutCookies = ['__Host-signed-out', 'signed-out'] as const

export async function takeSignedOut(
  request: Request,
  origin: string,
): Promise<{ hasSignedOut: boolean; clearCookie?: string }> {
  const cookie = signedOutCookie(origin)
  const hasSignedOut = (await cookie.parse(request.headers.get('cookie'))) === '1'
  return hasSignedOut ? { hasSignedOut, clearCookie: await cookie.serialize('', { maxAge: 0 }) } : { hasSignedOut }
}
