import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chdir, cwd } from 'node:process'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { makeTemplate } from '../support/store-template'

/** A small bug that somebody could write: one place in one file, in other words. */
export interface PlantedBug {
  name: string
  /** A source file, or a migration: `app/store/ordering/holds.server.ts`. */
  file: string
  /** Stands in the file exactly once. */
  from: string
  to: string
  /** The test files that must see it. */
  tests: string[]
}

interface Verdict {
  caught: boolean
  /** The test that failed, or why none was heard. */
  by: string
}

/** What the tests need of the tree: copied, so that nobody who works on it meets a bug. */
const tree = [
  'app',
  'sandbox',
  'dev',
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
  const home = cwd()
  for (const name of tree) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  chdir(copy)
  const vitest = await createVitest('test', {
    root: copy,
    config: 'stryker.vitest.config.ts',
    watch: false,
    bail: 1,
    reporters: [{}],
  })
  try {
    const sound = await ask(vitest, [...new Set(bugs.flatMap(({ tests }) => tests))])
    if (sound.by !== '') return { caught: 0, wrong: [`Without a bug: ${sound.by}`] }
    const wrong: string[] = []
    for (const bug of bugs) {
      const { caught, by } = await tryBug(vitest, copy, bug)
      say(`${caught ? 'caught' : 'MISSED'}  ${bug.name}: ${by || 'every test passed'}`)
      if (!caught) wrong.push(`${bug.name} (${bug.file}): ${by || 'every test passed'}`)
    }
    return { caught: bugs.length - wrong.length, wrong }
  } finally {
    await vitest.close()
    chdir(home)
    rmSync(copy, { recursive: true, force: true })
  }
}

async function tryBug(vitest: Vitest, copy: string, { file, from, to, tests }: PlantedBug): Promise<Verdict> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const places = source.split(from)
  if (places.length !== 2) return { caught: false, by: `there are ${places.length - 1} such places, not one` }
  await write(vitest, copy, path, places.join(to))
  try {
    return await ask(vitest, tests)
  } finally {
    await write(vitest, copy, path, source)
  }
}

/** Changes a file, and whatever was made of it. */
async function write(vitest: Vitest, copy: string, path: string, source: string): Promise<void> {
  writeFileSync(path, source)
  vitest.invalidateFile(path)
  if (!path.endsWith('.sql')) return
  const folder = join(copy, `template-${crypto.randomUUID()}`)
  mkdirSync(folder)
  await makeTemplate(folder, copy)
  vitest.provide('storeTemplate', folder)
}

/** Whether a test fails. A file that cannot even be loaded is no answer: nobody would have let such a bug pass. */
async function ask(vitest: Vitest, tests: string[]): Promise<Verdict> {
  vitest.state.filesMap.clear()
  vitest.state.errorsSet.clear()
  // Every module anew: see load-anew.ts.
  vitest.provide('mutantActivation', 'static')
  const { testModules } = await vitest.start(tests)
  for (const module of testModules) {
    for (const test of module.children.allTests('failed')) return { caught: true, by: `'${test.name}'` }
  }
  if (testModules.length < tests.length) return { caught: false, by: 'a test file is not there' }
  return { caught: false, by: testModules.map(brokenAtLoading).join('') }
}

function brokenAtLoading(module: TestModule): string {
  return module
    .errors()
    .map(({ message }) => `${module.relativeModuleId} does not load: ${message} `)
    .join('')
}
