import type { BrotliVariant, Representation } from './brotli.server'
import type { DictionaryVariant } from './dictionary.server'

/** In milliseconds. */
const staleWhileRevalidate = 60_000
/** In milliseconds. If each order invalidated at once, a busy shop would never hit the cache. */
const stockTtl = 1000
/** In milliseconds: how old a copy may be while the database is away. */
export const staleIfError = 6 * 60 * 60_000
/** In milliseconds, between two tries to reach a database that is away. */
const probeInterval = 5000
/** In milliseconds: a copy for the time of an outage is stored in the data centre this often. */
const keepInterval = 5 * 60_000
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
  private isAway = false
  private probedAt = 0
  private readonly keptAt = new Map<string, number>()

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

  /** The last copy, invalidated or not: better than nothing while the database is away. */
  lastGood(key: string, now: number): CachedResponse | null {
    const response = this.entries.get(key)
    return response && now - response.renderedAt <= staleIfError ? response : null
  }

  /** What the last rendering met. */
  setAway(isAway: boolean, now: number): void {
    this.isAway = isAway
    this.probedAt = now
  }

  /** While the database is away, one visit in five seconds looks whether it is back; the others do not wait for it. */
  shouldRender(now: number): boolean {
    if (this.isAway && now - this.probedAt < probeInterval) return false
    this.probedAt = now
    return true
  }

  get hasOutage(): boolean {
    return this.isAway
  }

  /** True at most every five minutes. */
  shouldKeep(key: string, now: number): boolean {
    if (now - (this.keptAt.get(key) ?? -keepInterval) < keepInterval) return false
    if (this.keptAt.size >= maxEntries) this.keptAt.clear()
    this.keptAt.set(key, now)
    return true
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
