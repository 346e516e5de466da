import { redirect, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { signedOut } from '../../http/session.server'
import { endSession } from '../../store/sign-in.server'

export function loader() {
  return redirect('/', 303)
}

export async function action({ context }: ActionFunctionArgs) {
  if (context.sessionSecret) await endSession(context, context.sessionSecret)
  return signedOut(context)
}
