import { appendFileSync, mkdirSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { basename, dirname } from 'node:path'
import { cpuMsOfTree } from '../../dev/cpu'

export interface FileCost {
  file: string
  cpuMs: number
  wallMs: number
  /** How often it started each program. */
  boots: Record<string, number>
}

/** One JSON object a line; `scripts/test.ts` deletes it before a run, and reads it after. */
export const costsFile = '.cache/test-costs.jsonl'

const started: ChildProcess[] = []
subscribe('child_process', (message) => started.push((message as { process: ChildProcess }).process))

/** Begins to measure; the result ends, and appends to the list of costs. */
export function measureCost(file: string): () => void {
  const [cpuMs, at, boots] = [cpuMsOfTree(process.pid), Date.now(), started.length]
  return () => {
    const cost: FileCost = {
      file,
      cpuMs: cpuMsOfTree(process.pid) - cpuMs,
      wallMs: Date.now() - at,
      boots: countBy(started.slice(boots).map(({ spawnfile }) => basename(spawnfile))),
    }
    mkdirSync(dirname(costsFile), { recursive: true })
    appendFileSync(costsFile, `${JSON.stringify(cost)}\n`)
  }
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
