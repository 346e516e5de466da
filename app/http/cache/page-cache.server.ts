import type { Deps } from '../../store/deps'
import { readConfig } from '../config.server'
import { etagOf, isKnown } from './etag.server'
import { savesData } from '../headers.server'
import { Keeper, type Kept } from './memory-cache.server'
import { requestIdOf } from '../log.server'
import { negotiatedPath } from '../negotiate.server'
import { isWorthPacking, pack, packedForm, takesPacked } from './brotli.server'
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
const personal = new RegExp(`(?:^|;\\s*)(?:${[...sessionCookies, signedOutName, toastCookie].join('|')})=`)

/** Marks what is made for visitors who save data. */
const saving = '#saving'

interface Place {
  env: object
  ctx: { waitUntil: (task: Promise<unknown>) => void }
  /** Names the build: the next one has pages of its own. */
  version: string
}

interface Asked {
  /** What it is kept under; null for an address with a query, since there is no end of those. */
  key: string | null
  isPage: boolean
  saves: boolean
}

type Make = (request: Request) => Promise<Response>

/** The answer, if this visitor sees what everybody sees; null if not. `make` answers as if nothing were kept. */
export function showToAll(request: Request, place: Place, make: Make): Promise<Response> | null {
  const asked = askedOf(request)
  return asked && show(request, asked, place, make)
}

/** What is shown to everybody has changed: this isolate shows it at once, others when what they keep is not fresh any more. */
export function renewWindow(place: Place, what: Parameters<Deps['changed']>[0]): void {
  const keeper = keeperOf(place.env)
  if (what === 'stock') {
    keeper.moved(Date.now())
    return
  }
  keeper.changed(Date.now())
  const cache = edgeCache()
  if (!cache) return
  const keys = [...pages, ...lists].flatMap((path) => [path, path + saving])
  place.ctx.waitUntil(Promise.all(keys.map((key) => cache.delete(edgeAddress(place, key)))))
}

function askedOf(request: Request): Asked | null {
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
  if (personal.test(headers.get('cookie') ?? '')) return null
  const saves = savesData(request)
  return { key: search === '' ? path + (saves ? saving : '') : null, isPage, saves }
}

async function show(request: Request, asked: Asked, place: Place, make: Make): Promise<Response> {
  const { key } = asked
  const keeper = keeperOf(place.env)
  const remake = () => makeFrom(request, asked, place, make)
  if (key !== null && keeper.freshFor > 0) {
    const found = keeper.find(key, Date.now()) ?? (await fromEdge(place, key))
    if (found) {
      if (found.stale) place.ctx.waitUntil(keeper.once(key, remake))
      return answer(request, found.kept, true)
    }
  }
  const made = await remake()
  return made instanceof Response ? made : answer(request, made)
}

/** Makes the answer from a request that says nothing of the visitor, and keeps it; a response is one that cannot be kept. */
async function makeFrom(request: Request, asked: Asked, place: Place, make: Make): Promise<Kept | Response> {
  const { key, isPage, saves } = asked
  const bare = new Headers({ accept: isPage ? 'text/html' : 'application/json', 'cf-ray': requestIdOf(request) })
  if (saves) bare.set('save-data', 'on')
  const begun = Date.now()
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
  const kept = { body, headers, etag, begun }
  if (key !== null && keeperOf(place.env).keep(key, kept, Date.now())) place.ctx.waitUntil(toEdge(place, key, kept))
  return kept
}

function answer(request: Request, made: Kept, again = false): Response {
  const packed = again && isWorthPacking(made) && takesPacked(request) ? (made.packed ??= packedForm(made)) : null
  const named = request.headers.get('if-none-match')
  const shown = packed && isKnown(named, made.etag) ? made : (packed ?? made)
  if (isKnown(named, shown.etag)) {
    const response = new Response(null, { status: 304, headers: shown.headers })
    for (const name of ofTheBody) response.headers.delete(name)
    return response
  }
  const init = { headers: shown.headers, encodeBody: 'manual' } as const
  if (request.method === 'HEAD') return new Response(null, init)
  return new Response(packed ? (packed.body ??= pack(made.body)) : made.body, init)
}

/** What a 304 does not say again. */
const ofTheBody = ['content-type', 'content-encoding', 'content-security-policy', 'cross-origin-opener-policy']

const keepers = new WeakMap<object, Keeper>()

function keeperOf(env: object): Keeper {
  const known = keepers.get(env)
  if (known) return known
  const keeper = new Keeper(readConfig(env).EDGE_CACHE_SECONDS * 1000)
  keepers.set(env, keeper)
  return keeper
}

/** The cache of this data centre; Node has none. */
function edgeCache(): Cache | undefined {
  return typeof caches === 'undefined' ? undefined : (caches as unknown as { default: Cache }).default
}

function edgeAddress({ env, version }: Place, key: string): string {
  return `${readConfig(env).SHOP_ORIGIN}/__window/${version}/${encodeURIComponent(key)}`
}

/** The cache rewrites some headers of what it keeps: ours go in one of their own. */
const [headersHeader, begunHeader] = ['x-window-headers', 'x-window-begun']

async function toEdge(place: Place, key: string, { body, headers, begun }: Kept): Promise<void> {
  const life = Math.round(keeperOf(place.env).freshFor / 1000)
  const response = new Response(body, {
    headers: {
      'cache-control': `public, max-age=${life}`,
      [headersHeader]: JSON.stringify([...headers]),
      [begunHeader]: String(begun),
    },
  })
  await edgeCache()?.put(edgeAddress(place, key), response)
}

async function fromEdge(place: Place, key: string): Promise<{ kept: Kept; stale: boolean } | null> {
  const response = await edgeCache()?.match(edgeAddress(place, key))
  if (!response) return null
  const headers = new Headers(JSON.parse(response.headers.get(headersHeader) ?? '[]') as [string, string][])
  const etag = headers.get('etag') ?? ''
  const begun = Number(response.headers.get(begunHeader))
  const keeper = keeperOf(place.env)
  return keeper.keep(key, { body: await response.arrayBuffer(), headers, etag, begun }, Date.now())
    ? keeper.find(key, Date.now())
    : null
}
