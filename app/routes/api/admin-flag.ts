import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answer, requireCaller, wrongMethod } from '../../http/api.server'
import { Refusal } from '../../store/refusal'

export function action() {
  return wrongMethod('GET')
}

/** GET /admin/{email}: whether the caller is an admin. Of others, only an admin may ask. */
export function loader({ request, params, context }: LoaderFunctionArgs) {
  if (request.method === 'OPTIONS') return wrongMethod('GET')
  return answer(context, async () => {
    const caller = await requireCaller(request, context)
    if (caller.email !== params.email?.toLowerCase()) throw new Refusal('forbidden', 'This is somebody else.')
    return { admin: caller.role === 'admin' }
  })
}
