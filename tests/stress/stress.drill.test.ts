import { expect, test } from 'vitest'
import { runCrashes } from './campaigns/crashes'
import { runEvents } from './campaigns/events'
import { runKills } from './campaigns/kills'
import { runProperties } from './campaigns/properties'
import { runProviderFaults } from './campaigns/provider-faults'
import { withoutLogs } from './without-logs'
import { runRaces } from './campaigns/races'
import type { Effort, Report } from './report'

/** `npm run check -- stress` is the long version. */
const parts: [promise: string, run: (effort: Effort) => Promise<Report>, scale: number][] = [
  ['lets one of two conflicting operations win', runRaces, 0.01],
  ['accepts the events of an order in any order, any number of times', runEvents, 0.02],
  ['recovers from a Worker crash at any point', runCrashes, 0.02],
  ['loses nothing acknowledged when the Worker or the database is killed', runKills, 0.02],
  ['keeps every invariant under any sequence of commands', runProperties, 0.02],
  ['loses no money under any provider fault', runProviderFaults, 0.03],
]

test.for(parts)('%s', { timeout: 180_000 }, async ([, run, scale]) => {
  const { part, figures, wrong } = await withoutLogs(run, scale)
  console.warn(`${part}: ${JSON.stringify(figures)}`)
  expect(wrong).toEqual([])
})
