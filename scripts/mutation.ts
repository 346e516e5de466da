/*
 * Takes over an hour.
 * npm run mutation                       # Stryker over app/store and app/gateways; writes docs/mutation.md
 * npm run mutation -- --mutate FILES     # some files only, writes nothing
 * npm run mutation -- planted [TEXT]     # the planted bugs of tests/mutation, or those with TEXT in their name
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { formatted } from '../dev/format'
import { runPlantedBugs } from '../tests/mutation/planted'
import { plantedBugs } from '../tests/mutation/planted-bugs'

const [what = '', text = ''] = process.argv.slice(2)

if (what === 'planted') {
  const chosen = plantedBugs.filter(({ name, file }) => name.includes(text) || file.includes(text))
  const { caught, wrong: failures } = await runPlantedBugs(chosen, console.log)
  console.log(`planted ${chosen.length}, caught ${caught}`)
  for (const line of failures) console.log(`  ${line}`)
  process.exitCode = failures.length > 0 || chosen.length === 0 ? 1 : 0
} else {
  process.exitCode = await stryker(process.argv.slice(2))
  if (what === '' && process.exitCode === 0) await writeSummary()
}

function stryker(args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('node_modules/.bin/stryker', ['run', ...args], { stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

interface StrykerReport {
  files: Record<string, { mutants: { status: string }[] }>
}

async function writeSummary(): Promise<void> {
  const { files } = JSON.parse(readFileSync('.cache/mutation/report.json', 'utf8')) as StrykerReport
  const mutantsIn = (folder: string) =>
    Object.entries(files).flatMap(([file, { mutants }]) => (file.startsWith(folder) ? mutants : []))
  const folders = [...new Set(Object.keys(files).map((file) => file.split('/', 2).join('/')))].sort()
  const table = [
    '| folder | mutants | killed | survived | not reached | score |',
    '|---|--:|--:|--:|--:|--:|',
    ...folders.map((folder) => row(folder, mutantsIn(`${folder}/`))),
    row('**All**', mutantsIn('')),
  ]
  const path = 'docs/mutation.md'
  const marks = ['<!-- scores -->', '<!-- end of scores -->'] as const
  const [before, rest = ''] = readFileSync(path, 'utf8').split(marks[0])
  const after = rest.split(marks[1])[1] ?? ''
  const written = `${before}${marks[0]}\n\n${table.join('\n')}\n\n${marks[1]}${after}`
  writeFileSync(path, await formatted(path, written))
}

function row(name: string, mutants: { status: string }[]): string {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length
  const [killed, survived, unreached] = [count('Killed', 'Timeout'), count('Survived'), count('NoCoverage')]
  const total = killed + survived + unreached
  const score = total === 0 ? '' : `${((100 * killed) / total).toFixed(1)} %`
  return `| ${name} | ${total} | ${killed} | ${survived} | ${unreached} | ${score} |`
}
