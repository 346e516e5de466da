import { redirect, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { readForm } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { forgetDrafts } from '../../http/auth/drafts.server'
import { signedOut } from '../../http/auth/session.server'
import { revokeAccessToken } from '../../store/accounts/access-tokens.server'
import { endSession } from '../../store/accounts/sign-in.server'

export function loader() {
  return redirect('/', 303)
}

/** Ends the session with its access tokens, and the token that the browser sent (R4). */
export async function action({ request, context }: ActionFunctionArgs) {
  // A malformed form must not prevent signing out.
  const form = await readForm(request).catch(() => null)
  const token = form?.get('accessToken')
  if (typeof token === 'string') await revokeAccessToken(context, token)
  const user = await context.user()
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  logSecurityEvent(context, 'signed out', { user: user?.id })
  return signedOut(context, await forgetDrafts(request, context))
}
