import {
  accepts,
  brotliVariant,
  compress,
  isCompressible,
  type BrotliVariant,
  type Representation,
} from './brotli.server'
import { etagMatches } from './etag.server'
import { unpackFor } from './packed.server'

/** What the cache holds of a page or list. */
export interface CachedResponse extends Representation {
  /** With gzip: it is above one page. */
  isPacked?: boolean
  /** When rendering began, in milliseconds: later changes may be missing. */
  renderedAt: number
  brotli?: BrotliVariant
}

export interface Variant {
  etag: string
  headers: Headers
  body: () => BodyInit
}

/** Of a page that an extra encodes in its own way; null: it stays as it is. */
export type Encode = (cached: CachedResponse) => Promise<Variant | null>

interface Encodings {
  encode: Encode | null
  /** Brotli alone is for a page that is asked for again: it takes ten times as long. */
  isHit: boolean
}

export async function respond(
  request: Request,
  cached: CachedResponse,
  { encode, isHit }: Encodings,
): Promise<Response> {
  const variant = cached.isPacked
    ? packedVariant(request, cached)
    : ((encode && (await encode(cached))) ?? plainVariant(request, cached, isHit))
  const { headers } = variant
  const ifNoneMatch = request.headers.get('if-none-match')
  const known = [variant.etag, cached.etag].find((etag) => etagMatches(ifNoneMatch, etag))
  if (known !== undefined) {
    const response = new Response(null, { status: 304, headers })
    response.headers.set('etag', known)
    for (const name of bodyHeaders) response.headers.delete(name)
    return response
  }
  const init = { headers, encodeBody: 'manual' } as const
  return new Response(request.method === 'HEAD' ? null : variant.body(), init)
}

function packedVariant(request: Request, cached: CachedResponse): Variant {
  const { encoding, body } = unpackFor(request, cached.body)
  if (encoding === null) return { ...cached, body }
  const etag = cached.etag.replace(/"$/, `-${encoding}"`)
  const headers = new Headers(cached.headers)
  headers.set('content-encoding', encoding)
  headers.set('etag', etag)
  return { etag, headers, body }
}

function plainVariant(request: Request, cached: CachedResponse, isHit: boolean): Variant {
  if (!isHit || !isCompressible(cached) || !accepts('br', request)) return { ...cached, body: () => cached.body }
  const brotli = (cached.brotli ??= brotliVariant(cached))
  return { ...brotli, body: () => (brotli.body ??= compress(cached.body)) }
}

const bodyHeaders = [
  'link',
  'accept-ch',
  'content-type',
  'content-encoding',
  'content-security-policy',
  'cross-origin-opener-policy',
]
