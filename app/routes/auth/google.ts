import { redirect, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { beginGoogle } from '../../http/auth/authenticator.server'
import { readForm } from '../../http/forms.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'

export function loader() {
  return redirect('/login', 303)
}

/** A POST, so that no link on another site can start it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const page = form.get('page') === 'register' ? 'register' : 'login'
  return beginGoogle(request, context, { page, redirectTo: safeRedirectTo(form.get('redirectTo')) })
}
