import { requestIdOf } from '../../log.server'
import { quality } from '../../request/negotiate.server'
import { etagOf } from '../etag.server'
import type { Access, Extra, Found } from '../extra'
import { respond, type CachedResponse } from '../responses.server'
import { pageText } from './page-text.server'

/** Public pages as text, for who asks for text/plain rather than HTML or JSON. */
export const text: Extra = { serve: (request, access) => (wantsText(request) ? serveText(request, access) : null) }

function wantsText({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  // Nearly all requests end here.
  if (!/text\/plain/i.test(accept)) return false
  const text = quality(accept, 'text/plain')
  const others = ['text/html', 'application/json', '*/*'].map((type) => quality(accept, type))
  return text > 0 && others.every((other) => text > other)
}

/** Of a page as anybody gets it. Null for what is no public page. */
function serveText(request: Request, { find }: Access): Promise<Response> | null {
  const page = new Request(request.url, { headers: { accept: 'text/html', 'cf-ray': requestIdOf(request) } })
  return find(page)?.then((copy) => asText(request, copy)) ?? null
}

/** Of the bodies of pages: the cache keeps a body for as long as it is the same. */
const texts = new WeakMap<ArrayBuffer, CachedResponse>()

async function asText(request: Request, found: Found): Promise<Response> {
  if (found instanceof Response) return textOf(request, found)
  const { body, headers } = found.cached
  const copy = texts.get(body) ?? (await textCopyOf(new Response(body, { headers })))
  texts.set(body, copy)
  return respond(request, copy, { encode: null, isHit: true })
}

async function textOf(request: Request, html: Response): Promise<Response> {
  if (html.headers.has('location')) return html
  const { status } = html
  const copy = await textCopyOf(html)
  if (status === 200) return respond(request, copy, { encode: null, isHit: true })
  return new Response(request.method === 'HEAD' ? null : copy.body, { status, headers: copy.headers })
}

const keptHeaders = ['cache-control', 'warning', 'retry-after', 'x-content-type-options', 'strict-transport-security']

async function textCopyOf(html: Response): Promise<CachedResponse> {
  const body = new TextEncoder().encode(await pageText(html)).buffer
  const etag = await etagOf(body)
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8', vary: 'Accept, Accept-Encoding', etag })
  for (const name of keptHeaders) {
    const value = html.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return { body, headers, etag, renderedAt: Date.now() }
}
