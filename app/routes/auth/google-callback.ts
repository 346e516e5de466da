import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { finishGoogle } from '../../http/auth/authenticator.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { renewSession } from '../../http/auth/session.server'
import { signInWithGoogle } from '../../store/accounts/google-sign-in.server'
import { Refusal } from '../../store/refusal'
import type { GoogleProblem } from '../../ui/auth/google-button'

/** Errors are shown under the form that the user came from (spec section 8). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { identity, page, redirectTo, clearCookie } = await finishGoogle(request, context)
  const redirectBack = (problem: GoogleProblem) => {
    const query = new URLSearchParams({ google: problem })
    if (redirectTo && redirectTo !== '/dashboard') query.set('redirectTo', redirectTo)
    return redirectDocument(`/${page}?${query.toString()}`, { status: 303, headers: { 'set-cookie': clearCookie } })
  }
  if (!identity) return redirectBack('failed')
  try {
    const session = await signInWithGoogle(context, identity, request.headers.get('user-agent') ?? '')
    const headers = await renewSession(context, session)
    headers.append('set-cookie', clearCookie)
    return redirectDocument(safeRedirectTo(redirectTo), { status: 303, headers })
  } catch (error) {
    if (error instanceof Refusal) return redirectBack(error.code === 'invalid' ? 'address' : 'unverified')
    throw error
  }
}
