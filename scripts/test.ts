/*
 * npm test                          # what every merge needs: types, lint, unit, HTTP and browser tests
 * npm test -- --changed [COMMIT]    # types, lint and the tests that import what differs from COMMIT (HEAD)
 * npm run test:all                  # that, every test twice where it can differ, and every check: nightly, before a release, two hours
 */
import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { checkPackages } from '../dev/audit'
import { provideBrowser } from '../dev/browser'
import { buildIfStale } from '../dev/build'
import { countLostCpu, cpuMsOfTree, measureSpeed } from '../dev/cpu'
import { endWithParent } from '../dev/end-with-parent'
import { stopRequested } from '../dev/environment'
import { checks } from '../dev/named-scripts'
import { makeFolderInMemory } from '../dev/shared-memory'
import { overBudget } from '../tests/support/budget'
import { describeCosts, type StageCost } from '../tests/support/cost-report'
import { costsFile } from '../tests/support/costs'

const [mode, base = 'HEAD'] = process.argv.slice(2)
const started = Date.now()
const stages: StageCost[] = []
const speeds: number[] = []
const folder = makeFolderInMemory()
const temporary: Record<string, string> = folder === null ? {} : { TMPDIR: folder }

rmSync(costsFile, { force: true })
const children = new Set<ReturnType<typeof spawn>>()
void stopRequested().then(() => {
  for (const child of children) child.kill('SIGTERM')
  process.exitCode = 1
})

try {
  if (mode === '--changed') await testChanged()
  else await testAll(mode === '--all')
  console.log(`\nAll of it passed in ${seconds(started)} s.`)
} catch (error) {
  console.error(`\n${messageOf(error)}`)
  process.exitCode = 1
} finally {
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
  console.log(`\n${describeCosts(stages)}`)
}
if (process.exitCode === 1) process.exit()

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function testAll(isAll: boolean): Promise<void> {
  const env: Record<string, string> = isAll ? { ALL_TESTS: '1' } : {}
  await step('Packages, types, lint, dead code, format, build', () =>
    Promise.all([
      checkPackages(console.log).then((count) => {
        if (count > 0)
          throw new Error('Packages have known vulnerabilities: see above. Update them, or dev/advisories.ts.')
      }),
      // Its Go program collects garbage less often: a fifth less CPU, for 3.0 GB in place of 2.6.
      run('oxlint', [], { GOGC: '800' }),
      run('knip', [])
        .then(() => run('oxfmt', ['--check']))
        .then(() => buildIfStale(console.log)),
    ]),
  )
  const tests: Task[] = [
    ['Unit and HTTP tests', () => run('vitest', ['run'], env)],
    ['Browser tests', () => run('playwright', ['test'], { ...env, CHROMIUM: provideBrowser(console.log) })],
  ]
  if (isAll) {
    await takeAll([
      ...tests,
      ...checks.map(([name, , , nightly]): Task => {
        const script = ['--import', 'tsx', `scripts/${name}.ts`, ...nightly]
        return [name, () => spawnAndWait(process.execPath, script, {}, `npm run check -- ${name}`)]
      }),
    ])
  } else {
    for (const [name, task] of tests) await step(name, task)
    failOverBudget()
  }
}

type Task = [name: string, task: () => Promise<void>]

/** Goes on after a failure, so that a night shows everything that is wrong. */
async function takeAll(tasks: Task[]): Promise<void> {
  const failures: string[] = []
  for (const [name, task] of tasks) await step(name, task).catch((error: unknown) => failures.push(messageOf(error)))
  if (failures.length > 0) throw new Error(failures.join('\n'))
}

/** Vitest knows which tests import what has changed. Tests of the built shop import none of it. */
async function testChanged(): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [
    ...git('diff', '--name-only', '--diff-filter=d', base),
    ...git('ls-files', '-o', '--exclude-standard'),
  ]
  const code = changed.filter((file) => /\.(tsx?|m?js)$/.test(file))
  await step('Types, lint, tests', () =>
    Promise.all([
      code.length > 0 && run('oxlint', code),
      run('vitest', ['run', '--changed', base, '--passWithNoTests']),
    ]),
  )
}

function failOverBudget(): void {
  const problem = overBudget(stages, Math.max(...speeds))
  if (problem) throw new Error(problem)
}

async function step(name: string, task: () => Promise<unknown>): Promise<void> {
  if (process.exitCode === 1) throw new Error('Stopped.')
  speeds.push(measureSpeed())
  const [startedAt, cpuMs] = [Date.now(), cpuMsOfTree(process.pid)]
  const lostCpu = countLostCpu(process.pid)
  console.log(`\n── ${name}`)
  try {
    await task()
  } finally {
    stages.push({ name, wallMs: Date.now() - startedAt, cpuMs: cpuMsOfTree(process.pid) - cpuMs + lostCpu() })
  }
  console.log(`   ${name}: ${seconds(startedAt)} s`)
}

function run(program: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const { file, env: own } = endWithParent(`node_modules/.bin/${program}`)
  return spawnAndWait(file, args, { ...env, ...own, ...temporary }, program)
}

function spawnAndWait(file: string, args: string[], env: Record<string, string>, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    children.add(child)
    child.once('error', reject)
    child.once('exit', (code) => {
      children.delete(child)
      if (code === 0) resolve()
      else reject(new Error(`${name} found something: see above.`))
    })
  })
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(1)
}
