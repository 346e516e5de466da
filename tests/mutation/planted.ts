import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chdir, cwd } from 'node:process'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { PlantedBug } from './planted-bug'
import { makeTemplate } from '../support/store-template'

interface Verdict {
  caught: boolean
  by: string
}

/** Copied, so that a bug never touches the working tree. */
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

/** Runs without a bug first, then with each one; a bug that its tests do not catch is reported. */
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
    const baseline = await ask(vitest, [...new Set(bugs.flatMap(({ tests }) => tests))])
    if (baseline.by !== '') return { caught: 0, wrong: [`Without a bug: ${baseline.by}`] }
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

async function write(vitest: Vitest, copy: string, path: string, source: string): Promise<void> {
  writeFileSync(path, source)
  vitest.invalidateFile(path)
  if (!path.endsWith('.sql')) return
  const folder = join(copy, `template-${crypto.randomUUID()}`)
  mkdirSync(folder)
  await makeTemplate(folder, copy)
  vitest.provide('storeTemplate', folder)
}

/** A file that cannot be loaded does not count as caught. */
async function ask(vitest: Vitest, tests: string[]): Promise<Verdict> {
  vitest.state.filesMap.clear()
  vitest.state.errorsSet.clear()
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
