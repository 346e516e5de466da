import type { BrotliVariant, Representation } from './brotli.server'
import type { DictionaryVariant } from './dictionary.server'

/** In milliseconds. */
const staleWhileRevalidate = 60_000
/** In milliseconds. If each order invalidated at once, a busy shop would never hit the cache. */
const stockTtl = 1000
const maxBytes = 512 * 1024
/** Of 15 kB each; an isolate has 128 MB. */
const maxEntries = 500

export interface CachedResponse extends Representation {
  /** When rendering began, in milliseconds: later changes may be missing. */
  renderedAt: number
  brotli?: BrotliVariant
  /** With the dictionary of the last visitor who had one. */
  byDictionary?: DictionaryVariant
}

export interface CacheEntry {
  response: CachedResponse
  stale: boolean
}

export class MemoryCache {
  private readonly entries = new Map<string, CachedResponse>()
  private readonly revalidating = new Set<string>()
  private invalidatedAt = 0
  private stockInvalidatedAt = 0

  /** `ttl` in milliseconds; 0 disables the cache. */
  constructor(readonly ttl: number) {}

  get(key: string, now: number): CacheEntry | null {
    const response = this.entries.get(key)
    return response && this.isValid(response, now) ? { response, stale: now - response.renderedAt > this.ttl } : null
  }

  set(key: string, response: CachedResponse, now: number): boolean {
    if (response.body.byteLength > maxBytes || !this.isValid(response, now)) return false
    const previous = this.entries.get(key)
    const { brotli, byDictionary } = previous?.etag === response.etag ? previous : {}
    if (!previous && this.entries.size >= maxEntries) this.entries.delete(this.entries.keys().next().value!)
    this.entries.set(key, { ...response, ...(brotli && { brotli }), ...(byDictionary && { byDictionary }) })
    return true
  }

  async revalidate(key: string, render: () => Promise<unknown>): Promise<void> {
    if (this.revalidating.has(key)) return
    this.revalidating.add(key)
    try {
      await render()
    } finally {
      this.revalidating.delete(key)
    }
  }

  invalidate(now: number): void {
    this.invalidatedAt = now
  }

  /** Takes effect after `stockTtl`. */
  invalidateStock(now: number): void {
    this.stockInvalidatedAt = now
  }

  private isValid({ renderedAt }: CachedResponse, now: number): boolean {
    if (this.ttl === 0 || renderedAt <= this.invalidatedAt || now - renderedAt > this.ttl + staleWhileRevalidate)
      return false
    return renderedAt > this.stockInvalidatedAt || now - renderedAt < stockTtl
  }
}
