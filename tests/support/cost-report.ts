import { existsSync, readFileSync } from 'node:fs'
import { costsFile, type FileCost } from './costs'

export interface StageCost {
  name: string
  wallMs: number
  cpuMs: number
}

const shown = 30

/** Where the time of a run went: CPU of all processes, and time on the clock, by stage, then of the most expensive test files. */
export function describeCosts(stages: StageCost[]): string {
  const files = readFileCosts()
  const boots = sumOf(files.map((file) => file.boots))
  return [
    ' CPU s  wall s  stage',
    ...stages.map(({ name, cpuMs, wallMs }) => `${seconds(cpuMs)}  ${seconds(wallMs)}  ${name}`),
    `${seconds(stages.reduce((sum, { cpuMs }) => sum + cpuMs, 0))}  ${seconds(stages.reduce((sum, { wallMs }) => sum + wallMs, 0))}  all`,
    `Started: ${describeBoots(boots)}`,
    '',
    ' CPU s  wall s  test file',
    ...files
      .slice(0, shown)
      .map(
        ({ file, cpuMs, wallMs, boots }) => `${seconds(cpuMs)}  ${seconds(wallMs)}  ${file}  ${describeBoots(boots)}`,
      ),
  ].join('\n')
}

/** The most expensive first. A file that a stage ran in parts, or in two projects, counts once. */
export function readFileCosts(): FileCost[] {
  const lines = existsSync(costsFile) ? readFileSync(costsFile, 'utf8').trim().split('\n').filter(Boolean) : []
  const files = new Map<string, FileCost>()
  for (const line of lines) {
    const cost = JSON.parse(line) as FileCost
    const other = files.get(cost.file)
    files.set(
      cost.file,
      !other
        ? cost
        : {
            file: cost.file,
            cpuMs: cost.cpuMs + other.cpuMs,
            wallMs: cost.wallMs + other.wallMs,
            boots: sumOf([cost.boots, other.boots]),
          },
    )
  }
  return [...files.values()].sort((a, b) => b.cpuMs - a.cpuMs)
}

function sumOf(all: FileCost['boots'][]): FileCost['boots'] {
  const sum: FileCost['boots'] = {}
  for (const boots of all)
    for (const [program, count] of Object.entries(boots)) sum[program] = (sum[program] ?? 0) + count
  return sum
}

const describeBoots = (boots: FileCost['boots']) =>
  Object.entries(boots)
    .map(([program, count]) => `${count} × ${program}`)
    .join(', ')

const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(6)
