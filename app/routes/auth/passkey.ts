import { redirect, redirectDocument, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { clientIp } from '../../http/auth/client-ip'
import { readPasskeyChallenge, setPasskeyChallenge, challengeTtl } from '../../http/auth/passkey-challenge.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { renewSession } from '../../http/auth/session.server'
import { readForm } from '../../http/request/forms.server'
import { logRefusal, logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/response/toast.server'
import { signInWithPasskey } from '../../store/accounts/passkeys/passkeys.server'
import { rpIdOf } from '../../store/accounts/passkeys/web-authn.server'
import { Refusal } from '../../store/shared/refusal'

export function loader() {
  return redirect('/login', 303)
}

/** First gives the challenge, the same way to everybody (R7); then takes the answer of a passkey. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const answer = form.get('credential')
  if (typeof answer !== 'string' || answer === '') {
    const { challenge, headers } = await setPasskeyChallenge(context, { purpose: 'login' })
    const options = { challenge, rpId: rpIdOf(context.origin), timeout: challengeTtl, userVerification: 'required' }
    return Response.json(options, { headers: { ...headers, 'cache-control': 'private, no-store' } })
  }
  const to = safeRedirectTo(form.get('redirectTo'))
  try {
    const expected = await readPasskeyChallenge(request, context, 'login')
    if (!expected) throw new Refusal('conflict', 'That took too long. Please try again.')
    const from = { ip: clientIp(request), userAgent: request.headers.get('user-agent') ?? '' }
    const { userId, session } = await signInWithPasskey(context, answer, expected, from)
    logSecurityEvent(context, 'signed in with a passkey', { user: userId })
    return redirectDocument(to, { status: 303, headers: await renewSession(context, session) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'wrong-credentials') logSecurityEvent(context, 'passkey refused')
    else logRefusal(context, error)
    const login = `/login?${new URLSearchParams({ redirectTo: to }).toString()}`
    return toastTo(context, login, error.message, { type: 'error' })
  }
}
