import { spawn } from 'node:child_process'
import { provideBrowser } from '../dev/browser'
import { checkPackages } from '../dev/audit'
import { buildIfStale } from '../dev/build'
import { endWithParent } from '../dev/end-with-parent'
import { stopRequested } from '../dev/environment'

const started = Date.now()
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
      run('eslint', ['.', '--max-warnings', '0']),
      run('tsc', ['--noEmit'])
        .then(() => run('knip', []))
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
  process.exit(1)
}

async function step(name: string, task: () => Promise<unknown>): Promise<void> {
  if (process.exitCode === 1) throw new Error('Stopped.')
  const startedAt = Date.now()
  console.log(`\n── ${name}`)
  await task()
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
