import { redirect, redirectDocument, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { clearSessionCookie } from '../../http/session.server'
import { endSession } from '../../store/sign-in.server'

export function loader() {
  return redirect('/', 303)
}

export async function action({ context }: ActionFunctionArgs) {
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  const headers = new Headers({ 'set-cookie': await clearSessionCookie(context.origin) })
  // The access token in the browser's storage is dead by now; this takes it away, on pages without scripts too.
  headers.set('clear-site-data', '"storage"')
  return redirectDocument('/', { status: 303, headers })
}
