import type { AppLoadContext } from '@remix-run/cloudflare'
import type { User } from '../../store/accounts/sign-in'
import { checkPassword, SignIn, startSession } from '../../store/accounts/sign-in.server'
import { deliverPendingEmails } from '../../store/deliver-email.server'
import { Refusal } from '../../store/refusal'
import { logSecurityEvent } from '../log.server'
import { authenticateForm } from './authenticator.server'
import { setDeviceCookie, signInOrigin } from './device-cookie.server'
import { renewSession } from './session.server'

/** Starts a session of whoever has this password; `headers` set its cookies. */
export async function logIn(
  request: Request,
  context: AppLoadContext,
  input: SignIn,
): Promise<{ user: User; headers: Headers }> {
  const from = await signInOrigin(request, context, input.email)
  const user = await authenticateForm(request, context, input, (form) =>
    checkPassword(context, SignIn.parse(form), from),
  ).catch((error: unknown) => {
    // A refusal may have enqueued the link for the owner.
    if (error instanceof Refusal && error.code === 'too-many') context.later(() => deliverPendingEmails(context))
    throw error
  })
  const session = await startSession(context, user, request.headers.get('user-agent') ?? '')
  logSecurityEvent(context, 'signed in', { user: user.id })
  const headers = await renewSession(context, session)
  headers.append('set-cookie', await setDeviceCookie(context, user))
  return { user, headers }
}
