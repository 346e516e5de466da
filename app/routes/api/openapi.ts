import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { describeApi } from '../../api/openapi.server'

/** GET /openapi.json: the API, told from the declarations that it runs by. */
export function loader({ context }: LoaderFunctionArgs) {
  return Response.json(describeApi(context.origin), { headers: { 'cache-control': 'public, max-age=300' } })
}
