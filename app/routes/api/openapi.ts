import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { describeApi } from '../../api/openapi.server'
import { errorJson } from '../../http/response/errors'
import { allowOrigin, preflight } from '../../http/response/cors.server'

const allow = 'GET, HEAD, OPTIONS'

/** By origin: the same as long as the isolate runs. */
const documents = new Map<string, string>()

function documentOf(origin: string): string {
  const known = documents.get(origin) ?? JSON.stringify(describeApi(origin))
  documents.set(origin, known)
  return known
}

export function loader({ request, context }: LoaderFunctionArgs) {
  if (request.method === 'OPTIONS') return preflight(request, context.config, allow)
  const headers = { 'cache-control': 'public, max-age=300', 'content-type': 'application/json' }
  return allowOrigin(request, new Response(documentOf(context.origin), { headers }), context.config)
}

export function action() {
  return errorJson(405, 'method-not-allowed', `This path accepts ${allow}.`, { allow })
}
