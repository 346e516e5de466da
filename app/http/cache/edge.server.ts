import { readConfig } from '../config.server'
import type { Platform } from './extra'
import type { CachedResponse } from './responses.server'

/** The cache of the data centre; none in a test. */
export function edgeCache(): Cache | undefined {
  return typeof caches === 'undefined' ? undefined : (caches as unknown as { default: Cache }).default
}

export function edgeUrl({ env, version }: Platform, key: string): string {
  return `${readConfig(env).SHOP_ORIGIN}/__cache/${version}/${encodeURIComponent(key)}`
}

/** Cloudflare's cache rewrites some headers, so ours are stored in one of their own. */
const [headersHeader, renderedAtHeader, packedHeader] = ['x-cache-headers', 'x-cache-rendered-at', 'x-cache-packed']

/** For `ttl` milliseconds. */
export async function writeEdge(platform: Platform, key: string, cached: CachedResponse, ttl: number): Promise<void> {
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

export async function readStored(platform: Platform, key: string): Promise<CachedResponse | null> {
  const response = await edgeCache()?.match(edgeUrl(platform, key))
  if (!response) return null
  const headers = new Headers(JSON.parse(response.headers.get(headersHeader) ?? '[]') as [string, string][])
  const etag = headers.get('etag') ?? ''
  const renderedAt = Number(response.headers.get(renderedAtHeader))
  const isPacked = response.headers.get(packedHeader) === 'true'
  return { body: await response.arrayBuffer(), isPacked, headers, etag, renderedAt }
}
