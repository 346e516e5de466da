import { redirect, redirectDocument, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { clearSessionCookie } from '../../http/session.server'
import { endSession } from '../../store/sign-in.server'

export function loader() {
  return redirect('/')
}

export async function action({ context }: ActionFunctionArgs) {
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  return redirectDocument('/', { status: 303, headers: { 'set-cookie': await clearSessionCookie(context.origin) } })
}
