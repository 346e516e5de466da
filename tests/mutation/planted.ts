import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chdir, cwd } from 'node:process'
import { createClient } from '@libsql/client'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { schema, type PlantedBug } from './planted-bug'
import { makeTemplate } from '../support/store-template'

interface Verdict {
  caught: boolean
  by: string
}

/** Copied, so that a bug never touches the working tree. */
const tree = ['app', 'sandbox', 'dev', 'tests', 'migrations', 'package.json', 'tsconfig.json']

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
    config: 'tests/mutation/vitest.config.ts',
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

async function tryBug(vitest: Vitest, copy: string, bug: PlantedBug): Promise<Verdict> {
  const { file, from, to, tests } = bug
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const places = source.split(from)
  if (places.length !== 2) return { caught: false, by: `there are ${places.length - 1} such places, not one` }
  if (file === schema) return tryInSchema(vitest, copy, bug)
  write(vitest, path, places.join(to))
  try {
    return await ask(vitest, tests)
  } finally {
    write(vitest, path, source)
  }
}

function write(vitest: Vitest, path: string, source: string): void {
  writeFileSync(path, source)
  vitest.invalidateFile(path)
}

async function tryInSchema(vitest: Vitest, copy: string, { from, to, tests }: PlantedBug): Promise<Verdict> {
  const [sound, broken] = ['sound', 'broken'].map((name) => join(copy, `template-${name}`)) as [string, string]
  if (!existsSync(sound)) await makeTemplate(mkdirSync(sound, { recursive: true })!, copy)
  rmSync(broken, { recursive: true, force: true })
  cpSync(sound, broken, { recursive: true })
  const changed = await rewriteSchema(join(broken, 'template.db'), from, to)
  if (changed !== 1) return { caught: false, by: `the bug changes ${changed} entries of the schema, not one` }
  vitest.provide('storeTemplate', broken)
  try {
    return await ask(vitest, tests)
  } finally {
    vitest.provide('storeTemplate', sound)
  }
}

/** How many entries it has changed. Throws if the database does not open with the new ones. */
async function rewriteSchema(file: string, from: string, to: string): Promise<number> {
  const text = (words: string) => `'${words.replaceAll("'", "''")}'`
  const client = createClient({ url: `file:${file}` })
  const { rows } = await client.execute({ sql: 'SELECT name FROM sqlite_schema WHERE instr(sql, ?)', args: [from] })
  await client.executeMultiple(
    `PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, ${text(from)}, ${text(to)}) WHERE instr(sql, ${text(from)});`,
  )
  client.close()
  const again = createClient({ url: `file:${file}` })
  await again.execute('SELECT count(*) FROM orders')
  again.close()
  return rows.length
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
