import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { finishGoogle, requireGoogle } from '../../http/auth/authenticator.server'
import { setJoinCookie } from '../../http/auth/google-join.server'
import { setPendingSignIn } from '../../http/auth/pending-sign-in.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { logSecurityEvent } from '../../http/log.server'
import { renewSession } from '../../http/auth/session.server'
import { signInWithGoogle } from '../../store/accounts/google-sign-in.server'
import { cancelOrdersBefore } from '../../store/ordering/cancel-order.server'
import { toastTo } from '../../http/response/toast.server'
import { useOnce } from '../../store/shared/rate-limit.server'
import type { VerifiedIdentity } from '../../store/deps'
import type { RefusalCode } from '../../store/shared/refusal'
import type { GoogleProblem } from '../../ui/auth/google-button'
import { t } from '../../i18n/language'
import { inLanguage } from '../../i18n/language.server'
import { isBelowPrefix, pathIn } from '../../i18n/paths'

const googleProblems: Partial<Record<RefusalCode, GoogleProblem>> = { invalid: 'address', forbidden: 'unverified' }

/** Errors are shown under the form that the user came from (spec section 8). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requireGoogle(context)
  const presented: VerifiedIdentity[] = []
  const userAgent = request.headers.get('user-agent') ?? ''
  const { user, refusal, isOutage, page, redirectTo, clearCookie } = await finishGoogle(
    request,
    context,
    async (identity, handshake) => {
      await useOnce(context, `handshake:${handshake}`)
      presented.push(identity)
      return signInWithGoogle(context, identity, userAgent)
    },
  )
  const headers = new Headers({ 'set-cookie': clearCookie })
  // Google knows one address of this page: the language is that of where the visitor goes.
  const language = isBelowPrefix(redirectTo ?? '') ? 'de' : 'en'
  const redirectBack = (problem: GoogleProblem, to: string = page) => {
    const query = new URLSearchParams({ google: problem })
    if (redirectTo && !/^(\/de)?\/dashboard$/.test(redirectTo)) query.set('redirectTo', redirectTo)
    return redirectDocument(pathIn(language, `/${to}?${query.toString()}`), { status: 303, headers })
  }
  if (!user) logSecurityEvent(context, 'Google sign-in refused')
  if (refusal?.code === 'conflict' && presented[0]) {
    headers.append('set-cookie', await setJoinCookie(context, presented[0]))
    return redirectBack('join', 'login')
  }
  if (refusal) return redirectBack(googleProblems[refusal.code] ?? 'failed')
  if (isOutage) return redirectBack('outage')
  if (!user) {
    const isCancelled = new URL(request.url).searchParams.get('error') === 'access_denied'
    return redirectBack(isCancelled ? 'cancelled' : 'failed')
  }
  const { userId, session, tookOver, renamed } = user
  if (tookOver) context.later(() => cancelOrdersBefore(context, { id: tookOver }, context.now()))
  const to = safeRedirectTo(redirectTo)
  if (!session) {
    headers.append('set-cookie', await setPendingSignIn(context, { userId, passwordMark: null }))
    return redirectDocument(pathIn(language, `/login/code?redirectTo=${encodeURIComponent(to)}`), {
      status: 303,
      headers,
    })
  }
  logSecurityEvent(context, 'signed in with Google', { user: userId })
  for (const cookie of (await renewSession(context, session)).getSetCookie()) headers.append('set-cookie', cookie)
  if (renamed === null) return redirectDocument(to, { status: 303, headers })
  const message = () =>
    t('Your name at Google is the name of this shop. Here you are {name}: change it in My Profile.', { name: renamed })
  return toastTo(context, to, inLanguage(language, message), { type: 'info', headers })
}
