import { expect, test } from 'vitest'
import { runAttacks } from './campaigns/attacks'
import { runCrashes } from './campaigns/crashes'
import { runCrowd } from './campaigns/crowd'
import { runEvents } from './campaigns/events'
import { runKills } from './campaigns/kills'
import { runProperties } from './campaigns/properties'
import { runProviderFaults } from './campaigns/provider-faults'
import { withoutLogs } from './without-logs'
import { runRaces } from './campaigns/races'
import type { Effort, Report } from './report'

/** The short versions: `npm run stress` is the long one. */
const parts: [promise: string, run: (effort: Effort) => Promise<Report>, scale: number][] = [
  ['a crowd at the built Worker buys what there is, each order once, and the webhook takes no forgery', runCrowd, 0.02],
  ['of two things at once that exclude each other, one happens', runRaces, 0.01],
  ['the events of an order may come in any order, any number of times', runEvents, 0.02],
  ['a Worker that dies at any point leaves nothing that the next one does not set right', runCrashes, 0.02],
  ['a Worker or a database that is killed loses nothing that was acknowledged', runKills, 0.02],
  ['no sequence of commands breaks an invariant', runProperties, 0.02],
  ['a provider that fails in any way costs nobody money', runProviderFaults, 0.03],
  ['no payment pays for what it was not made for', runAttacks, 1],
]

test.for(parts)('%s', { timeout: 180_000 }, async ([, run, scale]) => {
  const { part, figures, wrong } = await withoutLogs(run, scale)
  console.warn(`${part}: ${JSON.stringify(figures)}`)
  expect(wrong).toEqual([])
})
