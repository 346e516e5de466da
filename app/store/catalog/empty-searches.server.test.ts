import { sql } from 'drizzle-orm'
import { emptySearches } from '../../db/schema'
import { expect, test } from '../../../tests/support/store'
import {
  forgetEmptySearches,
  recordEmptySearch,
  selectAllEmptySearches,
  selectEmptySearches,
  wordsToKeep,
} from './empty-searches.server'

const november = Date.UTC(2026, 10, 25)

test.for([
  ['Theremin', 'theremin'],
  ['  THÉRÉMIN,  "pocket" ', 'theremin pocket'],
  ['ｔｈｅｒｅｍｉｎ', 'theremin'],
  ['кларнет', 'кларнет'],
  ['violin 7/8', 'violin 7 8'],
  ['flute 1920s', 'flute 1920s'],
  ['=HYPERLINK("x")', 'hyperlink x'],
  ['', null],
  ['♭ %', null],
  ['4/4', null],
  ['jo@shop.com', null],
  ['jo＠shop', null],
  ['jo%40shop', null],
  ['jo (at) shop', null],
  ['jo.smith shop', null],
  ['shop.com', null],
  ['https://x', null],
  ['07700 900123', null],
  ['call 077-00 90', null],
  ['٠٧٧٠٠٩', null],
  ['4242 4242 4242 4242', null],
  ['order 10421', null],
  ['a'.repeat(24), 'a'.repeat(24)],
  ['a'.repeat(25), null],
  [`kazoo ${'a'.repeat(25)}`, null],
  ['one two three four five six seven eight', 'one two three four five six seven eight'],
  ['one two three four five six seven eight nine', null],
  ['four '.repeat(8).trim(), 'four '.repeat(8).trim()],
  [`${'kazoo '.repeat(7)}${'a'.repeat(18)}`, `${'kazoo '.repeat(7)}${'a'.repeat(18)}`],
  [`${'kazoo '.repeat(7)}${'a'.repeat(19)}`, null],
  ['kazoo\0\ud800', 'kazoo'],
])('keeps of the search %j the words %j', ([q, words]) => {
  expect(wordsToKeep(q!)).toBe(words)
})

test('counts a search by month, in any spelling', async ({ shop }) => {
  const deps = (now: number) => ({ ...shop.deps, now: () => now })
  for (const q of ['Kazoo', 'theremin', ' kazoo!']) expect(await recordEmptySearch(deps(november), q)).toBe(true)
  await recordEmptySearch(deps(Date.UTC(2026, 11, 1)), 'KAZOO')
  expect(await recordEmptySearch(deps(november), 'jo@shop.com')).toBe(false)
  const [kazoo, theremin] = [
    { words: 'kazoo', searches: 2 },
    { words: 'theremin', searches: 1 },
  ]
  expect(await selectEmptySearches(shop.deps, '2026-11')).toEqual([kazoo, theremin])
  expect(await selectAllEmptySearches(shop.deps)).toEqual([
    { month: '2026-12', words: 'kazoo', searches: 1 },
    { month: '2026-11', ...kazoo },
    { month: '2026-11', ...theremin },
  ])
})

test('keeps 200 words of a month: those that are looked for most, and the latest', async ({ shop }) => {
  const deps = { ...shop.deps, now: () => november }
  await shop.deps.db.insert(emptySearches).values({ month: '2026-10', words: 'lute', searches: 1 })
  for (const q of ['kazoo', 'kazoo', 'lute']) await recordEmptySearch(deps, q)
  await shop.deps.db.run(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 500)
    INSERT INTO empty_searches SELECT '2026-11', 'word ' || n, 1 FROM many`)
  await recordEmptySearch(deps, 'ocarina')
  const kept = (await selectEmptySearches(deps, '2026-11')).map(({ words }) => words)
  expect(kept).toHaveLength(200)
  expect(kept[0]).toBe('kazoo')
  expect(kept).toContain('ocarina')
  expect(kept).not.toContain('lute')
  expect(await selectEmptySearches(deps, '2026-10')).toHaveLength(1)
  // Also where every word is looked for often.
  await shop.deps.db.update(emptySearches).set({ searches: sql`searches + 1000000` })
  await recordEmptySearch(deps, 'sitar')
  await recordEmptySearch(deps, 'kazoo')
  const [first, ...rest] = await selectEmptySearches(deps, '2026-11')
  expect(first!.searches).toBeLessThanOrEqual(1_000_002)
  expect([rest.length, rest.at(-1)]).toEqual([199, { words: 'sitar', searches: 1 }])
})

test('forgets words after twelve months', async ({ shop }) => {
  const months = ['2025-11', '2025-12', '2026-11']
  await shop.deps.db.insert(emptySearches).values(months.map((month) => ({ month, words: 'kazoo', searches: 1 })))
  await forgetEmptySearches({ ...shop.deps, now: () => november })
  expect((await selectAllEmptySearches(shop.deps)).map(({ month }) => month)).toEqual(['2026-11', '2025-12'])
})
