import { startOfDay } from '../../store/shared/dates'
import type { CachedResponse } from './responses.server'
import { SharedWork } from '../shared-work.server'

/** In milliseconds. */
const staleWhileRevalidate = 60_000
/** In milliseconds. If each order invalidated at once, a busy shop would never hit the cache. */
const stockTtl = { page: 1000, packed: 15_000 }
/** In milliseconds: how old a copy may be while the database is away. */
export const staleIfError = 6 * 60 * 60_000
/** In milliseconds, between two tries to reach a database that is away. */
const probeInterval = 5000
/** In milliseconds: a copy for the time of an outage is stored in the data centre this often. */
const keepInterval = 5 * 60_000
/** In milliseconds. The request of a rendering may have been cancelled, and the rendering with it: then it never ends. */
const longestRendering = 30_000
/** An isolate has 128 MB: most entries are pages of 15 kB. */
const [maxEntries, maxBytes] = [500, 24 * 1024 * 1024]

export interface CacheEntry {
  response: CachedResponse
  stale: boolean
}

export class MemoryCache {
  private readonly entries = new Map<string, CachedResponse>()
  private readonly renderings = new Map<string, { startedAt: number; work: SharedWork<unknown> }>()
  private bytes = 0
  private invalidatedAt = 0
  private stockInvalidatedAt = 0
  private isAway = false
  private probedAt = 0
  private readonly keptAt = new Map<string, number>()
  /** Keys of lists that are too large for a copy: they are streamed to each visitor. */
  readonly tooLarge = new Set<string>()

  /** `ttl` in milliseconds; 0 disables the cache. */
  constructor(readonly ttl: number) {}

  get(key: string, now: number): CacheEntry | null {
    const response = this.entries.get(key)
    return response && this.isValid(response, now) ? { response, stale: now - response.renderedAt > this.ttl } : null
  }

  set(key: string, response: CachedResponse, now: number): boolean {
    if (!this.isValid(response, now)) return false
    const previous = this.entries.get(key)
    // The same body: what was made of it goes on to serve.
    const { brotli, body = response.body } = previous?.etag === response.etag ? previous : {}
    this.delete(key)
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < maxEntries && this.bytes + response.body.byteLength <= maxBytes) break
      this.delete(oldest)
    }
    this.bytes += response.body.byteLength
    this.entries.set(key, { ...response, body, ...(brotli && { brotli }) })
    return true
  }

  private delete(key: string): void {
    this.bytes -= this.entries.get(key)?.body.byteLength ?? 0
    this.entries.delete(key)
  }

  /** One rendering of a key at a time, for all who ask meanwhile. Who asks after a change gets none that began before it. */
  async renderOnce<T>(key: string, now: number, render: () => Promise<T>): Promise<{ result: T; isOwn: boolean }> {
    const current = this.renderings.get(key)
    if (current && current.startedAt > this.invalidatedAt) {
      const found = await current.work.wait(current.startedAt + longestRendering - now)
      if (found) return { result: found.value as T, isOwn: false }
    }
    const own = { startedAt: now, work: new SharedWork(render) }
    this.renderings.set(key, own)
    try {
      return { result: await own.work.result, isOwn: true }
    } finally {
      if (this.renderings.get(key) === own) this.renderings.delete(key)
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

  /** Takes effect on copies that are `stockTtl` old. */
  invalidateStock(now: number): void {
    this.stockInvalidatedAt = now
  }

  private isValid({ renderedAt, isPacked }: CachedResponse, now: number): boolean {
    if (this.ttl === 0 || renderedAt <= this.invalidatedAt || now - renderedAt > this.ttl + staleWhileRevalidate)
      return false
    // Sales begin and end with a day of the shop.
    if (renderedAt < startOfDay(now)) return false
    return renderedAt > this.stockInvalidatedAt || now - renderedAt < (isPacked ? stockTtl.packed : stockTtl.page)
  }
}
