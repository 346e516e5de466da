import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A small bug that somebody could write: one place in one file, in other words. */
export interface PlantedBug {
  name: string
  /** A source file, or a migration: `app/store/holds.server.ts`. */
  file: string
  /** Stands in the file exactly once. */
  from: string
  to: string
  /** The test files that must see it. */
  tests: string[]
}

interface Verdict {
  caught: boolean
  /** The tests that failed, or why none was heard. */
  by: string
}

/** What the tests need of the tree: copied, so that nobody who works on it meets a bug. */
const tree = [
  'app',
  'sandbox',
  'scripts',
  'tests',
  'migrations',
  'stryker.vitest.config.ts',
  'package.json',
  'tsconfig.json',
]

/**
 * Puts the bugs in one by one and asks the test files that each names; a bug that they pass with is told. First without any
 * bug: then they must pass. Answers how many were caught, and what was wrong.
 */
export async function runPlantedBugs(
  bugs: PlantedBug[],
  say: (line: string) => void,
): Promise<{ caught: number; wrong: string[] }> {
  const copy = mkdtempSync(join(tmpdir(), 'cadenza-planted-'))
  try {
    for (const name of tree) cpSync(name, join(copy, name), { recursive: true })
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
    const sound = await ask(copy, [...new Set(bugs.flatMap(({ tests }) => tests))])
    if (sound.caught || sound.by !== '') return { caught: 0, wrong: [`Without a bug: ${sound.by}`] }
    const wrong: string[] = []
    let caught = 0
    for (const bug of bugs) {
      const verdict = await tryBug(copy, bug)
      say(`${verdict.caught ? 'caught' : 'MISSED'}  ${bug.name}: ${verdict.by || 'every test passed'}`)
      if (verdict.caught) caught += 1
      else wrong.push(`${bug.name} (${bug.file}): ${verdict.by || 'every test passed'}`)
    }
    return { caught, wrong }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function tryBug(copy: string, { file, from, to, tests }: PlantedBug): Promise<Verdict> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const [before = '', after, ...more] = source.split(from)
  if (after === undefined) return { caught: false, by: 'there is no such place any more' }
  if (more.length > 0) return { caught: false, by: 'there are several such places' }
  writeFileSync(path, before + to + after)
  try {
    return await ask(copy, tests)
  } finally {
    writeFileSync(path, source)
  }
}

interface VitestReport {
  testResults: { name: string; message: string; assertionResults: { title: string; status: string }[] }[]
}

/** Whether a test fails. A file that cannot even be loaded is no answer: no reader would have let such a bug pass. */
async function ask(copy: string, tests: string[]): Promise<Verdict> {
  const output = await vitest(copy, tests)
  const start = output.indexOf('{"numTotalTestSuites"')
  if (start < 0) return { caught: false, by: `vitest said: ${output.slice(-400)}` }
  const { testResults } = JSON.parse(output.slice(start)) as VitestReport
  const failed = testResults.flatMap((file) => file.assertionResults.filter(({ status }) => status === 'failed'))
  if (failed.length > 0) return { caught: true, by: `'${failed[0]!.title}'` }
  const unread = testResults.find(({ assertionResults }) => assertionResults.length === 0)
  if (testResults.length < tests.length) return { caught: false, by: 'a test file is not there' }
  return { caught: false, by: unread ? `${unread.name} does not load: ${unread.message}` : '' }
}

function vitest(folder: string, tests: string[]): Promise<string> {
  const args = ['run', '-c', 'stryker.vitest.config.ts', '--reporter', 'json', '--bail', '1', ...tests]
  return new Promise((resolve, reject) => {
    const child = spawn(join(folder, 'node_modules/.bin/vitest'), args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('exit', () => resolve(output))
  })
}
