import { brotliCompressSync, constants } from 'node:zlib'

/** One of the forms in which an answer can be sent (RFC 9110, section 8): each has a tag of its own. */
export interface Representation {
  body: ArrayBuffer
  headers: Headers
  etag: string
}

/** One below the best, which takes more than twice as long for 2 % less. */
const quality = 10
/** Larger answers would keep everybody waiting who asks meanwhile. */
const most = 64 * 1024

/** Whether it pays: some 10 ms for a page that is sent again and again. All else is left to the edge, which packs faster and less well. */
export function isWorthPacking({ body }: Representation): boolean {
  return body.byteLength <= most
}

/** The same with brotli. */
export function pack({ body, headers, etag }: Representation): Representation {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.byteLength }
  const packed = brotliCompressSync(new Uint8Array(body), { params })
  const ownTag = etag.replace(/"$/, '-br"')
  const own = new Headers(headers)
  own.set('content-encoding', 'br')
  own.set('etag', ownTag)
  return { body: new Uint8Array(packed).buffer, headers: own, etag: ownTag }
}

/** Whether the visitor's browser can read brotli. Cloudflare names its own wishes in Accept-Encoding, and the browser's beside the request. */
export function takesPacked(request: Request): boolean {
  const { cf } = request as { cf?: { clientAcceptEncoding?: string } }
  const accepted = cf?.clientAcceptEncoding ?? request.headers.get('accept-encoding') ?? ''
  return /(^|[\s,])br\s*(,|$|;\s*q=(1|0\.0*[1-9]))/i.test(accepted)
}
