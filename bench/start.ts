import { median } from './load'
import type { Results } from './report'
import { usage } from '../dev/cpu'
import type { Served, Stage } from './stage'

const times = 7
/** Cloudflare's limit for the global scope of a Worker. */
const maxCpuMs = 1000

/** A visitor who wakes an isolate waits for it: the CPU time of a new workerd until its first page, and what an empty Worker needs of it. */
export async function measureStart(stage: Stage, results: Results): Promise<void> {
  const [database, sandbox] = [await stage.database(), await stage.sandbox()]
  const [shop, empty]: [Cost[], Cost[]] = [[], []]
  for (let n = 0; n < times; n++) {
    shop.push(await costOf(await stage.shop(database, sandbox)))
    empty.push(await costOf(await stage.worker({ script: 'bench/empty.mjs' })))
  }
  const middle = (costs: Cost[], what: keyof Cost) => median(costs.map((cost) => cost[what]))
  results.say('## Start', '', `Of a new workerd, until it has answered /login: medians of ${times}.`)
  results.table(
    ['', 'CPU ms', 'of which the first page', 'MB'],
    [
      ['the shop', middle(shop, 'cpuMs'), middle(shop, 'pageCpuMs'), middle(shop, 'megabytes')],
      ['an empty Worker', middle(empty, 'cpuMs'), middle(empty, 'pageCpuMs'), middle(empty, 'megabytes')],
    ],
  )
  const own = middle(shop, 'cpuMs') - middle(empty, 'cpuMs')
  results.check({ what: 'start of the Worker: CPU ms above an empty one', value: own, max: maxCpuMs })
}

interface Cost {
  cpuMs: number
  pageCpuMs: number
  megabytes: number
}

async function costOf({ origin, pid }: Served): Promise<Cost> {
  const before = usage(pid)
  await (await fetch(`${origin}/login`, { headers: { accept: 'text/html' } })).text()
  const { cpuMs, memory } = usage(pid)
  return { cpuMs, pageCpuMs: cpuMs - before.cpuMs, megabytes: memory / 1e6 }
}
