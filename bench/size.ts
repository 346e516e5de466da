import { openDatabase } from '../app/db/open.server'
import { searchInstruments, searchList } from '../app/store/catalog/search/search-instruments.server'
import { scriptDeps } from '../dev/script-deps'
import { median } from './load'
import type { Results } from './report'
import { usage } from '../dev/cpu'
import type { Database, Served, Stage } from './stage'

const large = 100_000
const html = { accept: 'text/html' }

export async function measureSize(
  stage: Stage,
  results: Results,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const sandbox = await stage.sandbox()
  const uncached = { EDGE_CACHE_SECONDS: '0' }
  const small = await stage.shop(await stage.database(), sandbox, uncached)
  const bigDatabase = await stage.database({ instruments: large - 24 })
  const big = await stage.shop(bigDatabase, sandbox, uncached)
  const questions = [
    { name: 'All Instruments', path: '/allInstruments', headers: html },
    { name: 'search: clarinet', path: '/allInstruments?q=clarinet', headers: html },
    { name: 'search: clarinett, corrected', path: '/allInstruments?q=clarinett', headers: html },
    { name: 'search: flute, which most match', path: '/allInstruments?q=flute', headers: html },
    { name: 'search: flute, by price', path: '/allInstruments?q=flute&sort=price', headers: html },
    { name: 'search: flute, by name', path: '/allInstruments?q=flute&sort=name', headers: html },
    { name: 'search: bamboo, which 1,450 match, by price', path: '/allInstruments?q=bamboo&sort=price', headers: html },
    {
      name: 'search: piccolo, which 10,000 match, by price',
      path: '/allInstruments?q=piccolo&sort=price',
      headers: html,
    },
    { name: 'an instrument', path: '/catalog/concert-violin-4-4', headers: html },
    { name: 'an instrument with a name that most have', path: '/catalog/concert-flute-in-c', headers: html },
    { name: 'home', path: '/home', headers: html },
    { name: 'GET /instruments?limit=24', headers: {}, path: '/instruments?limit=24' },
    { name: 'GET /instruments?limit=24&q=flute', headers: {}, path: '/instruments?limit=24&q=flute' },
    { name: 'GET /instruments?limit=24&q=piccolo', headers: {}, path: '/instruments?limit=24&q=piccolo' },
  ]
  const requestCount = rounds * seconds * 20
  results.say(
    '## At size',
    '',
    `Medians of ${requestCount} answers each, one by one, to a shop of 24 and a shop of ${large.toLocaleString('en-US')} in turn; rendered for each request.`,
  )
  const rows: [string, number, number, number][] = []
  for (const { name, path, headers } of questions) {
    const [atFew, atMany] = await inTurn([small.origin + path, big.origin + path], { headers }, requestCount)
    rows.push([name, atFew!, atMany!, atMany! / atFew!])
  }
  results.table(['', 'ms at 24', `ms at ${large.toLocaleString('en-US')}`, 'ratio'], rows)
  results.check(...rows.map(([what, , , value]) => ({ what: `${what}: ${large} against 24`, value, max: 1.5 })))
  await measureSearches([await stage.database({ instruments: page }), bigDatabase], results, requestCount * 5)
  await readAll(big, results)
}

/** Instruments on a page of a search: the small shop has as many flutes, so that both answers are equally long. */
const page = 24

const searches: { name: string; run: (deps: ReturnType<typeof scriptDeps>) => Promise<unknown> }[] = [
  ...(['flute', 'clarinet', 'clarinett', 'theremin'] as const).map((q) => ({
    name: `search: ${q}`,
    run: (deps: ReturnType<typeof scriptDeps>) => searchInstruments(deps, { q, page: 1, size: page, inStock: false }),
  })),
  ...(['price', 'name', 'newest'] as const).map((sort) => ({
    name: `search: flute, by ${sort}`,
    run: (deps: ReturnType<typeof scriptDeps>) =>
      searchInstruments(deps, { q: 'flute', sort, page: 1, size: page, inStock: false }),
  })),
  { name: 'JSON list: flute', run: (deps) => searchList(deps, { q: 'flute', limit: page }) },
]

/** CPU of the database alone: the other processes of the machine do not count. */
async function measureSearches(databases: Database[], results: Results, times: number): Promise<void> {
  const shops = databases.map((database) => ({ pid: database.pid, deps: scriptDeps(openDatabase(database)) }))
  const rows: [string, number, number, number][] = []
  for (const { name, run } of searches) {
    const used = shops.map(() => 0)
    for (let turn = 0; turn < 10; turn++) {
      for (const [index, { pid, deps }] of shops.entries()) {
        const before = usage(pid).cpuMs
        for (let time = 0; time < times / 10; time++) await run(deps)
        // The first turn warms up.
        if (turn > 0) used[index]! += usage(pid).cpuMs - before
      }
    }
    const [atFew, atMany] = used.map((cpuMs) => cpuMs / (times * 0.9))
    rows.push([name, atFew!, atMany!, atMany! / atFew!])
  }
  results.say(
    `CPU milliseconds of the database for a search, ${times} each in turn, of pages with ${page} instruments:`,
  )
  results.table(['', `ms at ${page * 2}`, `ms at ${large.toLocaleString('en-US')}`, 'ratio'], rows)
  results.check(
    ...rows.map(([what, , , value]) => ({
      what: `${what}, CPU of the database: ${large} against ${page * 2}`,
      value,
      max: 1.5,
    })),
  )
}

async function inTurn(addresses: string[], init: RequestInit, times: number): Promise<number[]> {
  const durations = addresses.map((): number[] => [])
  // The first tenth warms up.
  for (let time = -times / 10; time < times; time++) {
    for (const [index, address] of addresses.entries()) {
      const startedAt = performance.now()
      const response = await fetch(address, init)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${address} answers ${response.status}`)
      if (time >= 0) durations[index]!.push(performance.now() - startedAt)
    }
  }
  return durations.map(median)
}

async function readAll(served: Served, results: Results): Promise<void> {
  const before = usage(served.pid).memory
  let maxMemory = before
  const watch = setInterval(() => (maxMemory = Math.max(maxMemory, usage(served.pid).memory)), 50)
  const startedAt = performance.now()
  const response = await fetch(`${served.origin}/instruments`)
  let [first, bytes] = [0, 0]
  const reader = response.body!.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    first ||= performance.now() - startedAt
    bytes += piece.value.length
  }
  clearInterval(watch)
  const seconds = (performance.now() - startedAt) / 1000
  results.say(
    `GET /instruments, all ${large.toLocaleString('en-US')}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, the first chunk after ${first.toFixed(0)} ms; the Worker’s memory grew by ${((maxMemory - before) / 1e6).toFixed(0)} MB at most.`,
  )
}
