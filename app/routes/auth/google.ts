import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { beginGoogle, requireGoogle } from '../../http/auth/authenticator.server'
import { readForm } from '../../http/request/forms.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { localPath } from '../../i18n/paths'

export function loader({ context }: LoaderFunctionArgs) {
  requireGoogle(context)
  return redirect('/login', 303)
}

/** A POST, so that no link on another site can start it. */
export async function action({ request, context }: ActionFunctionArgs) {
  requireGoogle(context)
  const form = await readForm(request)
  const page = form.get('page') === 'register' ? 'register' : 'login'
  return beginGoogle(request, context, { page, redirectTo: localPath(safeRedirectTo(form.get('redirectTo'))) })
}
