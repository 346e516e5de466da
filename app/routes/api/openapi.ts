import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { describeApi } from '../../api/openapi.server'
import { errorJson } from '../../http/errors'
import { allowOrigin, preflight } from '../../api/cors.server'

const allow = 'GET, HEAD, OPTIONS'

export function loader({ request, context }: LoaderFunctionArgs) {
  if (request.method === 'OPTIONS') return preflight(request, context.config, allow)
  const headers = { 'cache-control': 'public, max-age=300' }
  return allowOrigin(request, Response.json(describeApi(context.origin), { headers }), context.config)
}

export function action() {
  return errorJson(405, 'method-not-allowed', `This path accepts ${allow}.`, { allow })
}
