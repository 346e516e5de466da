import { bundleWorker } from '../dev/build'
import { fetchGenerator, loadInTurn, type Target } from './load'
import { signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'

interface Effort {
  rounds: number
  seconds: number
}

const html = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' }

export async function measureLoad(stage: Stage, results: Results, { rounds, seconds }: Effort): Promise<void> {
  fetchGenerator()
  const [database, sandbox] = [await stage.database(), await stage.sandbox()]
  const empty = await stage.worker({ script: 'bench/empty.mjs' })
  await bundleWorker('dist/bench', 'bench/bare-page.tsx')
  const bare = await stage.worker({ script: 'dist/bench/bare-page.js' })
  const cachedShop = await stage.shop(database, sandbox)
  const uncachedShop = await stage.shop(database, sandbox, { EDGE_CACHE_SECONDS: '0' })
  const { cookie } = await signIn(uncachedShop)
  const targets: Target[] = [
    { name: 'an empty Worker', served: empty, path: '/', headers: html },
    { name: 'a bare Remix page', served: bare, path: '/', headers: html },
    { name: 'home, cached', served: cachedShop, path: '/home', headers: html },
    { name: 'All Instruments, cached', served: cachedShop, path: '/allInstruments', headers: html },
    { name: 'GET /instruments, cached', served: cachedShop, path: '/instruments' },
    { name: 'home', served: uncachedShop, path: '/home', headers: html },
    { name: 'All Instruments', served: uncachedShop, path: '/allInstruments', headers: html },
    { name: 'GET /instruments', served: uncachedShop, path: '/instruments' },
    { name: 'purchase page', served: uncachedShop, path: '/instruments/violin-4-4', headers: { ...html, cookie } },
  ]
  const loads = await loadInTurn(targets, rounds, seconds)
  const base = loads['an empty Worker']!
  results.say(
    '## Load',
    '',
    `${rounds} rounds of ${seconds} seconds, 8 connections at a time. "Cached" pages are the same for everybody (decision 15); the others are rendered for each request.`,
  )
  results.table(
    ['', 'requests/s', 'of the empty Worker’s', 'CPU ms/request', 'p50 ms', 'p99 ms'],
    targets.map(({ name }) => {
      const { perSecond, cpuMs, p50, p99 } = loads[name]!
      return [name, Math.round(perSecond), perSecond / base.perSecond, cpuMs, p50, p99]
    }),
  )
  results.check(
    {
      what: 'home, cached: requests/s of the empty Worker’s',
      value: loads['home, cached']!.perSecond / base.perSecond,
      min: 0.7,
    },
    // 2.5 ms on a machine where a bare page cost 1.4 ms: a ratio is portable, milliseconds are not.
    {
      what: 'home, rendered: CPU of the bare Remix page’s',
      value: loads.home!.cpuMs / loads['a bare Remix page']!.cpuMs,
      max: 2.5 / 1.4,
    },
  )
}
