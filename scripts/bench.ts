/*
 * `npm run bench`: load, orders, start, memory, bytes and paint times. Writes bench/results.md; exits with 1 over budget.
 * npm run bench -- [--rounds 5] [--seconds 4] [--only load,orders,readers,size,start,memory,bytes,paint] [--dry]
 * `--dry` does not write the file; `--only` writes just these parts.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatted } from '../dev/format'
import { measureBytes } from '../bench/bytes'
import { measureLoad } from '../bench/throughput'
import { measureOrders } from '../bench/orders'
import { measureMemory } from '../bench/memory'
import { measurePaint } from '../bench/paint'
import { Results } from '../bench/report'
import { measureReaders } from '../bench/readers'
import { measureSize } from '../bench/size'
import { Stage } from '../bench/stage'
import { measureStart } from '../bench/start'
import { buildIfStale } from '../dev/build'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    dry: { type: 'boolean', default: false },
  },
})
const parts = {
  load: measureLoad,
  orders: measureOrders,
  readers: measureReaders,
  size: measureSize,
  start: measureStart,
  memory: measureMemory,
  bytes: measureBytes,
  paint: measurePaint,
}
const selected = values.only?.split(',') ?? Object.keys(parts)
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
if (!(rounds >= 1) || !(seconds >= 1) || selected.some((name) => !(name in parts))) {
  console.error(`Usage: npm run bench -- [--rounds 5] [--seconds 4] [--only ${Object.keys(parts).join(',')}] [--dry]`)
  process.exit(2)
}

// An exit stops the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

await buildIfStale(console.log)
const results = new Results()
for (const name of selected) {
  console.log(`\n${name} …`)
  const stage = new Stage()
  try {
    await parts[name as keyof typeof parts](stage, results, { rounds, seconds })
  } finally {
    await stage.close()
  }
}
if (!values.dry) writeFileSync('bench/results.md', await formatted('bench/results.md', String(results)))
const failures = results.overBudget()
for (const { what, value, max, min } of failures)
  console.error(`Over budget: ${what} is ${value}, the limit is ${max ?? min}.`)
console.log(failures.length === 0 ? 'Every budget is held.' : `${failures.length} budgets are broken.`)
process.exit(failures.length === 0 ? 0 : 1)
