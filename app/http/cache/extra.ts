import type { CachedResponse, Encode } from './responses.server'

export interface Platform {
  env: object
  ctx: { waitUntil: (task: Promise<unknown>) => void }
  /** Part of the cache keys: a new build must not serve the pages of the last one. */
  version: string
  /** Asks whether another isolate has changed the settings. */
  listen?: () => Promise<void>
}

/** A response is not cached, or the last copy before an outage. `isHit`: the copy was there before. */
export type Found = { cached: CachedResponse; isHit: boolean } | Response

/** What an extra may ask of the cache. */
export interface Access {
  platform: Platform
  /** A public page as anybody gets it; null for what is none. */
  find(request: Request): Promise<Found> | null
  serve(request: Request): Promise<Response>
}

/** What the cache does without: a folder, and a line in `extras.server.ts`. */
export interface Extra {
  /** Answers reads of its own. Null: it is none. */
  serve?(request: Request, access: Access): Promise<Response> | null
  /** Of each public page, unless its visitor saves data. */
  headers?: Record<string, string>
  /** Whether the browser can make use of them. */
  isFor?(request: Request): boolean
  /** A header of requests by which pages vary. */
  vary?: string
  /** Null: the visitor does not take its encoding. */
  encoderFor?(request: Request, platform: Platform): Promise<Encode | null>
}
