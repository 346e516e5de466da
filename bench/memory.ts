import { fetchGenerator, fire, median } from './load'
import type { Results } from './report'
import { usage } from '../dev/cpu'
import type { Stage } from './stage'

const [requests, burst] = [20_000, 500]
const quarters = [0, 1, 2, 3]

/** Requests come in bursts: under constant load workerd postpones garbage collection, even for an empty Worker. */
export async function measureMemory(stage: Stage, results: Results): Promise<void> {
  fetchGenerator()
  const served = await stage.shop(await stage.database(), await stage.sandbox(), { EDGE_CACHE_SECONDS: '0' })
  const target = { name: 'home', served, path: '/home', headers: { accept: 'text/html' } }
  const samples: number[] = []
  for (let answered = 0; answered < requests; answered += burst) {
    await fire(target, { times: burst })
    samples.push(usage(served.pid).memory / 1e6)
  }
  const each = samples.length / quarters.length
  const medians = quarters.map((quarter) => median(samples.slice(quarter * each, (quarter + 1) * each)))
  results.say(
    '## Memory',
    '',
    `Resident memory of workerd while it renders the home page: medians of a sample every ${burst} requests.`,
  )
  results.table(
    ['requests', 'MB'],
    medians.map((megabytes, quarter) => [
      `${(quarter * requests) / 4} to ${((quarter + 1) * requests) / 4}`,
      megabytes,
    ]),
  )
  // The first quarter fills compiled code and the heap.
  results.check({
    what: 'memory in the last 5,000 of 20,000 requests against the second',
    value: medians[3]! / medians[1]!,
    max: 1.2,
  })
}
