import { fetchGenerator, loadInTurn } from './load'
import type { Results } from './report'
import { usage, type Stage } from './stage'

const requests = 20_000

/** What the Worker holds in memory while it answers 20,000 times. */
export async function measureMemory(stage: Stage, results: Results): Promise<void> {
  fetchGenerator()
  const served = await stage.shop((await stage.database()).url, await stage.sandbox(), { EDGE_CACHE_SECONDS: '0' })
  const target = { name: 'home', served, path: '/home', headers: { accept: 'text/html' } }
  const seen: [number, number][] = []
  for (let answered = 0; answered < requests;) {
    const { home } = await loadInTurn([target], 1, 5)
    answered += home!.requests
    seen.push([answered, usage(served.pid).memory / 1e6])
  }
  results.say('## Memory', '', 'Resident memory of workerd while it makes the home page again and again.')
  results.table(['requests so far', 'MB'], seen)
  // The first quarter fills what is kept on purpose: compiled code, the garbage collector's room.
  const warm = seen.filter(([answered]) => answered > requests / 4).map(([, megabytes]) => megabytes)
  results.hold({ what: 'memory after 20,000 requests against after 5,000', seen: warm.at(-1)! / warm[0]!, most: 1.2 })
}
