import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { describeApi } from '../../api/openapi.server'
import { errorJson } from '../../http/api.server'
import { allowOrigin, preflight } from '../../http/cors.server'

const allow = 'GET, HEAD, OPTIONS'

/** GET /openapi.json: the API, told from the declarations that it runs by. */
export function loader({ request, context }: LoaderFunctionArgs) {
  if (request.method === 'OPTIONS') return preflight(request, context.config, allow)
  const headers = { 'cache-control': 'public, max-age=300' }
  return allowOrigin(request, Response.json(describeApi(context.origin), { headers }), context.config)
}

export function action() {
  return errorJson(405, 'method-not-allowed', `This path takes ${allow}.`, { allow })
}
