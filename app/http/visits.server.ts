import { dayOf, type Visits } from '../store/catalog/visits.server'
import { maxViewedADay } from '../store/shared/limits'
import { decoded } from './request/negotiate.server'

/** In milliseconds: what an isolate counts meanwhile goes to the database together. */
const interval = 5000
/** In milliseconds: a Worker may end 30 seconds after its response, and with it the writing. */
const longestWriting = 30_000

export type Visit = { slug: string } | 'search'

/** Of one isolate, in memory: with a slug that a page has, a number, and nothing else. */
export class VisitCounter {
  private days = new Map<number, Visits>()
  private writingSince = -Infinity

  /** Calls `writeLater` where nothing is about to write: it must call `take` within 30 seconds. */
  count(visit: Visit, now: number, writeLater: () => void): void {
    const day = dayOf(now)
    const visits = this.days.get(day) ?? { day, views: 0, searches: 0, viewsOf: new Map<string, number>() }
    this.days.set(day, visits)
    if (visit === 'search') visits.searches++
    else {
      visits.views++
      const views = visits.viewsOf.get(visit.slug)
      if (views !== undefined || visits.viewsOf.size < maxViewedADay) visits.viewsOf.set(visit.slug, (views ?? 0) + 1)
    }
    if (now - this.writingSince < longestWriting) return
    this.writingSince = now
    writeLater()
  }

  /** What was counted since the last time: once, so that a write that fails loses it rather than count it twice. */
  take(): Visits[] {
    const taken = [...this.days.values()]
    this.days = new Map()
    this.writingSince = -Infinity
    return taken
  }
}

const counter = new VisitCounter()

interface Platform {
  waitUntil: (task: Promise<unknown>) => void
  /** Never throws. */
  write: (visits: Visits[]) => Promise<void>
}

/** Counts a page of an instrument that a visitor got, or a search, wherever its response came from (decision 58). The write comes after it. */
export function noteVisit(request: Request, status: number, { waitUntil, write }: Platform): void {
  const visit = status === 200 || status === 304 ? visitOf(request) : null
  if (visit) counter.count(visit, Date.now(), () => waitUntil(writeLater(write)))
}

async function writeLater(write: Platform['write']): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, interval))
  await write(counter.take())
}

const instrumentPage = /^\w+:\/\/[^/]+(?:\/de)?\/catalog\/([^/?.]+)\/*(?:\?|$)/i
const listPage = /^\w+:\/\/[^/]+(?:\/de)?\/allinstruments\/*\?(.*)/i

/** Null for other pages, and for what nobody looks at: prefetching, copies to read offline, robots that say so. */
export function visitOf({ method, url, headers }: Request): Visit | null {
  if (method !== 'GET') return null
  const [, slug] = instrumentPage.exec(url) ?? []
  if (slug === undefined && !isFirstSearch(url)) return null
  const purpose = `${headers.get('sec-purpose')} ${headers.get('purpose')}`
  // Not the destination: of a page that is opened through the service worker it says `empty`.
  const mode = headers.get('sec-fetch-mode') ?? 'navigate'
  if (/prefetch/i.test(purpose) || mode !== 'navigate' || robots.test(headers.get('user-agent') ?? '')) return null
  return slug === undefined ? 'search' : { slug: decoded(slug) }
}

/** Its further pages are the same search. */
function isFirstSearch(url: string): boolean {
  const [, search] = listPage.exec(url) ?? []
  const params = new URLSearchParams(search)
  return (params.get('q') ?? '').trim() !== '' && (params.get('page') ?? '1') === '1'
}

/** A phone is called Cubot. */
const robots = /(?<!cu)bot|crawl|spider|slurp|externalhit|preview/i
