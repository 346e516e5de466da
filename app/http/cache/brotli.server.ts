import { brotliCompressSync, constants } from 'node:zlib'

/** One of the forms in which an answer can be sent (RFC 9110, section 8): each has a tag of its own. */
export interface Representation {
  body: ArrayBuffer
  headers: Headers
  etag: string
}

/** The same with brotli. Its body is there when somebody has needed it. */
export interface BrotliVariant {
  headers: Headers
  etag: string
  body?: ArrayBuffer
}

/** One below the best, which takes more than twice as long for 2 % less. */
const quality = 10
/** Larger answers would keep everybody waiting who asks meanwhile. */
const maxBytes = 64 * 1024

/** Whether it pays: some 10 ms for a page that is sent again and again. All else is left to the edge, which packs faster and less well. */
export function isCompressible({ body }: Representation): boolean {
  return body.byteLength <= maxBytes
}

/** The headers and the tag of the packed form: enough for whoever has it already. */
export function brotliVariant({ headers, etag }: Representation): BrotliVariant {
  const ownTag = etag.replace(/"$/, '-br"')
  const own = new Headers(headers)
  own.set('content-encoding', 'br')
  own.set('etag', ownTag)
  return { headers: own, etag: ownTag }
}

/** The body with brotli. */
export function compress(body: ArrayBuffer): ArrayBuffer {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.byteLength }
  return new Uint8Array(brotliCompressSync(new Uint8Array(body), { params })).buffer
}

/**
 * Whether the visitor's browser can read brotli. Cloudflare writes its own wishes into Accept-Encoding, and the browser's beside
 * the request.
 */
export function acceptsBrotli(request: Request): boolean {
  const { cf } = request as { cf?: { clientAcceptEncoding?: string } }
  const accepted = cf ? cf.clientAcceptEncoding : request.headers.get('accept-encoding')
  return /(^|[\s,])br\s*(,|$|;\s*q=(1|0\.0*[1-9]))/i.test(accepted ?? '')
}
