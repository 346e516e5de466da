import type { Deps } from '../../store/deps'
import { readConfig } from '../config.server'
import { etagOf, etagMatches } from './etag.server'
import { savesData } from '../response/headers.server'
import { asOf } from './as-of.server'
import { MemoryCache, staleIfError, type CacheEntry, type CachedResponse } from './memory-cache.server'
import { allowOrigin } from '../response/cors.server'
import { errorJson } from '../response/errors'
import { logError, requestIdOf } from '../log.server'
import { decoded, negotiatedPath, publicPath, wantsText } from '../request/negotiate.server'
import { readBody, unpackFor, type ReadBody } from './packed.server'
import { pageText } from '../response/page-text.server'
import { turns } from '../request/turns.server'
import { isCompressible, compress, brotliVariant, accepts } from './brotli.server'
import {
  compressWith,
  Dictionaries,
  dictionaryOf,
  makeDictionary,
  offeredDictionary,
  type Dictionary,
} from './dictionary.server'
import { sessionCookies, signedOutCookies } from '../auth/session.server'
import { toastCookies } from '../response/toast.server'

/*
 * Public pages and lists are cached for some seconds, in this isolate and in the data centre. They are rendered from a
 * request without the visitor's headers, so they cannot contain personal data (decision 15).
 */

type Query = readonly string[] | 'any'

/** The paths, with the parameters that each reads: any other makes no difference, and no rendering. */
const pages: Record<string, Query> = {
  '/': ['send'],
  '/home': ['send'],
  '/allInstruments': ['q', 'family', 'max', 'inStock', 'sort', 'page'],
  '/catalog.html': [],
  '/reviews': ['about', 'before'],
  '/login': 'any',
  '/register': 'any',
  '/forgot-password': 'any',
}
/** Too many to name: other data centres serve their copy until it expires. */
const below = ['/catalog/', '/pages/']
/** The same for everybody, signed in or not. The JSON lists refuse unknown parameters. */
const lists: Record<string, Query> = {
  '/instruments': 'any',
  '/__api/reviews': 'any',
  '/robots.txt': [],
  '/sitemap.xml': ['page'],
  '/feed.xml': [],
  '/merchant.xml': [],
}
/** As the router finds them: in any case, and lists as data of Remix, which nobody asks for but to pass the cache. */
const named = new Map(
  Object.keys({ ...pages, ...lists }).flatMap((path) => {
    const spelling = path.toLowerCase()
    const isFile = path in lists || path === '/catalog.html'
    return [[spelling, path] as const, ...(isFile ? [[`${spelling}.data`, path] as const] : [])]
  }),
)

const personalCookies = new RegExp(
  `(?:^|;\\s*)(?:${[...sessionCookies, ...signedOutCookies, ...toastCookies].join('|')})=`,
)

const listVary = ['Accept-Encoding']
const pageVary = ['Accept', 'Accept-Encoding', 'Available-Dictionary', 'Cookie']

const saveDataSuffix = '#saving'
/** Of the copy in the data centre that is for the time of an outage. */
const lastGoodSuffix = '#last'

const dictionaryPath = '/dictionary'
/** Where most visits begin, and what they come to. */
const dictionaryPages = ['/home', '/allInstruments']

interface Platform {
  env: object
  ctx: { waitUntil: (task: Promise<unknown>) => void }
  /** Part of the cache keys: a new build must not serve the pages of the last one. */
  version: string
  /** Asks whether another isolate has changed the settings. */
  listen?: () => Promise<void>
}

interface CacheTarget {
  /** Null for a URL with a query, which is not cached: there are too many. */
  key: string | null
  /** What is rendered: all spellings of a path are one. */
  url: string
  isPage: boolean
  isApi: boolean
  saveData: boolean
  /** The visitor has a session or a toast. */
  isPersonal: boolean
  /** It waits for its turn when no copy answers. */
  isPaced: boolean
}

/** A page of a list takes 4 to 6 ms and reserves 10: half of the time is left to orders, see `turns`. */
const rowsOfPage = 100

type Render = (request: Request) => Promise<Response>

/** Null if it is no public page or list; the caller then renders it. */
export function servePublicPage(request: Request, platform: Platform, render: Render): Promise<Response> | null {
  if (isDictionary(request)) return serveDictionary(request, platform, render)
  if (wantsText(request)) return serveText(request, platform, render)
  const target = cacheTarget(request)
  if (!target) return null
  if (!target.isPersonal) return serveCached(request, target, platform, render)
  return cacheOf(platform.env).ttl > 0 ? turns.take(rowsOfPage).then(() => render(request)) : null
}

/** Of a page as anybody gets it. Null for what is no public page. */
function serveText(request: Request, platform: Platform, render: Render): Promise<Response> | null {
  const page = new Request(request.url, { headers: { accept: 'text/html', 'cf-ray': requestIdOf(request) } })
  if (isReceiptCheck(request)) return render(withIp(page, request)).then((html) => textOf(request, html))
  const target = cacheTarget(page)
  return target?.isPage ? serveCopyAsText(request, page, target, platform, render) : null
}

async function serveCopyAsText(
  request: Request,
  page: Request,
  target: CacheTarget,
  platform: Platform,
  render: Render,
): Promise<Response> {
  const found = await findCopy(page, target, platform, render)
  if (found instanceof Response) return textOf(request, found)
  const { cached } = found
  cached.text ??= await textCopyOf(new Response(cached.body, { headers: cached.headers }))
  return respond(request, cached.text, { dictionary: null, isHit: true })
}

/** Public, and never cached. */
const isReceiptCheck = ({ url }: Request) => /^\/verify(\/|$)/i.test(new URL(url).pathname)

/** Its limit counts by IP address. */
function withIp(page: Request, { headers }: Request): Request {
  const ip = headers.get('cf-connecting-ip')
  if (ip !== null) page.headers.set('cf-connecting-ip', ip)
  return page
}

async function textOf(request: Request, html: Response): Promise<Response> {
  if (html.headers.has('location')) return html
  const { status } = html
  const copy = await textCopyOf(html)
  if (status === 200) return respond(request, copy, { dictionary: null, isHit: true })
  return new Response(request.method === 'HEAD' ? null : copy.body, { status, headers: copy.headers })
}

async function textCopyOf(html: Response): Promise<CachedResponse> {
  const body = new TextEncoder().encode(await pageText(html)).buffer
  const etag = await etagOf(body)
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8', vary: 'Accept, Accept-Encoding', etag })
  for (const name of [
    'cache-control',
    'warning',
    'retry-after',
    'x-content-type-options',
    'strict-transport-security',
  ]) {
    const value = html.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return { body, headers, etag, renderedAt: Date.now() }
}

/** Takes effect at once in this isolate, in others when their copy expires. */
export function invalidatePageCache(platform: Platform, what: Parameters<Deps['invalidate']>[0]): void {
  const cache = cacheOf(platform.env)
  if (what === 'stock') {
    cache.invalidateStock(Date.now())
    return
  }
  cache.invalidate(Date.now())
  const edge = edgeCache()
  if (!edge) return
  const keys = [...Object.keys(pages).flatMap((path) => [path, path + saveDataSuffix]), ...Object.keys(lists)]
  platform.ctx.waitUntil(Promise.all(keys.map((key) => edge.delete(edgeUrl(platform, key)))))
}

function cacheTarget(request: Request): CacheTarget | null {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return null
  // `new URL` would take longer than the rest of a cache hit.
  const [, origin = '', pathname = '', search = ''] = /^(\w+:\/\/[^/]+)([^?]*)(.*)$/.exec(request.url) ?? []
  const negotiated = negotiatedPath(request, pathname)
  if (negotiated === null) return null
  const path =
    named.get(
      decoded(negotiated)
        .replace(/(?<=.)\/+$/, '')
        .toLowerCase(),
    ) ?? negotiated
  const isPage = path in pages || below.some((prefix) => path.startsWith(prefix))
  if (!isPage && !(path in lists)) return null
  const isPersonal = isPage && path !== '/catalog.html' && personalCookies.test(headers.get('cookie') ?? '')
  const reads = pages[path] ?? lists[path] ?? []
  // Who logs in does not wait for readers.
  const isPaced = !(isPage && reads === 'any')
  if (isPersonal && !isPaced) return null
  const saveData = isPage && savesData(request)
  const query = reads === 'any' ? search : queryOf(reads, search)
  const isCached = query === '' || path === '/sitemap.xml'
  const key = isCached ? path + query + (saveData ? saveDataSuffix : '') : null
  const url = origin + publicPath(path) + query
  return { key, url, isPage, isApi: lists[path] === 'any', saveData, isPersonal, isPaced }
}

/** The part of a query that makes a difference. */
function queryOf(reads: readonly string[], search: string): string {
  if (search === '' || reads.length === 0) return ''
  const all = new URLSearchParams(search)
  const read = new URLSearchParams()
  for (const name of reads) {
    const value = all.get(name)
    if (value !== null) read.set(name, value)
  }
  return read.size > 0 ? `?${read}` : ''
}

async function serveCached(
  request: Request,
  target: CacheTarget,
  platform: Platform,
  render: Render,
): Promise<Response> {
  const dictionary = target.isPage ? await findDictionary(request, platform) : null
  const found = await findCopy(request, target, platform, render)
  const response =
    found instanceof Response ? found : await respond(request, found.cached, { dictionary, isHit: found.isHit })
  // The copy is that of everybody, also of a program of another origin.
  return target.isApi ? allowOrigin(request, response, readConfig(platform.env)) : response
}

interface FoundCopy {
  cached: CachedResponse
  /** It was there before. */
  isHit: boolean
}

/** A response is not cached, or the last copy before an outage. */
async function findCopy(
  request: Request,
  target: CacheTarget,
  platform: Platform,
  render: Render,
): Promise<FoundCopy | Response> {
  const cache = cacheOf(platform.env)
  const key = cache.ttl > 0 ? target.key : null
  const asFound = (rendered: CachedResponse | Response) =>
    rendered instanceof Response ? rendered : { cached: rendered, isHit: false }
  const renderNow = () => renderToCache(request, { ...target, key }, platform, render)
  if (key === null) {
    if (target.isPaced && cache.ttl > 0) await turns.take(rowsOfPage)
    return asFound(await renderNow())
  }
  const renderOnce = () => {
    const rendering = cache.renderOnce(key, Date.now(), renderNow)
    // Others wait for it: it goes on when this visitor leaves.
    platform.ctx.waitUntil(rendering.catch(() => undefined))
    return rendering
  }
  const entry = cache.get(key, Date.now()) ?? (await readEdge(platform, key))
  if (entry) {
    if (entry.stale && cache.shouldRender(Date.now())) void renderOnce()
    else if (platform.listen) platform.ctx.waitUntil(platform.listen())
    return { cached: entry.response, isHit: true }
  }
  const copy = cache.hasOutage ? await findLastGood(platform, key) : null
  if (copy) {
    if (cache.shouldRender(Date.now())) void renderOnce()
    return asOf(request, copy)
  }
  const { result, isOwn } = await renderOnce()
  // A response that is not cached can be read once.
  const rendered = isOwn || !(result instanceof Response) ? result : await renderNow()
  const lastGood = rendered instanceof Response && rendered.status === 503 ? await findLastGood(platform, key) : null
  return lastGood ? asOf(request, lastGood) : asFound(rendered)
}

/** The copy of this isolate, or of the data centre: this isolate may have begun after the database went away. */
async function findLastGood(platform: Platform, key: string): Promise<CachedResponse | null> {
  const cache = cacheOf(platform.env)
  if (cache.ttl === 0) return null
  return cache.lastGood(key, Date.now()) ?? (await readStored(platform, key + lastGoodSuffix))
}

async function renderToCache(
  request: Request,
  target: CacheTarget,
  platform: Platform,
  render: Render,
): Promise<CachedResponse | Response> {
  const { key, url, isPage, saveData } = target
  const publicHeaders = new Headers({
    accept: isPage ? 'text/html' : 'application/json',
    'cf-ray': requestIdOf(request),
  })
  if (saveData) publicHeaders.set('save-data', 'on')
  const renderedAt = Date.now()
  const response = await render(new Request(url, { headers: publicHeaders }))
  const cache = cacheOf(platform.env)
  if (response.status === 200 || response.status === 503) cache.setAway(response.status === 503, Date.now())
  const tag = response.headers.get('etag')
  // A list without an ETag is streamed: it is not read to its end unless there is a copy of it.
  const isStreamed = !isPage && tag === null && (key === null || cache.tooLarge.has(key))
  if (response.status !== 200 || response.headers.has('set-cookie') || isStreamed) {
    if (request.method !== 'HEAD') return response
    await response.body?.cancel()
    return new Response(null, response)
  }
  let read: ReadBody | null
  try {
    read = await readBody(response.body)
  } catch (error) {
    cache.setAway(true, Date.now())
    logError('error', 'request failed', error, { code: 'unavailable', requestId: requestIdOf(request), status: 503 })
    return errorJson(503, 'unavailable', 'The shop is unavailable right now. Try again in a moment.', {
      'retry-after': '10',
    })
  }
  if (!read) {
    cache.tooLarge.add(key!)
    return renderToCache(request, target, platform, render)
  }
  const { body, isPacked } = read
  const etag = tag ?? read.etag
  const headers = new Headers(response.headers)
  // It is the id of the request that rendered this, not of those that get it.
  headers.delete('x-request-id')
  headers.set('etag', etag)
  headers.set('cache-control', 'public, no-cache')
  if (isPage && !saveData) {
    headers.set('speculation-rules', '"/speculation-rules.json"')
    headers.set('link', `<${dictionaryPath}>; rel="compression-dictionary"`)
  }
  const varied = headers.get('vary')?.split(', ') ?? []
  for (const name of isPage ? pageVary : listVary) if (!varied.includes(name)) headers.append('vary', name)
  const cached = { body, isPacked, headers, etag, renderedAt }
  if (key !== null && cache.set(key, cached, Date.now())) {
    platform.ctx.waitUntil(writeEdge(platform, key, cached, cache.ttl))
    if (cache.shouldKeep(key, renderedAt)) {
      platform.ctx.waitUntil(writeEdge(platform, key + lastGoodSuffix, cached, staleIfError))
    }
  }
  return cached
}

interface Encodings {
  dictionary: Dictionary | null
  /** Brotli alone is for a page that is asked for again: it takes ten times as long. */
  isHit: boolean
}

async function respond(request: Request, cached: CachedResponse, { dictionary, isHit }: Encodings): Promise<Response> {
  const variant = cached.isPacked
    ? packedVariant(request, cached)
    : ((await dictionaryVariant(cached, dictionary)) ?? plainVariant(request, cached, isHit))
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

interface Variant {
  etag: string
  headers: Headers
  body: () => BodyInit
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

async function dictionaryVariant(cached: CachedResponse, dictionary: Dictionary | null): Promise<Variant | null> {
  if (!dictionary || !isCompressible(cached)) return null
  const { hash } = dictionary
  if (cached.byDictionary?.hash !== hash) {
    cached.byDictionary = { hash, body: await compressWith(dictionary, cached.body) }
  }
  const { body } = cached.byDictionary
  if (!body) return null
  const etag = cached.etag.replace(/"$/, `-${hash.slice(0, 8)}"`)
  const headers = new Headers(cached.headers)
  headers.set('content-encoding', 'dcb')
  headers.set('etag', etag)
  // The browser has the dictionary.
  headers.delete('link')
  return { etag, headers, body: () => body }
}

function plainVariant(request: Request, cached: CachedResponse, isHit: boolean): Variant {
  if (!isHit || !isCompressible(cached) || !accepts('br', request)) return { ...cached, body: () => cached.body }
  const brotli = (cached.brotli ??= brotliVariant(cached))
  return { ...brotli, body: () => (brotli.body ??= compress(cached.body)) }
}

function isDictionary({ method, url }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\w+:\/\/[^/]+\/dictionary$/.test(url)
}

/** The pages as anybody gets them: nothing personal is in a dictionary. */
async function serveDictionary(request: Request, platform: Platform, render: Render): Promise<Response> {
  const dictionaries = dictionariesOf(platform.env)
  let dictionary = dictionaries.current(Date.now())
  if (!dictionary) {
    const { origin } = new URL(request.url)
    const ask = (path: string) => new Request(origin + path, { headers: { accept: 'text/html' } })
    const responses = await Promise.all(
      dictionaryPages.map((path) => serveCached(ask(path), cacheTarget(ask(path))!, platform, render)),
    )
    const failure = responses.find(({ status }) => status !== 200)
    if (failure) return failure
    if (responses.some(({ headers }) => headers.has('warning'))) return new Response(null, { status: 503 })
    dictionary = await makeDictionary(await Promise.all(responses.map((response) => response.text())))
    dictionaries.replace(dictionary, Date.now())
    platform.ctx.waitUntil(storeDictionary(dictionary, platform))
  }
  const packed = accepts('br', request)
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=86400',
    // "": the service worker asks for a page by `fetch`.
    'use-as-dictionary': 'match="/*", match-dest=("document" "")',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  if (packed) headers.set('content-encoding', 'br')
  const body = packed ? (dictionary.packed ??= compress(dictionary.bytes.buffer)) : dictionary.bytes
  return new Response(request.method === 'HEAD' ? null : body, { headers, encodeBody: 'manual' })
}

async function findDictionary(request: Request, platform: Platform): Promise<Dictionary | null> {
  const hash = accepts('dcb', request) ? offeredDictionary(request) : null
  if (hash === null) return null
  const dictionaries = dictionariesOf(platform.env)
  const known = dictionaries.get(hash)
  if (known) return known
  const response = await edgeCache()?.match(dictionaryUrl(platform, hash))
  if (!response) return null
  const dictionary = await dictionaryOf(new Uint8Array(await response.arrayBuffer()))
  dictionaries.add(dictionary)
  return dictionary
}

/** For two days: a browser may have it for one after an hour. */
async function storeDictionary({ bytes, hash }: Dictionary, platform: Platform): Promise<void> {
  const response = new Response(bytes, { headers: { 'cache-control': 'public, max-age=172800' } })
  await edgeCache()?.put(dictionaryUrl(platform, hash), response)
}

/** Without the version: a new build compresses with the dictionaries of the last. */
function dictionaryUrl({ env }: Platform, hash: string): string {
  return `${readConfig(env).SHOP_ORIGIN}/__cache/dictionary/${encodeURIComponent(hash)}`
}

const bodyHeaders = [
  'link',
  'accept-ch',
  'content-type',
  'content-encoding',
  'content-security-policy',
  'cross-origin-opener-policy',
]

const allDictionaries = new WeakMap<object, Dictionaries>()

function dictionariesOf(env: object): Dictionaries {
  const existing = allDictionaries.get(env)
  if (existing) return existing
  const dictionaries = new Dictionaries()
  allDictionaries.set(env, dictionaries)
  return dictionaries
}

const memoryCaches = new WeakMap<object, MemoryCache>()

function cacheOf(env: object): MemoryCache {
  const existing = memoryCaches.get(env)
  if (existing) return existing
  const cache = new MemoryCache(readConfig(env).EDGE_CACHE_SECONDS * 1000)
  memoryCaches.set(env, cache)
  return cache
}

function edgeCache(): Cache | undefined {
  return typeof caches === 'undefined' ? undefined : (caches as unknown as { default: Cache }).default
}

function edgeUrl({ env, version }: Platform, key: string): string {
  return `${readConfig(env).SHOP_ORIGIN}/__cache/${version}/${encodeURIComponent(key)}`
}

/** Cloudflare's cache rewrites some headers, so ours are stored in one of their own. */
const [headersHeader, renderedAtHeader, packedHeader] = ['x-cache-headers', 'x-cache-rendered-at', 'x-cache-packed']

/** For `ttl` milliseconds. */
async function writeEdge(platform: Platform, key: string, cached: CachedResponse, ttl: number): Promise<void> {
  const { body, isPacked = false, headers, renderedAt } = cached
  const maxAge = Math.round(ttl / 1000)
  const response = new Response(body, {
    headers: {
      'cache-control': `public, max-age=${maxAge}`,
      [headersHeader]: JSON.stringify([...headers]),
      [renderedAtHeader]: String(renderedAt),
      [packedHeader]: String(isPacked),
    },
  })
  await edgeCache()?.put(edgeUrl(platform, key), response)
}

async function readEdge(platform: Platform, key: string): Promise<CacheEntry | null> {
  const stored = await readStored(platform, key)
  const cache = cacheOf(platform.env)
  return stored && cache.set(key, stored, Date.now()) ? cache.get(key, Date.now()) : null
}

async function readStored(platform: Platform, key: string): Promise<CachedResponse | null> {
  const response = await edgeCache()?.match(edgeUrl(platform, key))
  if (!response) return null
  const headers = new Headers(JSON.parse(response.headers.get(headersHeader) ?? '[]') as [string, string][])
  const etag = headers.get('etag') ?? ''
  const renderedAt = Number(response.headers.get(renderedAtHeader))
  const isPacked = response.headers.get(packedHeader) === 'true'
  return { body: await response.arrayBuffer(), isPacked, headers, etag, renderedAt }
}
