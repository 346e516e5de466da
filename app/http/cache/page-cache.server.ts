import type { Deps } from '../../store/deps'
import { bearerOf, isApiKey } from '../auth/bearer.server'
import { readConfig } from '../config.server'
import { logError, requestIdOf } from '../log.server'
import { variesBy } from '../request/negotiate.server'
import { readThrottle } from '../request/read-throttle.server'
import { allowOrigin } from '../response/cors.server'
import { errorJson } from '../response/errors'
import type { Step } from '../step'
import { asOf } from './as-of.server'
import { edgeCache, edgeUrl, readStored, writeEdge } from './edge.server'
import type { Access, Extra, Found, Platform } from './extra'
import * as registered from './extras.server'
import { MemoryCache, staleIfError, type CacheEntry } from './memory-cache.server'
import { readBody, type ReadBody } from './packed.server'
import { respond, type CachedResponse, type Encode } from './responses.server'
import { cacheTarget, namedKeys, type CacheTarget } from './target.server'

/*
 * Public pages and lists are cached for some seconds, in this isolate and in the data centre. They are rendered from a
 * request without the visitor's headers, so they cannot contain personal data (decision 15).
 */

/** Of the copy in the data centre that is for the time of an outage. */
const lastGoodSuffix = '#last'

/** A page of a list takes 4 to 6 ms and reserves 10: half of the time is left to orders, see `readThrottle`. */
const rowsOfPage = 100

type Render = (request: Request) => Promise<Response>

const extras: Extra[] = Object.values(registered)
const extraHeaders = extras.flatMap(({ headers = {} }) => Object.entries(headers))
const listVary = ['Accept-Encoding']
const pageVary = ['Accept', 'Accept-Encoding', ...extras.flatMap(({ vary = [] }) => vary), 'Cookie']

/** A public page or list is the same for everybody: its copy answers, if there is one. */
export const servePublicCopy: Step = async (request, platform, next) => {
  // A key is checked and counted also where its call is public.
  const isCounted = isApiKey(bearerOf(request.headers.get('authorization')))
  const response = await ((isCounted ? null : servePublicPage(request, platform, next)) ?? next(request))
  const vary = variesBy(request)
  if (vary !== null) response.headers.append('vary', vary)
  return response
}

/** Null if it is no public page or list; the caller then renders it. */
export function servePublicPage(request: Request, platform: Platform, render: Render): Promise<Response> | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  for (const { serve } of extras) {
    const response = serve?.(request, accessTo(platform, render))
    if (response) return response
  }
  const target = cacheTarget(request)
  if (!target) return null
  if (!target.isPersonal) return serveCached(request, target, platform, render)
  return cacheOf(platform.env).ttl > 0 ? readThrottle.take(rowsOfPage).then(() => render(request)) : null
}

function accessTo(platform: Platform, render: Render): Access {
  return {
    platform,
    find(request) {
      const target = cacheTarget(request)
      return target?.isPage ? findCopy(request, target, platform, render) : null
    },
    serve: (request) => serveCached(request, cacheTarget(request)!, platform, render),
  }
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
  platform.ctx.waitUntil(Promise.all(namedKeys.map((key) => edge.delete(edgeUrl(platform, key)))))
}

async function serveCached(
  request: Request,
  target: CacheTarget,
  platform: Platform,
  render: Render,
): Promise<Response> {
  const encode = target.isPage ? await encoderFor(request, platform) : null
  const found = await findCopy(request, target, platform, render)
  const response =
    found instanceof Response ? found : await respond(request, found.cached, { encode, isHit: found.isHit })
  if (target.isPage)
    for (const { headers = {}, isFor } of extras)
      if (isFor?.(request) === false) for (const name of Object.keys(headers)) response.headers.delete(name)
  // The copy is that of everybody, also of a program of another origin.
  return target.isApi ? allowOrigin(request, response, readConfig(platform.env)) : response
}

async function encoderFor(request: Request, platform: Platform): Promise<Encode | null> {
  for (const extra of extras) {
    const encode = await extra.encoderFor?.(request, platform)
    if (encode) return encode
  }
  return null
}

async function findCopy(request: Request, target: CacheTarget, platform: Platform, render: Render): Promise<Found> {
  const cache = cacheOf(platform.env)
  const key = cache.ttl > 0 ? target.key : null
  const asFound = (rendered: CachedResponse | Response) =>
    rendered instanceof Response ? rendered : { cached: rendered, isHit: false }
  const renderNow = () => renderToCache(request, { ...target, key }, platform, render)
  if (key === null) {
    if (target.isPaced && cache.ttl > 0) await readThrottle.take(rowsOfPage)
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
  if (isPage && !saveData) for (const [name, value] of extraHeaders) headers.set(name, value)
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

async function readEdge(platform: Platform, key: string): Promise<CacheEntry | null> {
  const stored = await readStored(platform, key)
  const cache = cacheOf(platform.env)
  return stored && cache.set(key, stored, Date.now()) ? cache.get(key, Date.now()) : null
}

const memoryCaches = new WeakMap<object, MemoryCache>()

function cacheOf(env: object): MemoryCache {
  const existing = memoryCaches.get(env)
  if (existing) return existing
  const cache = new MemoryCache(readConfig(env).EDGE_CACHE_SECONDS * 1000)
  memoryCaches.set(env, cache)
  return cache
}
