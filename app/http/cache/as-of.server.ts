import { unpackFor } from './packed.server'
import type { CachedResponse } from './responses.server'
import { t } from '../../i18n/language'

/** What only a fresh response has. Without an ETag nobody can ask whether this copy is still the same. */
const freshHeaders = ['etag', 'link', 'speculation-rules', 'accept-ch']

/** A copy from before the database went away, which says so. It is stored nowhere: the next visit may get a fresh one. */
export function asOf(request: Request, { body, isPacked, headers: cached, renderedAt }: CachedResponse): Response {
  const headers = new Headers(cached)
  for (const name of freshHeaders) headers.delete(name)
  headers.set('cache-control', 'no-store')
  headers.set('age', String(Math.max(0, Math.round((Date.now() - renderedAt) / 1000))))
  headers.set('warning', '110 - "Response is Stale"')
  const packed = isPacked ? unpackFor(request, body) : null
  if (packed?.encoding) headers.set('content-encoding', packed.encoding)
  if (request.method === 'HEAD') return new Response(null, { headers })
  const isHtml = headers.get('content-type')?.startsWith('text/html')
  const ofPage = isHtml ? withNotice(body, renderedAt) : body
  return new Response(packed ? packed.body() : ofPage, { headers, encodeBody: 'manual' })
}

const start = '<main id="main">'

function withNotice(body: ArrayBuffer, renderedAt: number): string {
  const time = new Date(renderedAt).toISOString().slice(11, 16)
  const text = t('The shop cannot be reached completely. As of {time} UTC. You cannot log in or order right now.', {
    time,
  })
  const notice = `<p class="notice" role="status">${text}</p>`
  return new TextDecoder().decode(body).replace(start, start + notice)
}
