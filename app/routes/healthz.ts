import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isHealthy } from '../store/health.server'

export async function loader({ context }: LoaderFunctionArgs) {
  const ok = await isHealthy(context)
  return Response.json({ ok }, { status: ok ? 200 : 503 })
}
