import type { AppLoadContext } from '@remix-run/cloudflare'
import { recordEmptySearch, wordsToKeep } from '../store/catalog/empty-searches.server'

/** At once, and afterwards one in so many milliseconds: a program that searches without end must not keep the database from orders. */
const [burst, interval] = [20, 2000]

export class Allowance {
  private usedUntil = -Infinity

  constructor(private readonly now: () => number) {}

  take(): boolean {
    const now = this.now()
    const begin = Math.max(this.usedUntil, now - burst * interval)
    if (begin + interval > now) return false
    this.usedUntil = begin + interval
    return true
  }
}

/** That of this isolate. Not of the clock, which tests set. */
const allowance = new Allowance(() => performance.now())

/** Counts a search that found nothing, after the response: the shopper does not wait, and a failure changes no page. */
export function noteEmptySearch(context: AppLoadContext, q: string): void {
  if (wordsToKeep(q) === null || !allowance.take()) return
  context.later(() => recordEmptySearch(context, q))
}
