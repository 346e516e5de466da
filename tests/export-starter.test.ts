import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportStarter } from '../dev/starter'

let folder: string
let files: string[]
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'starter-'))
  await exportStarter(folder, 'Other Shop')
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('.git/') && statSync(join(folder, path)).isFile(),
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

test('writes the code and the tests of the shop under another name, and no word of the old one but in the licence', () => {
  expect(read('app/shop-name.ts')).toContain("name: 'Other Shop'")
  const { name, scripts } = JSON.parse(read('package.json')) as { name: string; scripts: Record<string, string> }
  expect([name, 'test' in scripts]).toEqual(['othershop', true])
  expect(read('dev/named-scripts.ts')).not.toContain('export-starter')
  expect(files).toEqual(expect.arrayContaining(['server.ts', 'migrations/0000_shop.sql', 'tests/pages/admin.test.ts']))
  expect(files.filter((path) => /cadenza/i.test(read(path)))).toEqual(['LICENSE'])
  expect(statSync(join(folder, '.ci/run')).mode & 0o111).not.toBe(0)
})

test('leaves out what is of this shop alone, and links to nothing that it leaves out', () => {
  const left = ['docs/spec-coverage.md', 'docs/mutation.md', 'dev/starter.ts', 'tests/export-starter.test.ts']
  expect(left.filter((path) => !existsSync(path) || files.includes(path))).toEqual([])
  expect(read('CHANGELOG.md').split('\n').length).toBeLessThan(10)
  const documents = files.filter((path) => path.endsWith('.md'))
  expect(documents.length).toBeGreaterThan(20)
  const dead = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^(\w+:|\/)/.test(target) && !existsSync(join(folder, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  )
  expect(dead).toEqual([])
  expect(documents.filter((path) => read(path).includes('export-starter'))).toEqual([])
})

test('begins the history with one commit of all files', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  expect(git('log', '--format=%s')).toBe('Begin Other Shop')
  expect(git('status', '--short')).toBe('')
})

test('refuses a name that does not fit everywhere, and a folder that has something', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'starter-'))
  try {
    for (const name of ['', 'A', 'Nut & Bolt', "O'Neill", 'x'.repeat(41), '../x', 'a\nb'])
      await expect(exportStarter(empty, name)).rejects.toThrow('2 to 40 letters')
    writeFileSync(join(empty, 'x'), '')
    await expect(exportStarter(empty, 'Other Shop')).rejects.toThrow('is not empty')
    expect(readdirSync(empty)).toEqual(['x'])
  } finally {
    rmSync(empty, { recursive: true })
  }
})
