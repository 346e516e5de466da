import { createCookieSessionStorage, type AppLoadContext } from '@remix-run/cloudflare'
import { Authenticator, AuthorizationError } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { checkPassword, SignIn } from '../store/sign-in.server'
import type { Visitor } from '../store/sign-in'

/**
 * Who the form's email and password prove, by remix-auth's form strategy. remix-auth would keep the user in a session of
 * its own: we take the user, and start a session that can be revoked (R3). Throws the Refusal of `checkPassword`.
 */
export async function authenticateByPassword(
  request: Request,
  context: AppLoadContext,
  { email, password }: SignIn,
): Promise<Visitor> {
  const strategy = new FormStrategy<Visitor>(({ form }) =>
    checkPassword(context, SignIn.parse(Object.fromEntries(form))),
  )
  const formData = new FormData()
  formData.set('email', email)
  formData.set('password', password)
  try {
    // The body was read by the form's parser; the strategy takes the form from its context.
    const bodiless = new Request(request.url, { method: 'POST', headers: request.headers })
    return await authenticator(context)
      .use(strategy)
      .authenticate('form', bodiless, { context: { ...context, formData }, throwOnError: true })
  } catch (error) {
    if (error instanceof AuthorizationError && error.cause) throw error.cause
    throw error
  }
}

function authenticator({ config }: AppLoadContext) {
  return new Authenticator<Visitor>(
    createCookieSessionStorage({
      cookie: {
        name: 'handshake',
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: config.SHOP_ORIGIN.startsWith('https:'),
        maxAge: 600,
        secrets: [config.SESSION_SECRET],
      },
    }),
  )
}
