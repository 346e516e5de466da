import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFileCosts, type StageCost } from './cost-report'

/** What `npm test` may cost. Written by `WRITE_BUDGET=1 npm test`, a fifth above what that run took. */
interface Budget {
  cpuSeconds: number
  /** CPU of starting Node in that run (`measureSpeed`): a slower machine may take more, a faster one less. */
  startMs: number
  /** CPU seconds of the test files in that run. */
  files: Record<string, number>
}

const budgetFile = 'tests/budget.json'
const slack = 1.2

/** `startMs` is that of this run. The result is a sentence, with the files that grew, or null. */
export function overBudget(stages: StageCost[], startMs: number): string | null {
  const cpuSeconds = stages.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000
  const files = Object.fromEntries(readFileCosts().map(({ file, cpuMs }) => [file, cpuMs / 1000]))
  if (process.env.WRITE_BUDGET) writeBudget({ cpuSeconds: cpuSeconds * slack, startMs, files })
  // Without /proc there is no figure.
  if (cpuSeconds === 0 || !existsSync(budgetFile)) return null
  return compare(JSON.parse(readFileSync(budgetFile, 'utf8')) as Budget, { cpuSeconds, startMs, files })
}

export function compare(budget: Budget, run: Budget): string | null {
  const slower = run.startMs / budget.startMs
  const limit = budget.cpuSeconds * slower
  if (run.cpuSeconds <= limit) return null
  const grown = Object.entries(run.files)
    .map(([file, now]) => ({ file, now: now / slower, before: budget.files[file] ?? 0 }))
    .filter(({ now, before }) => now > before * slack + 1)
    .sort((a, b) => b.now - b.before - (a.now - a.before))
    .map(({ file, now, before }) => `  ${file}: ${before.toFixed(1)} → ${now.toFixed(1)} s`)
  return [
    `The check took ${Math.round(run.cpuSeconds)} CPU seconds, its budget is ${Math.round(limit)} on this machine (${budgetFile}).`,
    ...(grown.length > 0 ? ['Files that grew:', ...grown.slice(0, 20)] : []),
  ].join('\n')
}

function writeBudget({ cpuSeconds, startMs, files }: Budget): void {
  const rounded = Object.entries(files)
    .filter(([, seconds]) => seconds >= 1)
    .map(([file, seconds]) => [file, Math.round(seconds * 10) / 10] as const)
    .sort(([a], [b]) => a.localeCompare(b))
  const budget = {
    cpuSeconds: Math.round(cpuSeconds),
    startMs: Math.round(startMs),
    files: Object.fromEntries(rounded),
  }
  writeFileSync(budgetFile, `${JSON.stringify(budget, null, 2)}\n`)
}
