import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { finishGoogle } from '../../http/authenticator.server'
import { safeRedirectTo } from '../../http/redirect-to'
import { renewSession } from '../../http/session.server'
import { toastTo } from '../../http/toast.server'
import { signInWithGoogle } from '../../store/google-sign-in.server'
import { Refusal } from '../../store/refusal'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { identity, redirectTo, forget } = await finishGoogle(request, context)
  const failed = (message: string) => {
    const login =
      redirectTo && redirectTo !== '/dashboard' ? `/login?redirectTo=${encodeURIComponent(redirectTo)}` : '/login'
    return toastTo(context, login, message, { type: 'error', headers: { 'set-cookie': forget } })
  }
  if (!identity) return failed('Signing in with Google did not work. Please try again.')
  try {
    const session = await signInWithGoogle(context, identity, request.headers.get('user-agent') ?? '')
    const headers = await renewSession(context, session)
    headers.append('set-cookie', forget)
    return redirectDocument(safeRedirectTo(redirectTo), { status: 303, headers })
  } catch (error) {
    if (error instanceof Refusal) return failed(error.message)
    throw error
  }
}
