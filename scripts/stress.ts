/*
 * npm run check -- stress [--scale 0.1] [--seed 7] [--only races,events] [--replay PATH]
 * `--replay` repeats the sequence that a failed property prints, with its seed. Exits with 1 on any failure.
 */
import { parseArgs } from 'node:util'
import { runCrashes } from '../tests/stress/campaigns/crashes'
import { runEvents } from '../tests/stress/campaigns/events'
import { runKills } from '../tests/stress/campaigns/kills'
import { runProperties } from '../tests/stress/campaigns/properties'
import { runProviderFaults } from '../tests/stress/campaigns/provider-faults'
import { runRaces } from '../tests/stress/campaigns/races'
import { runRestores } from '../tests/stress/campaigns/restores'
import type { Effort, Report } from '../tests/stress/report'

// An exit stops the database servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    replay: { type: 'string' },
  },
})

const parts: Record<string, (effort: Effort) => Promise<Report & { points?: string[] }>> = {
  races: runRaces,
  events: runEvents,
  crashes: runCrashes,
  kills: runKills,
  properties: (effort) => runProperties(effort, values.replay),
  faults: runProviderFaults,
  restores: runRestores,
}

const [scale, seed] = [Number(values.scale), Number(values.seed)]
const selected = values.only?.split(',') ?? Object.keys(parts)
const unknown = selected.filter((name) => !(name in parts))
if (!(scale > 0) || !Number.isInteger(seed) || unknown.length > 0) {
  console.error(`Usage: npm run check -- stress [--scale 0.1] [--seed 7] [--only ${Object.keys(parts).join(',')}]`)
  process.exit(2)
}

// Expected failures would bury the figures.
let logLines = 0
console.error = () => logLines++
console.warn = console.error

const startedAt = Date.now()
console.log(`Stress: scale ${scale}, seed ${seed}`)
let failureCount = 0
for (const name of selected) {
  const start = Date.now()
  console.log(`\n── ${name}`)
  const report = await parts[name]!({ scale, seed, say: (line) => console.log(`   ${elapsed(start)}  ${line}`) })
  for (const point of report.points ?? []) console.log(`   ${point}`)
  for (const [figure, value] of Object.entries(report.figures)) console.log(`   ${figure.padEnd(40)} ${value}`)
  for (const message of report.wrong) console.log(`   WRONG ${message}`)
  console.log(`   ${report.wrong.length} wrong, ${elapsed(start)}`)
  failureCount += report.wrong.length
}
console.log(
  `\n${failureCount} wrong in ${selected.length} parts, ${elapsed(startedAt)}, seed ${seed}; ${logLines} lines of the shop's log left out.`,
)
process.exit(failureCount === 0 ? 0 : 1)

function elapsed(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(0).padStart(4)} s`
}
