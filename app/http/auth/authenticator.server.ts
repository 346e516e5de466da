import { createCookieSessionStorage, type AppLoadContext, type SessionStorage } from '@remix-run/cloudflare'
import { Authenticator, AuthorizationError } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { Google, newProof } from '../../gateways/google.server'
import type { VerifiedIdentity } from '../../store/deps'
import { newSecret } from '../../store/ids.server'
import { checkPassword, SignIn, type SignInOrigin, type ProvenVisitor } from '../../store/accounts/sign-in.server'
import type { GooglePage } from '../../ui/auth/google-button'

// Without remix-auth's own session, which would store the user in a cookie that cannot be revoked (R3).

export async function authenticateByPassword(
  request: Request,
  context: AppLoadContext,
  { email, password }: SignIn,
  from: SignInOrigin,
): Promise<ProvenVisitor> {
  const strategy = new FormStrategy<ProvenVisitor>(({ form }) =>
    checkPassword(context, SignIn.parse(Object.fromEntries(form)), from),
  )
  const formData = new FormData()
  formData.set('email', email)
  formData.set('password', password)
  try {
    const bodiless = new Request(request.url)
    return await new Authenticator<ProvenVisitor>(handshakes(context))
      .use(strategy)
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
  const google = await googleOf(context, storage, verifier)
  try {
    await google.authenticate('google', new Request(request.url, { headers }), { throwOnError: true })
  } catch (thrown) {
    if (thrown instanceof Response) return new Response(null, { status: 303, headers: thrown.headers })
    throw thrown
  }
  throw new Error('remix-auth did not redirect to Google')
}

/** `identity` is null if the handshake is invalid or Google refuses. The handshake works once: send `clearCookie`. */
export async function finishGoogle(request: Request, context: AppLoadContext) {
  const storage = handshakes(context)
  // A malformed cookie throws.
  const handshake = await storage.getSession(request.headers.get('cookie')).catch(() => storage.getSession())
  const redirectTo: unknown = handshake.get('redirectTo')
  const verifier: unknown = handshake.get('verifier')
  const page: GooglePage = handshake.get('page') === 'register' ? 'register' : 'login'
  const clearCookie = await storage.destroySession(handshake)
  const failure = { identity: null, page, redirectTo: null, clearCookie }
  if (typeof verifier !== 'string' || typeof redirectTo !== 'string') return failure
  try {
    const google = await googleOf(context, storage, verifier)
    const identity = await google.authenticate('google', request, { throwOnError: true })
    return { identity, page, redirectTo, clearCookie }
  } catch (error) {
    // The page only says that it failed; the reason is for the log.
    console.warn(context.requestId, 'Google sign-in:', error instanceof Error ? error.message : error)
    return { ...failure, redirectTo }
  }
}

async function googleOf({ config, origin }: AppLoadContext, storage: SessionStorage, verifier: string) {
  const account = {
    clientId: config.GOOGLE_CLIENT_ID,
    clientSecret: config.GOOGLE_CLIENT_SECRET,
    url: config.GOOGLE_URL,
    shopOrigin: origin,
  }
  return new Authenticator<VerifiedIdentity>(storage).use(new Google(account, await newProof(verifier)))
}

function handshakes({ config }: AppLoadContext): SessionStorage {
  return createCookieSessionStorage({
    cookie: {
      name: 'handshake',
      path: '/',
      httpOnly: true,
      // Lax: the redirect back comes from Google's site.
      sameSite: 'lax',
      secure: config.SHOP_ORIGIN.startsWith('https:'),
      maxAge: 600,
      secrets: [config.SESSION_SECRET],
    },
  })
}

function cookiePair(setCookie: string): string {
  return setCookie.split(';')[0]!
}
