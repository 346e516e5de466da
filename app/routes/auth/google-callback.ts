import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { finishGoogle } from '../../http/auth/authenticator.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { logSecurityEvent } from '../../http/log.server'
import { renewSession } from '../../http/auth/session.server'
import { signInWithGoogle } from '../../store/accounts/google-sign-in.server'
import { cancelOrdersBefore } from '../../store/ordering/cancel-order.server'
import { useOnce } from '../../store/rate-limit.server'
import type { RefusalCode } from '../../store/refusal'
import type { GoogleProblem } from '../../ui/auth/google-button'

const googleProblems: Partial<Record<RefusalCode, GoogleProblem>> = { invalid: 'address', forbidden: 'unverified' }

/** Errors are shown under the form that the user came from (spec section 8). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userAgent = request.headers.get('user-agent') ?? ''
  const { user, refusal, page, redirectTo, clearCookie } = await finishGoogle(
    request,
    context,
    async (identity, handshake) => {
      await useOnce(context, `handshake:${handshake}`)
      return signInWithGoogle(context, identity, userAgent)
    },
  )
  const redirectBack = (problem: GoogleProblem) => {
    const query = new URLSearchParams({ google: problem })
    if (redirectTo && redirectTo !== '/dashboard') query.set('redirectTo', redirectTo)
    return redirectDocument(`/${page}?${query.toString()}`, { status: 303, headers: { 'set-cookie': clearCookie } })
  }
  if (refusal) return redirectBack(googleProblems[refusal.code] ?? 'failed')
  if (!user) return redirectBack('failed')
  logSecurityEvent(context, 'signed in with Google')
  const { tookOver } = user
  if (tookOver) context.later(() => cancelOrdersBefore(context, { id: tookOver }, context.now()))
  const headers = await renewSession(context, user)
  headers.append('set-cookie', clearCookie)
  return redirectDocument(safeRedirectTo(redirectTo), { status: 303, headers })
}
