import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { etagOf } from '../http/cache/etag.server'
import { respond, type CachedResponse } from '../http/cache/responses.server'
import worker from '../browser/offline/worker?inline-script'
import endWorker from '../browser/offline/end-worker?inline-script'

const copies = new Map<string, CachedResponse>()

/** The service worker. Browsers ask at each visit whether it has changed, so that OFFLINE_COPIES=off reaches them at once. */
export async function loader({ request, context: { config } }: LoaderFunctionArgs) {
  const script = config.OFFLINE_COPIES === 'off' ? endWorker : worker
  const copy = copies.get(script) ?? (await copyOf(script))
  copies.set(script, copy)
  return respond(request, copy, { encode: null, isHit: true })
}

async function copyOf(script: string): Promise<CachedResponse> {
  const body = new TextEncoder().encode(script).buffer
  const etag = await etagOf(body)
  const headers = new Headers({
    etag,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, no-cache',
    vary: 'Accept-Encoding',
    // Of the worker itself.
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  })
  return { body, etag, headers, renderedAt: Date.now() }
}
