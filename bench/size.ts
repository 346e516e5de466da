import { fetchGenerator, loadInTurn, type Target } from './load'
import type { Results } from './report'
import { usage, type Served, type Stage } from './stage'

const large = 100_000
const html = { accept: 'text/html' }

/** The same questions to a shop of 24 instruments and to one of 100,000. */
export async function measureSize(
  stage: Stage,
  results: Results,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  fetchGenerator()
  const sandbox = await stage.sandbox()
  const made = { EDGE_CACHE_SECONDS: '0' }
  const few = await stage.shop((await stage.database()).url, sandbox, made)
  const many = await stage.shop((await stage.database({ instruments: large - 24 })).url, sandbox, made)
  const questions = [
    { name: 'All Instruments', path: '/allInstruments', headers: html },
    { name: 'home', path: '/home', headers: html },
    { name: 'GET /instruments?limit=24', path: '/instruments?limit=24' },
    { name: 'GET /instruments?limit=24&q=flute', path: '/instruments?limit=24&q=flute' },
  ]
  const targets = questions.flatMap(({ name, ...question }): Target[] => [
    { ...question, name: `${name} few`, served: few, connections: 1 },
    { ...question, name: `${name} many`, served: many, connections: 1 },
  ])
  const loads = await loadInTurn(targets, rounds, seconds)
  results.say(
    '## At size',
    '',
    `One connection, ${rounds} rounds of ${seconds} seconds in turn; made for each request.`,
  )
  results.table(
    ['', 'mean ms at 24', `mean ms at ${large.toLocaleString('en-US')}`, 'ratio'],
    questions.map(({ name }) => {
      const [atFew, atMany] = [`${name} few`, `${name} many`].map((each) => 1000 / loads[each]!.perSecond)
      return [name, atFew!, atMany!, atMany! / atFew!]
    }),
  )
  const ratio = loads['All Instruments few']!.perSecond / loads['All Instruments many']!.perSecond
  results.hold({ what: `All Instruments at ${large} against 24`, seen: ratio, most: 1.3 })
  await readAll(many, results)
}

/** The whole catalogue in one answer, and what the Worker's memory makes of it. */
async function readAll(served: Served, results: Results): Promise<void> {
  const before = usage(served.pid).memory
  let most = before
  const watch = setInterval(() => (most = Math.max(most, usage(served.pid).memory)), 50)
  const begun = performance.now()
  const response = await fetch(`${served.origin}/instruments`)
  let [first, bytes] = [0, 0]
  const reader = response.body!.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    first ||= performance.now() - begun
    bytes += piece.value.length
  }
  clearInterval(watch)
  const seconds = (performance.now() - begun) / 1000
  results.say(
    `GET /instruments, all ${large.toLocaleString('en-US')}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, the first piece after ${first.toFixed(0)} ms; the Worker’s memory grew by ${((most - before) / 1e6).toFixed(0)} MB at most.`,
  )
}
