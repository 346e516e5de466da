import { redirectDocument, type AppLoadContext } from '@remix-run/cloudflare'
import { finishSignIn, type PendingSignIn } from '../../store/accounts/second-factor/second-factor.server'
import type { User } from '../../store/accounts/sign-in'
import {
  passwordMark,
  SignIn,
  startSession,
  verifyPassword,
  type NewSession,
} from '../../store/accounts/sign-in.server'
import { logSecurityEvent } from '../log.server'
import { authenticateForm } from './authenticator.server'
import { readDevice, setDeviceCookie, signInOrigin } from './device-cookie.server'
import { clearPendingSignIn, setPendingSignIn } from './pending-sign-in.server'
import { renewSession } from './session.server'

/**
 * Starts a session of whoever has this password; `headers` set its cookies. Where a second factor is on, redirects to the page that
 * asks for the code, with the same query.
 */
export async function logIn(
  request: Request,
  context: AppLoadContext,
  input: SignIn,
): Promise<{ user: User; headers: Headers }> {
  const from = await signInOrigin(request, context, input.email)
  const { user, forgive } = await authenticateForm(request, context, input, (form) =>
    verifyPassword(context, SignIn.parse(form), from),
  )
  if (user.hasSecondFactor) {
    await forgive
    const pending = { userId: user.id, passwordMark: await passwordMark(user.passwordHash) }
    throw redirectDocument(`/login/code${new URL(request.url).search}`, {
      status: 303,
      headers: { 'set-cookie': await setPendingSignIn(context, pending) },
    })
  }
  const session = await startSession(context, user, userAgentOf(request), { also: forgive })
  logSecurityEvent(context, 'signed in', { user: user.id })
  return { user, headers: await sessionHeaders(context, session, user) }
}

/** The second step of a login, with or without a session from before. */
export async function logInWithCode(
  request: Request,
  context: AppLoadContext,
  pending: PendingSignIn,
  code: string,
): Promise<{ user: User; headers: Headers }> {
  const { user, passwordHash, session, by } = await finishSignIn(context, pending, code, {
    userAgent: userAgentOf(request),
    device: await readDevice(request, context),
  })
  logSecurityEvent(context, passwordHash === null ? 'signed in with Google' : 'signed in', { user: user.id })
  if (by === 'recovery') logSecurityEvent(context, 'recovery code used', { user: user.id })
  const headers = await sessionHeaders(context, session, { email: user.email, passwordHash })
  headers.append('set-cookie', await clearPendingSignIn(context))
  return { user, headers }
}

async function sessionHeaders(
  context: AppLoadContext,
  session: NewSession,
  { email, passwordHash }: { email: string; passwordHash: string | null },
): Promise<Headers> {
  const headers = await renewSession(context, session)
  if (passwordHash !== null) headers.append('set-cookie', await setDeviceCookie(context, { email, passwordHash }))
  return headers
}

function userAgentOf(request: Request): string {
  return request.headers.get('user-agent') ?? ''
}
