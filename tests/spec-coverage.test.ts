import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

function namedTests(): string[] {
  return readFileSync('docs/spec-coverage.md', 'utf8')
    .split('\n')
    .map((line) => /^\| .* \| (.*?) *\|$/.exec(line)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'test' && !/^-+$/.test(name))
}

function testFiles(): string[] {
  return ['app', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(test|spec)\.ts$/.test(name))
      .map((name) => join(folder, name)),
  )
}

test('finds every test that docs/spec-coverage.md names', () => {
  const source = testFiles()
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const names = namedTests()
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !source.includes(`'${name}'`))).toEqual([])
})
