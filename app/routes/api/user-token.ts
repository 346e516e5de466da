import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { answer, wrongMethod } from '../../http/api.server'
import { issueAccessToken } from '../../store/access-tokens.server'
import { Refusal } from '../../store/refusal'

export function loader() {
  return wrongMethod('PUT')
}

/** PUT /user/{email}: an access token, for nobody but the session of that very address (R4). */
export function action({ request, params, context }: ActionFunctionArgs) {
  if (request.method !== 'PUT') return wrongMethod('PUT')
  return answer(context, async () => {
    const visitor = await context.visitor()
    if (!visitor || !context.sessionSecret) throw new Refusal('unauthenticated', 'Sign in first.')
    if (visitor.email !== params.email?.toLowerCase()) throw new Refusal('forbidden', 'This is somebody else.')
    return { token: (await issueAccessToken(context, context.sessionSecret)).token }
  })
}
