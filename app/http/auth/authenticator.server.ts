import { createCookieSessionStorage, type AppLoadContext, type SessionStorage } from '@remix-run/cloudflare'
import { Authenticator, AuthorizationError } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { Google, GoogleOutage, newProof } from '../../gateways/google.server'
import type { VerifiedIdentity } from '../../store/deps'
import { hashSecret, newSecret } from '../../store/shared/ids.server'
import { Refusal } from '../../store/shared/refusal'
import { hostCookie, keyFor } from '../keys.server'
import { logError } from '../log.server'
import type { GooglePage } from '../../ui/auth/google-button'

// Without remix-auth's own session, which would store the user in a cookie that cannot be revoked (R3).

/** Runs `verify` as remix-auth's form strategy (R45), on input that `submit` has parsed. Throws what `verify` throws. */
export async function authenticateForm<Result>(
  request: Request,
  context: AppLoadContext,
  input: Record<string, string | undefined>,
  verify: (input: Record<string, FormDataEntryValue>) => Promise<Result>,
): Promise<Result> {
  const formData = new FormData()
  for (const [name, value] of Object.entries(input)) if (value !== undefined) formData.set(name, value)
  try {
    const bodiless = new Request(request.url)
    return await new Authenticator<Result>(handshakes(context))
      .use(new FormStrategy<Result>(({ form }) => verify(Object.fromEntries(form))))
      .authenticate('form', bodiless, { context: { ...context, formData }, throwOnError: true })
  } catch (error) {
    if (error instanceof AuthorizationError && error.cause) throw error.cause
    throw error
  }
}

interface GoogleStart {
  page: GooglePage
  redirectTo: string
}

export const hasGoogle = ({ config }: Pick<AppLoadContext, 'config'>): boolean => Boolean(config.GOOGLE_CLIENT_ID)

export function requireGoogle(context: AppLoadContext): void {
  if (!hasGoogle(context)) throw new Response(null, { status: 404 })
}

export async function beginGoogle(
  request: Request,
  context: AppLoadContext,
  { page, redirectTo }: GoogleStart,
): Promise<Response> {
  const storage = handshakes(context)
  const handshake = await storage.getSession()
  const verifier = newSecret()
  handshake.set('verifier', verifier)
  handshake.set('page', page)
  handshake.set('redirectTo', redirectTo)
  const headers = new Headers({ cookie: cookiePair(await storage.commitSession(handshake)) })
  const google = await googleOf(context, storage, verifier, () => Promise.resolve(null))
  try {
    await google.authenticate('google', new Request(request.url, { headers }), { throwOnError: true })
  } catch (thrown) {
    if (thrown instanceof Response) return new Response(null, { status: 303, headers: thrown.headers })
    throw thrown
  }
  throw new Error('remix-auth did not redirect to Google')
}

/** An error of `verify`, which remix-auth would otherwise mix up with those of the handshake. */
class VerifyError extends Error {}

/**
 * `user` is what `verify` makes of Google's identity; null if `verify` or Google refuses or the handshake is invalid.
 * `verify` gets an id of the handshake, so that it can refuse a second use; send `clearCookie` as well.
 */
export async function finishGoogle<Result>(
  request: Request,
  context: AppLoadContext,
  verify: (identity: VerifiedIdentity, handshake: string) => Promise<Result>,
) {
  const storage = handshakes(context)
  // A malformed cookie throws.
  const handshake = await storage.getSession(request.headers.get('cookie')).catch(() => storage.getSession())
  const redirectTo: unknown = handshake.get('redirectTo')
  const verifier: unknown = handshake.get('verifier')
  const page: GooglePage = handshake.get('page') === 'register' ? 'register' : 'login'
  const clearCookie = await storage.destroySession(handshake)
  const failure = { user: null, refusal: null, isOutage: false, page, redirectTo: null, clearCookie }
  if (typeof verifier !== 'string' || typeof redirectTo !== 'string') return failure
  try {
    const handshakeId = await hashSecret(verifier)
    const google = await googleOf(context, storage, verifier, (identity) => verify(identity, handshakeId))
    const user = await google.authenticate('google', request, { throwOnError: true })
    return { user, refusal: null, isOutage: false, page, redirectTo, clearCookie }
  } catch (error) {
    if (error instanceof AuthorizationError && error.cause instanceof VerifyError) {
      const { cause } = error.cause
      if (cause instanceof Refusal) return { ...failure, refusal: cause, redirectTo }
      throw cause
    }
    // The page only says that it failed; the reason is for the log.
    logError('warn', 'Google sign-in failed', error, { code: 'google', requestId: context.requestId })
    const isOutage = error instanceof AuthorizationError && error.cause instanceof GoogleOutage
    return { ...failure, isOutage, redirectTo }
  }
}

async function googleOf<Result>(
  { config, origin }: AppLoadContext,
  storage: SessionStorage,
  verifier: string,
  verify: (identity: VerifiedIdentity) => Promise<Result>,
) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_URL: url } = config
  if (!clientId || !clientSecret) throw new Error('This shop has no keys of Google')
  const account = { clientId, clientSecret, url, shopOrigin: origin }
  const verifyIdentity = (identity: VerifiedIdentity) =>
    verify(identity).catch((error: unknown) => {
      throw new VerifyError('verify refused', { cause: error })
    })
  // A random key: remix-auth answers with a user that it finds in the session, before it looks at state or code.
  const options = { sessionKey: newSecret() }
  return new Authenticator<Result>(storage, options).use(new Google(account, await newProof(verifier), verifyIdentity))
}

function handshakes(context: AppLoadContext): SessionStorage {
  return createCookieSessionStorage({
    cookie: {
      name: hostCookie(context.config.SHOP_ORIGIN, 'handshake'),
      path: '/',
      httpOnly: true,
      // Lax: the redirect back comes from Google's site.
      sameSite: 'lax',
      secure: context.config.SHOP_ORIGIN.startsWith('https:'),
      maxAge: 600,
      secrets: [keyFor(context, 'handshake')],
    },
  })
}

function cookiePair(setCookie: string): string {
  return setCookie.split(';')[0]!
}
