import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { provideBrowser } from '../dev/browser'
import { checkPackages } from '../dev/audit'
import { buildIfStale } from '../dev/build'
import { endWithParent } from '../dev/end-with-parent'
import { stopRequested } from '../dev/environment'
import { cpuMsOfTree } from '../dev/cpu'
import { describeCosts, type StageCost } from '../tests/support/cost-report'
import { costsFile } from '../tests/support/costs'

const started = Date.now()
const stages: StageCost[] = []
rmSync(costsFile, { force: true })
const children = new Set<ReturnType<typeof spawn>>()
void stopRequested().then(() => {
  for (const child of children) child.kill('SIGTERM')
  process.exitCode = 1
})

try {
  await step('Packages, types, lint, dead code, format, build', () =>
    Promise.all([
      checkPackages(console.log).then((count) => {
        if (count > 0)
          throw new Error('Packages have known vulnerabilities: see above. Update them, or dev/advisories.ts.')
      }),
      run('oxlint', []),
      run('knip', [])
        .then(() => run('prettier', ['--check', '--log-level', 'warn', '.']))
        .then(() => buildIfStale(console.log)),
    ]),
  )
  await step('Unit and integration tests', () => run('vitest', ['run']))
  const browser = provideBrowser(console.log)
  await step('Browser tests, with and without JavaScript', () => run('playwright', ['test'], { CHROMIUM: browser }))
  console.log(`\nAll of it passed in ${seconds(started)} s.`)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  console.log(`\n${describeCosts(stages)}`)
}
if (process.exitCode === 1) process.exit()

async function step(name: string, task: () => Promise<unknown>): Promise<void> {
  if (process.exitCode === 1) throw new Error('Stopped.')
  const [startedAt, cpuMs] = [Date.now(), cpuMsOfTree(process.pid)]
  console.log(`\n── ${name}`)
  try {
    await task()
  } finally {
    stages.push({ name, wallMs: Date.now() - startedAt, cpuMs: cpuMsOfTree(process.pid) - cpuMs })
  }
  console.log(`   ${name}: ${seconds(startedAt)} s`)
}

function run(program: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const { file, env: own } = endWithParent(`node_modules/.bin/${program}`)
    const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...env, ...own } })
    children.add(child)
    child.once('error', reject)
    child.once('exit', (code) => {
      children.delete(child)
      if (code === 0) resolve()
      else reject(new Error(`${program} found something: see above.`))
    })
  })
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(1)
}
