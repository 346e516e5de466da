import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files, missing, rowsOf } from './support/documents'

interface Requirement {
  id: string
  level: number
  verdict: string
  how: string
  name: string
}

/** The lists of docs/asvs.md: `- 1.2.3 requirement: how; 1.2.4 requirement: how “test of both”`, or `- 1.2.3, 1.2.4: why not`. */
const asvs: Requirement[] = []
{
  let [level, verdict] = [0, '']
  for (const line of readFileSync('docs/asvs.md', 'utf8').replaceAll('\n  ', ' ').split('\n')) {
    level = Number(/^## Level (\d)/.exec(line)?.[1] ?? level)
    verdict = /^### (\w+(?: applicable)?)/.exec(line)?.[1] ?? verdict
    const [how = '', name = ''] = line.split(/ “|”$/)
    for (const [, id] of how.matchAll(/(?:^- |; |, )(\d+\.\d+\.\d+)\b/g))
      asvs.push({ id: id!, level, verdict, how, name })
  }
}

test('finds every test and file that docs/asvs.md names', () => {
  expect(missing(asvs.map(({ name }) => name).filter(Boolean))).toEqual([])
  const paths = asvs.flatMap(({ how }) => [...how.matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, path]) => path!))
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(path) && path !== 'build/client')).toEqual([])
  const unproven = asvs.filter(({ verdict, how, name }) => verdict === 'Holds' && name === '' && !how.includes('`'))
  // They hold because there is nothing to show.
  expect(unproven.map(({ id }) => id)).toEqual(['6.4.2', '1.3.6', '3.7.1', '6.2.10', '11.2.1', '14.2.3'])
})

test('counts the verdicts of docs/asvs.md', () => {
  expect(new Set(asvs.map(({ id }) => id)).size).toBe(asvs.length)
  const levels = [1, 2].map((level) => asvs.filter((each) => each.level === level))
  expect(levels.map(({ length }) => length)).toEqual([70, 183])
  const verdicts = ['Holds', 'Fails', 'Forced', 'Open', 'Not applicable']
  const counted = levels.map((list) => [
    ...verdicts.map((each) => list.filter(({ verdict }) => verdict === each).length),
    list.length,
  ])
  const head = rowsOf('docs/asvs.md').filter(([level]) => level === '1' || level === '2')
  expect(head.map((cells) => cells.slice(1).map(Number))).toEqual(counted)
})

test('docs/security.md names every security event', () => {
  const source = files('app', /\.tsx?$/)
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const calls = [...source.matchAll(/logSecurityEvent\((?:\{.*?\}|\w+), (.*)/g)].map(([, rest]) => rest!)
  const events = calls.flatMap((call) => [...call.matchAll(/'([a-z ]+)'/gi)].map(([, event]) => event!))
  const document = readFileSync('docs/security.md', 'utf8')
  expect(events.length).toBeGreaterThan(10)
  expect([...events, 'plain http', 'foreign origin'].filter((event) => !document.includes(`\`${event}\``))).toEqual([])
})
