import type { Packed, Representation } from './brotli.server'

/** How long past its freshness an answer is still given, while a new one is made; in milliseconds. */
const staleFor = 60_000
/** How old what is shown of stock may be while it moves, in milliseconds: orders that come in one after another would leave nothing to keep. */
const stockLag = 1000
/** Larger answers are not kept: whoever asks for the whole of a large catalogue waits for it. */
const mostBytes = 512 * 1024

/** An answer with status 200 that is the same for everybody. */
export interface Kept extends Representation {
  /** When the shop began to make it (milliseconds since 1970): what has changed since then is not in it. */
  begun: number
  packed?: Packed
}

/** What an isolate keeps, by key: nothing that is known not to be true any more, and nothing old. */
export class Keeper {
  private readonly kept = new Map<string, Kept>()
  private readonly renewing = new Set<string>()
  private changedAt = 0
  private movedAt = 0

  /** `freshFor` in milliseconds; with 0 nothing is kept. */
  constructor(readonly freshFor: number) {}

  /** What can be shown, and whether it is time to make it anew. */
  find(key: string, now: number): { kept: Kept; stale: boolean } | null {
    const kept = this.kept.get(key)
    return kept && this.isTrue(kept, now) ? { kept, stale: now - kept.begun > this.freshFor } : null
  }

  /** False when it is not worth keeping. What is as it was before need not be packed again. */
  keep(key: string, kept: Kept, now: number): boolean {
    if (kept.body.byteLength > mostBytes || !this.isTrue(kept, now)) return false
    const before = this.kept.get(key)
    this.kept.set(key, before?.packed && before.etag === kept.etag ? { ...kept, packed: before.packed } : kept)
    return true
  }

  /** Runs `renew`, unless that runs already for this key. */
  async once(key: string, renew: () => Promise<unknown>): Promise<void> {
    if (this.renewing.has(key)) return
    this.renewing.add(key)
    try {
      await renew()
    } finally {
      this.renewing.delete(key)
    }
  }

  /** Nothing that was begun before counts any more. */
  changed(now: number): void {
    this.changedAt = now
  }

  /** The same, a moment later: pieces were ordered or given back. */
  moved(now: number): void {
    this.movedAt = now
  }

  private isTrue({ begun }: Kept, now: number): boolean {
    if (this.freshFor === 0 || begun <= this.changedAt || now - begun > this.freshFor + staleFor) return false
    return begun > this.movedAt || now - begun < stockLag
  }
}
