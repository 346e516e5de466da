import { request } from 'node:http'

export interface RequestOptions extends Omit<RequestInit, 'body'> {
  body?: BodyInit | null
  /** Breaks the connection `before` the request is sent or `after` the server has responded. */
  cut?: 'before' | 'after'
}

class LineCut extends Error {
  override name = 'LineCut'
}

/** One raw request: no redirects, no decompression, no added headers. */
export async function send(
  origin: string,
  path: string,
  { method = 'GET', headers, body, cut }: RequestOptions = {},
): Promise<Response> {
  if (cut === 'before') throw new LineCut('The connection broke before the request was sent')
  const fields = new Headers(headers)
  // Only Request encodes FormData and URLSearchParams.
  const encoded =
    body == null ? null : new Request('http://body.invalid', { method: 'POST', body, duplex: 'half' } as RequestInit)
  const type = encoded?.headers.get('content-type')
  if (type && !fields.has('content-type')) fields.set('content-type', type)
  const bytes = encoded && new Uint8Array(await encoded.arrayBuffer())
  if (bytes && !fields.has('content-length')) fields.set('content-length', String(bytes.byteLength))
  if (!bytes && !['GET', 'HEAD', 'OPTIONS'].includes(method)) fields.set('content-length', '0')
  const url = new URL(origin + path)
  return new Promise((resolve, reject) => {
    const clientRequest = request({
      // A new connection each time: the server closes one whose request body it did not read.
      agent: false,
      host: url.hostname,
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: Object.fromEntries(fields),
    })
    clientRequest.once('error', reject)
    clientRequest.once('response', (incoming) => {
      if (cut === 'after') {
        incoming.destroy()
        reject(new LineCut('The connection broke before the answer was read'))
        return
      }
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const status = incoming.statusCode!
        const responseHeaders = new Headers()
        for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
          const name = incoming.rawHeaders[at]!
          if (!hopByHop.test(name)) responseHeaders.append(name, incoming.rawHeaders[at + 1]!)
        }
        const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status)
        resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: responseHeaders }))
      })
    })
    clientRequest.end(bytes ?? undefined)
  })
}

const hopByHop = /^(connection|keep-alive|transfer-encoding)$/i
