/*
 * npm run mutation                                 # Stryker over app/store, app/gateways …: takes hours; writes docs/mutation.md
 * npm run mutation -- --sample 0.1 [--seed 7]      # this share of its mutants
 * npm run mutation -- --mutate FILES [--sample …]  # some files only
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatted } from '../dev/format'

/** In percent (docs/mutation.md). */
const lowest = { 'app/store': 90, 'app/gateways': 90 }

const { values } = parseArgs({
  options: { mutate: { type: 'string' }, sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
process.exitCode = await stryker()
if (process.exitCode === 0) await judge()

function stryker(): Promise<number> {
  const { mutate, sample, seed } = values
  const args = ['run']
  // Instead of the files of stryker.config.json, and of what is left out there.
  if (mutate !== undefined) args.push('--mutate', `${mutate},!app/**/*.test.ts`)
  if (sample !== undefined) {
    args.push('--plugins', '@stryker-mutator/vitest-runner,./tests/mutation/sample.mjs', '--checkers', 'sample')
  }
  const env = { ...process.env, MUTATION_SAMPLE: sample, MUTATION_SEED: seed }
  return new Promise((resolve, reject) => {
    const child = spawn('node_modules/.bin/stryker', args, { stdio: 'inherit', env })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

interface Mutant {
  status: string
  /** It is in what runs while a module loads. */
  static?: boolean
}

interface StrykerReport {
  files: Record<string, { mutants: Mutant[] }>
}

async function judge(): Promise<void> {
  const { files } = JSON.parse(readFileSync('.cache/mutation/report.json', 'utf8')) as StrykerReport
  const scoreOf = (folder: string) =>
    scored(Object.entries(files).flatMap(([file, { mutants }]) => (file.startsWith(folder) ? mutants : [])))
  const folders = [...new Set(Object.keys(files).map((file) => file.split('/', 2).join('/')))].sort()
  const table = [
    '| folder | mutants | tested | killed | survived | not reached | score | ± |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...folders.map((folder) => row(folder, scoreOf(`${folder}/`))),
    row('**All**', scoreOf('')),
  ]
  if (values.mutate === undefined && values.sample === undefined) await write(table)
  console.log(table.join('\n'))
  for (const [folder, least] of Object.entries(lowest)) {
    const { score, margin } = scoreOf(`${folder}/`)
    // A sample may be lower by chance.
    if (!folders.includes(folder) || score + margin >= least) continue
    console.log(`The score of ${folder} is below ${least} %.`)
    process.exitCode = 1
  }
}

/**
 * Of a module that a test loads late, Stryker runs the mutants of its loading as well, with this one test, and too late for the others that load it.
 * Killed or not, they are left out like those of all other modules (`ignoreStatic`).
 */
function scored(mutants: Mutant[]) {
  const count = (...statuses: string[]) =>
    mutants.filter((mutant) => mutant.static !== true && statuses.includes(mutant.status)).length
  const [killed, survived, unreached] = [count('Killed', 'Timeout'), count('Survived'), count('NoCoverage')]
  const tested = killed + survived + unreached
  const total = tested + count('CompileError')
  const share = killed / tested
  // 95 of 100 samples are this near; nothing for all mutants.
  const margin = 1.96 * Math.sqrt(((share * (1 - share)) / tested) * (1 - tested / total))
  return { total, tested, killed, survived, unreached, score: 100 * share, margin: 100 * margin }
}

function row(
  name: string,
  { total, tested, killed, survived, unreached, score, margin }: ReturnType<typeof scored>,
): string {
  const figures = [total, tested, killed, survived, unreached, `${score.toFixed(1)} %`, margin.toFixed(1)]
  return `| ${name} | ${figures.join(' | ')} |`
}

async function write(table: string[]): Promise<void> {
  const path = 'docs/mutation.md'
  const marks = ['<!-- scores -->', '<!-- end of scores -->'] as const
  const [before, rest = ''] = readFileSync(path, 'utf8').split(marks[0])
  const after = rest.split(marks[1])[1] ?? ''
  const seen = `\`npm run mutation\`:\n\n${table.join('\n')}`
  const written = `${before}${marks[0]}\n\n${seen}\n\n${marks[1]}${after}`
  writeFileSync(path, await formatted(path, written))
}
