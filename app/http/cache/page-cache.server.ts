import type { Deps } from '../../store/deps'
import { readConfig } from '../config.server'
import { etagOf, isKnown } from './etag.server'
import { savesData } from '../headers.server'
import { MemoryCache, type CachedResponse } from './memory-cache.server'
import { requestIdOf } from '../log.server'
import { negotiatedPath } from '../negotiate.server'
import { isCompressible, compress, brotliVariant, acceptsBrotli } from './brotli.server'
import { sessionCookies, signedOutName } from '../auth/session.server'
import { toastCookie } from '../toast.server'

/*
 * What everybody sees who is not signed in is made once and kept for some seconds: by this isolate, and in the data centre's
 * cache for its other isolates. It is made from a request that carries nothing of the visitor's, so nothing of anybody's can
 * be in it (decision 15).
 */

/** What is the same for everybody who is not signed in, by path. */
const pages = new Set(['/', '/home', '/allInstruments', '/reviews', '/login', '/register', '/forgot-password'])
const lists = new Set(['/instruments', '/__api/reviews'])

/** The cookies that make an answer somebody's own. */
const personalCookies = new RegExp(`(?:^|;\\s*)(?:${[...sessionCookies, signedOutName, toastCookie].join('|')})=`)

/** Marks what is made for visitors who save data. */
const saveDataSuffix = '#saving'

interface Platform {
  env: object
  ctx: { waitUntil: (task: Promise<unknown>) => void }
  /** Names the build: the next one has pages of its own. */
  version: string
}

interface CacheRequest {
  /** What it is kept under; null for an address with a query, since there is no end of those. */
  key: string | null
  isPage: boolean
  saves: boolean
}

type Render = (request: Request) => Promise<Response>

/** The answer, if this visitor sees what everybody sees; null if not. `make` answers as if nothing were kept. */
export function servePublicPage(request: Request, place: Platform, make: Render): Promise<Response> | null {
  const asked = cacheRequestOf(request)
  return asked && serveCached(request, asked, place, make)
}

/** What is shown to everybody has changed: this isolate shows it at once, others when what they keep is not fresh any more. */
export function invalidatePageCache(place: Platform, what: Parameters<Deps['invalidate']>[0]): void {
  const keeper = cacheOf(place.env)
  if (what === 'stock') {
    keeper.invalidateStock(Date.now())
    return
  }
  keeper.invalidate(Date.now())
  const cache = edgeCache()
  if (!cache) return
  const keys = [...pages, ...lists].flatMap((path) => [path, path + saveDataSuffix])
  place.ctx.waitUntil(Promise.all(keys.map((key) => cache.delete(edgeUrl(place, key)))))
}

function cacheRequestOf(request: Request): CacheRequest | null {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return null
  // A URL would cost more than all else that is done for a page that is kept.
  const [, pathname = '', search] = /^\w+:\/\/[^/]+([^?]*)(.*)$/.exec(request.url) ?? []
  const path = negotiatedPath(request, pathname)
  if (path === null) return null
  const isPage = pages.has(path)
  if (!isPage && !lists.has(path)) return null
  // What depends on a caller's origin or token is not for everybody.
  if (!isPage && (headers.has('authorization') || headers.has('origin'))) return null
  if (personalCookies.test(headers.get('cookie') ?? '')) return null
  const saves = savesData(request)
  return { key: search === '' ? path + (saves ? saveDataSuffix : '') : null, isPage, saves }
}

async function serveCached(request: Request, asked: CacheRequest, place: Platform, make: Render): Promise<Response> {
  const { key } = asked
  const keeper = cacheOf(place.env)
  const remake = () => render(request, asked, place, make)
  if (key !== null && keeper.ttl > 0) {
    const found = keeper.get(key, Date.now()) ?? (await readEdge(place, key))
    if (found) {
      if (found.stale) place.ctx.waitUntil(keeper.revalidate(key, remake))
      return respond(request, found.kept, true)
    }
  }
  const made = await remake()
  return made instanceof Response ? made : respond(request, made)
}

/** Makes the answer from a request that says nothing of the visitor, and keeps it; a response is one that cannot be kept. */
async function render(
  request: Request,
  asked: CacheRequest,
  place: Platform,
  make: Render,
): Promise<CachedResponse | Response> {
  const { key, isPage, saves } = asked
  const bare = new Headers({ accept: isPage ? 'text/html' : 'application/json', 'cf-ray': requestIdOf(request) })
  if (saves) bare.set('save-data', 'on')
  const renderedAt = Date.now()
  const response = await make(new Request(request.url, { headers: bare }))
  const tag = response.headers.get('etag')
  // A list that has no tag is one that is written while it is read.
  if (response.status !== 200 || response.headers.has('set-cookie') || (!isPage && tag === null)) {
    if (request.method !== 'HEAD') return response
    await response.body?.cancel()
    return new Response(null, response)
  }
  const body = await response.arrayBuffer()
  const etag = tag ?? (await etagOf(body))
  const headers = new Headers(response.headers)
  // Nothing in the log is about who is shown this.
  headers.delete('x-request-id')
  headers.set('etag', etag)
  headers.set('cache-control', 'public, no-cache')
  if (isPage && !saves) headers.set('speculation-rules', '"/speculation-rules.json"')
  headers.append('vary', 'Accept-Encoding, Cookie, Save-Data')
  const kept = { body, headers, etag, renderedAt }
  if (key !== null && cacheOf(place.env).set(key, kept, Date.now())) place.ctx.waitUntil(writeEdge(place, key, kept))
  return kept
}

function respond(request: Request, made: CachedResponse, again = false): Response {
  const packed = again && isCompressible(made) && acceptsBrotli(request) ? (made.brotli ??= brotliVariant(made)) : null
  const named = request.headers.get('if-none-match')
  const shown = packed && isKnown(named, made.etag) ? made : (packed ?? made)
  if (isKnown(named, shown.etag)) {
    const response = new Response(null, { status: 304, headers: shown.headers })
    for (const name of bodyHeaders) response.headers.delete(name)
    return response
  }
  const init = { headers: shown.headers, encodeBody: 'manual' } as const
  if (request.method === 'HEAD') return new Response(null, init)
  return new Response(packed ? (packed.body ??= compress(made.body)) : made.body, init)
}

/** What a 304 does not say again. */
const bodyHeaders = ['content-type', 'content-encoding', 'content-security-policy', 'cross-origin-opener-policy']

const caches_ = new WeakMap<object, MemoryCache>()

function cacheOf(env: object): MemoryCache {
  const known = caches_.get(env)
  if (known) return known
  const keeper = new MemoryCache(readConfig(env).EDGE_CACHE_SECONDS * 1000)
  caches_.set(env, keeper)
  return keeper
}

/** The cache of this data centre; Node has none. */
function edgeCache(): Cache | undefined {
  return typeof caches === 'undefined' ? undefined : (caches as unknown as { default: Cache }).default
}

function edgeUrl({ env, version }: Platform, key: string): string {
  return `${readConfig(env).SHOP_ORIGIN}/__cache/${version}/${encodeURIComponent(key)}`
}

/** The cache rewrites some headers of what it keeps: ours go in one of their own. */
const [headersHeader, renderedAtHeader] = ['x-cache-headers', 'x-window-renderedAt']

async function writeEdge(place: Platform, key: string, { body, headers, renderedAt }: CachedResponse): Promise<void> {
  const life = Math.round(cacheOf(place.env).ttl / 1000)
  const response = new Response(body, {
    headers: {
      'cache-control': `public, max-age=${life}`,
      [headersHeader]: JSON.stringify([...headers]),
      [renderedAtHeader]: String(renderedAt),
    },
  })
  await edgeCache()?.put(edgeUrl(place, key), response)
}

async function readEdge(place: Platform, key: string): Promise<{ kept: CachedResponse; stale: boolean } | null> {
  const response = await edgeCache()?.match(edgeUrl(place, key))
  if (!response) return null
  const headers = new Headers(JSON.parse(response.headers.get(headersHeader) ?? '[]') as [string, string][])
  const etag = headers.get('etag') ?? ''
  const renderedAt = Number(response.headers.get(renderedAtHeader))
  const keeper = cacheOf(place.env)
  return keeper.set(key, { body: await response.arrayBuffer(), headers, etag, renderedAt }, Date.now())
    ? keeper.get(key, Date.now())
    : null
}
