import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { etagMatches } from '../http/cache/etag.server'

/** An uploaded picture. Its name has the hash of the file, so that it never changes (decision 27). */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { picture = '', file = '' } = params
  const [, format] = /^\d{1,4}\.(avif|webp)$/.exec(file) ?? []
  const isName = format !== undefined && /^[\da-f]{32}-\d{1,4}x\d{1,4}$/.test(picture)
  const body = isName ? await context.pictures?.find(`${picture}/${file}`) : null
  if (!body) throw new Response('There is no such picture.', { status: 404 })
  const etag = `"${picture}-${file}"`
  const headers = {
    etag,
    'content-type': `image/${format}`,
    'cache-control': 'public, max-age=31536000, immutable',
    // As public/_headers: a browser that opens a picture puts it on a page with styles of its own.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  }
  const isKnown = etagMatches(request.headers.get('if-none-match'), etag)
  if (!isKnown && request.method !== 'HEAD') return new Response(body, { headers })
  await body.cancel()
  return new Response(null, { status: isKnown ? 304 : 200, headers })
}
