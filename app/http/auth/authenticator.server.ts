import { createCookieSessionStorage, type AppLoadContext, type SessionStorage } from '@remix-run/cloudflare'
import { Authenticator, AuthorizationError } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { Google, newProof } from '../../gateways/google.server'
import type { VerifiedIdentity } from '../../store/deps'
import { newSecret } from '../../store/ids.server'
import { checkPassword, SignIn, type SignInOrigin, type ProvenVisitor } from '../../store/accounts/sign-in.server'
import type { GooglePage } from '../../ui/auth/google-button'

/*
 * remix-auth's strategies, without its session: it would keep the user in a cookie. We take the user from it, and start a
 * session that can be revoked (R3).
 */

/** Who the form's email and password prove. Throws the Refusal of `checkPassword`. */
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
    // The body was read by the form's parser; the strategy takes the form from its context.
    const bodiless = new Request(request.url)
    return await new Authenticator<ProvenVisitor>(handshakes(context))
      .use(strategy)
      .authenticate('form', bodiless, { context: { ...context, formData }, throwOnError: true })
  } catch (error) {
    if (error instanceof AuthorizationError && error.cause) throw error.cause
    throw error
  }
}

interface GoogleTrip {
  page: GooglePage
  redirectTo: string
}

/** The answer that takes a browser to Google, with what it needs to come back: state, verifier, where it was and where it was going. */
export async function beginGoogle(
  request: Request,
  context: AppLoadContext,
  { page, redirectTo }: GoogleTrip,
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
  } catch (answer) {
    if (answer instanceof Response) return new Response(null, { status: 303, headers: answer.headers })
    throw answer
  }
  throw new Error('remix-auth did not lead to Google')
}

/**
 * Who came back from Google, where they had been and where they were going; null if they did not come from us, gave up, or Google does not
 * confirm it. `forget` is the header that ends the handshake: it works once.
 */
export async function finishGoogle(request: Request, context: AppLoadContext) {
  const storage = handshakes(context)
  // A cookie that cannot even be read throws: it is none.
  const handshake = await storage.getSession(request.headers.get('cookie')).catch(() => storage.getSession())
  const redirectTo: unknown = handshake.get('redirectTo')
  const verifier: unknown = handshake.get('verifier')
  const page: GooglePage = handshake.get('page') === 'register' ? 'register' : 'login'
  const forget = await storage.destroySession(handshake)
  const nobody = { identity: null, page, redirectTo: null, forget }
  if (typeof verifier !== 'string' || typeof redirectTo !== 'string') return nobody
  try {
    const google = await googleOf(context, storage, verifier)
    const identity = await google.authenticate('google', request, { throwOnError: true })
    return { identity, page, redirectTo, forget }
  } catch (error) {
    // A changed state, a code of somebody else, "no, thanks": the visitor hears that it did not work, the log hears why.
    console.warn(context.requestId, 'Google sign-in:', error instanceof Error ? error.message : error)
    return { ...nobody, redirectTo }
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

/** The signed cookie that lives while a browser is away at Google. */
function handshakes({ config }: AppLoadContext): SessionStorage {
  return createCookieSessionStorage({
    cookie: {
      name: 'handshake',
      path: '/',
      httpOnly: true,
      // Lax, because Google's page is what leads back.
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
