import type { AppLoadContext } from '@remix-run/cloudflare'
import { recordEmptySearch, wordsToKeep } from '../store/catalog/empty-searches.server'

interface Rate {
  /** At once, */
  burst: number
  /** and afterwards one in so many milliseconds. */
  interval: number
}

export class Allowance {
  private usedUntil = -Infinity

  constructor(
    private readonly now: () => number,
    private readonly rate: Rate,
  ) {}

  take(): boolean {
    const { burst, interval } = this.rate
    const now = this.now()
    const begin = Math.max(this.usedUntil, now - burst * interval)
    if (begin + interval > now) return false
    this.usedUntil = begin + interval
    return true
  }
}

/** A program that searches without end must not keep the database from orders. */
const ofAll = { burst: 20, interval: 2000 }
/** And must not put its own words in place of those of shoppers. */
const ofAddress = { burst: 20, interval: 60_000 }
const maxAddresses = 500

/** Not by the clock of the shop, which tests set. */
const now = () => performance.now()
const all = new Allowance(now, ofAll)

/** In the memory of this isolate alone: what an address has searched for, the address that has searched last at the end. */
const addresses = new Map<string, { allowance: Allowance; words: Set<string> }>()

/** Whether these words of this address count: once, so that nobody alone makes them look wanted. */
function isCounted(ip: string, words: string): boolean {
  const address = addresses.get(ip) ?? { allowance: new Allowance(now, ofAddress), words: new Set() }
  addresses.delete(ip)
  addresses.set(ip, address)
  if (addresses.size > maxAddresses) addresses.delete(addresses.keys().next().value!)
  if (address.words.has(words) || !address.allowance.take() || !all.take()) return false
  address.words.add(words)
  return true
}

/** Counts a search that found nothing, after the response: the shopper does not wait, and a failure changes no page. */
export function noteEmptySearch(context: AppLoadContext, q: string): void {
  const words = wordsToKeep(q)
  if (words === null || !isCounted(context.ip, words)) return
  context.later(() => recordEmptySearch(context, q))
}
