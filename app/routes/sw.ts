import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { etagMatches, etagOf } from '../http/cache/etag.server'
import worker from '../browser/offline/worker?inline-script'
import endWorker from '../browser/offline/end-worker?inline-script'

/** The service worker. Browsers ask at each visit whether it has changed, so that OFFLINE_COPIES=off reaches them at once. */
export async function loader({ request, context: { config } }: LoaderFunctionArgs) {
  const script = config.OFFLINE_COPIES === 'off' ? endWorker : worker
  const etag = await etagOf(new TextEncoder().encode(script))
  const headers = {
    etag,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, no-cache',
    // Of the worker itself.
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  }
  const isKnown = etagMatches(request.headers.get('if-none-match'), etag)
  return new Response(isKnown ? null : script, { status: isKnown ? 304 : 200, headers })
}
