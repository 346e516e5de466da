import { bundleWorker } from '../dev/build'
import { fetchGenerator, loadInTurn, type Target } from './load'
import { orderBy, signIn } from './people'
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
  const keeping = await stage.shop(database.url, sandbox)
  const making = await stage.shop(database.url, sandbox, { EDGE_CACHE_SECONDS: '0' })
  const { cookie, token } = await signIn(making)
  const targets: Target[] = [
    { name: 'an empty Worker', served: empty, path: '/', headers: html },
    { name: 'a bare Remix page', served: bare, path: '/', headers: html },
    { name: 'home, kept', served: keeping, path: '/home', headers: html },
    { name: 'All Instruments, kept', served: keeping, path: '/allInstruments', headers: html },
    { name: 'GET /instruments, kept', served: keeping, path: '/instruments' },
    { name: 'home', served: making, path: '/home', headers: html },
    { name: 'All Instruments', served: making, path: '/allInstruments', headers: html },
    { name: 'GET /instruments', served: making, path: '/instruments' },
    { name: 'purchase page', served: making, path: '/instruments/violin-4-4', headers: { ...html, cookie } },
    { name: 'POST /order', served: making, path: '/order', ...orderBy(token) },
  ]
  const loads = await loadInTurn(targets, rounds, seconds)
  const base = loads['an empty Worker']!
  results.say(
    '## Load',
    '',
    `${rounds} rounds of ${seconds} seconds, 8 connections at a time. "Kept" is what everybody sees (decision 15); the others are made for each request.`,
  )
  results.table(
    ['', 'requests/s', 'of the empty Worker’s', 'CPU ms/request', 'p50 ms', 'p99 ms'],
    targets.map(({ name }) => {
      const { perSecond, cpuMs, p50, p99 } = loads[name]!
      return [name, Math.round(perSecond), perSecond / base.perSecond, cpuMs, p50, p99]
    }),
  )
  results.hold(
    {
      what: 'home, kept: requests/s of the empty Worker’s',
      seen: loads['home, kept']!.perSecond / base.perSecond,
      least: 0.7,
    },
    // 2.5 ms on a machine where a bare page cost 1.4 ms: a ratio is portable, milliseconds are not.
    {
      what: 'home, made: CPU of the bare Remix page’s',
      seen: loads.home!.cpuMs / loads['a bare Remix page']!.cpuMs,
      most: 2.5 / 1.4,
    },
  )
}
