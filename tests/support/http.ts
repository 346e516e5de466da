import { request } from 'node:http'

export interface Sent extends Omit<RequestInit, 'body'> {
  body?: BodyInit | null
  /** Breaks the line: `before` the request has left, or `after` the server has answered, before the client reads a byte. */
  cut?: 'before' | 'after'
}

/** What a client sees whose line breaks. */
class LineCut extends Error {
  override name = 'LineCut'
}

/** One request over a socket, as it stands: no redirects, nothing unpacked, no header of the client library's own. */
export async function send(
  origin: string,
  path: string,
  { method = 'GET', headers, body, cut }: Sent = {},
): Promise<Response> {
  if (cut === 'before') throw new LineCut('The line broke before the request was sent')
  const fields = new Headers(headers)
  // Only this class knows how a form or a list of parameters is written.
  const written =
    body == null ? null : new Request('http://body.invalid', { method: 'POST', body, duplex: 'half' } as RequestInit)
  const type = written?.headers.get('content-type')
  if (type && !fields.has('content-type')) fields.set('content-type', type)
  const bytes = written && new Uint8Array(await written.arrayBuffer())
  if (bytes && !fields.has('content-length')) fields.set('content-length', String(bytes.byteLength))
  if (!bytes && !['GET', 'HEAD', 'OPTIONS'].includes(method)) fields.set('content-length', '0')
  const url = new URL(origin + path)
  return new Promise((resolve, reject) => {
    const asked = request({
      // A line of its own: the server closes one on which it has answered without reading the body to its end.
      agent: false,
      host: url.hostname,
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: Object.fromEntries(fields),
    })
    asked.once('error', reject)
    asked.once('response', (incoming) => {
      if (cut === 'after') {
        incoming.destroy()
        reject(new LineCut('The line broke before the answer was read'))
        return
      }
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const status = incoming.statusCode!
        const answered = new Headers()
        for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
          const name = incoming.rawHeaders[at]!
          if (!hopByHop.test(name)) answered.append(name, incoming.rawHeaders[at + 1]!)
        }
        const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status)
        resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: answered }))
      })
    })
    asked.end(bytes ?? undefined)
  })
}

const hopByHop = /^(connection|keep-alive|transfer-encoding)$/i
