import { fetchGenerator, loadInTurn, median } from './load'
import type { Results } from './report'
import { usage, type Stage } from './stage'

const requests = 20_000

/**
 * What the Worker holds in memory while it makes the home page 20,000 times. The garbage collector lets it go up and down: medians
 * of a quarter each are compared.
 */
export async function measureMemory(stage: Stage, results: Results): Promise<void> {
  fetchGenerator()
  const served = await stage.shop((await stage.database()).url, await stage.sandbox(), { EDGE_CACHE_SECONDS: '0' })
  const target = { name: 'home', served, path: '/home', headers: { accept: 'text/html' } }
  const seen: { answered: number; megabytes: number }[] = []
  let answered = 0
  const watch = setInterval(() => seen.push({ answered, megabytes: usage(served.pid).memory / 1e6 }), 100)
  while (answered < requests) answered += (await loadInTurn([target], 1, 2)).home!.requests
  clearInterval(watch)
  const quarters = [0, 1, 2, 3].map((quarter) =>
    seen.filter((each) => Math.min(3, Math.floor((4 * each.answered) / requests)) === quarter),
  )
  const medians = quarters.map((quarter) => median(quarter.map(({ megabytes }) => megabytes)))
  results.say(
    '## Memory',
    '',
    'Resident memory of workerd while it makes the home page again and again: medians of 10 samples a second.',
  )
  results.table(
    ['requests', 'MB'],
    medians.map((megabytes, quarter) => [
      `${(quarter * requests) / 4} to ${((quarter + 1) * requests) / 4}`,
      megabytes,
    ]),
  )
  // The first quarter fills what is kept on purpose: compiled code, the garbage collector's room.
  results.hold({
    what: 'memory in the last 5,000 of 20,000 requests against the second',
    seen: medians[3]! / medians[1]!,
    most: 1.2,
  })
}
