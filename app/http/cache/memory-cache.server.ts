import type { BrotliVariant, Representation } from './brotli.server'

/** How long past its freshness an answer is still given, while a new one is made; in milliseconds. */
const staleWhileRevalidate = 60_000
/** How old what is shown of stock may be while it moves, in milliseconds: orders that come in one after another would leave nothing to keep. */
const stockTtl = 1000
/** Larger answers are not kept: whoever asks for the whole of a large catalogue waits for it. */
const maxBytes = 512 * 1024

/** An answer with status 200 that is the same for everybody. */
export interface CachedResponse extends Representation {
  /** When the shop began to make it (milliseconds since 1970): what has changed since then is not in it. */
  renderedAt: number
  brotli?: BrotliVariant
}

/** What an isolate keeps, by key: nothing that is known not to be true any more, and nothing old. */
export class MemoryCache {
  private readonly entries = new Map<string, CachedResponse>()
  private readonly renewing = new Set<string>()
  private invalidatedAt = 0
  private stockInvalidatedAt = 0

  /** `freshFor` in milliseconds; with 0 nothing is kept. */
  constructor(readonly ttl: number) {}

  /** What can be shown, and whether it is time to make it anew. */
  get(key: string, now: number): { kept: CachedResponse; stale: boolean } | null {
    const kept = this.entries.get(key)
    return kept && this.isValid(kept, now) ? { kept, stale: now - kept.renderedAt > this.ttl } : null
  }

  /** False when it is not worth keeping. What is as it was before need not be packed again. */
  set(key: string, kept: CachedResponse, now: number): boolean {
    if (kept.body.byteLength > maxBytes || !this.isValid(kept, now)) return false
    const before = this.entries.get(key)
    this.entries.set(key, before?.brotli && before.etag === kept.etag ? { ...kept, brotli: before.brotli } : kept)
    return true
  }

  /** Runs `renew`, unless that runs already for this key. */
  async revalidate(key: string, renew: () => Promise<unknown>): Promise<void> {
    if (this.renewing.has(key)) return
    this.renewing.add(key)
    try {
      await renew()
    } finally {
      this.renewing.delete(key)
    }
  }

  /** Nothing that was renderedAt before counts any more. */
  invalidate(now: number): void {
    this.invalidatedAt = now
  }

  /** The same, a moment later: pieces were ordered or given back. */
  invalidateStock(now: number): void {
    this.stockInvalidatedAt = now
  }

  private isValid({ renderedAt }: CachedResponse, now: number): boolean {
    if (this.ttl === 0 || renderedAt <= this.invalidatedAt || now - renderedAt > this.ttl + staleWhileRevalidate)
      return false
    return renderedAt > this.stockInvalidatedAt || now - renderedAt < stockTtl
  }
}
