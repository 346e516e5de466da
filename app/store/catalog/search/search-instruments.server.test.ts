import { eq, sql } from 'drizzle-orm'
import { demoInstruments } from '../../../../dev/demo/instruments'
import { indexAll } from '../../../../tests/support/search'
import { expect, test, type Store } from '../../../../tests/support/store'
import { instruments } from '../../../db/schema'
import { addInstrument, removeInstrument, setHidden, updateInstrument } from '../manage-instruments.server'
import { findInstrument } from '../instruments.server'
import { fold } from '../../shared/folding'
import { containingFolded, replacedInSql } from '../../shared/full-text'
import type { Sort } from '../catalog'
import { maxSorted, mostCounted, searchInstruments, searchList, type Search } from './search-instruments.server'
import { readTerms } from './search-terms.server'

async function addDemo(shop: Store): Promise<void> {
  for (const [at, instrument] of demoInstruments.entries())
    await addInstrument({ ...shop.deps, now: () => at }, 'test', instrument)
}

async function search(shop: Store, search: Partial<Search>) {
  const result = await searchInstruments(shop.deps, { page: 1, size: 50, ...search })
  return { ...result, names: result.instruments.map(({ name }) => name) }
}

const hostile = [
  '"*()-',
  '"',
  '*',
  '-',
  "'; DROP TABLE instruments; --",
  'NOT',
  'a OR b',
  'name:violin',
  '🎻🎻🎻',
  '\u0000\u202e',
  '%',
  '_',
]

test('finds by name, family, brand and description, whatever the case, the accents and the order', async ({ shop }) => {
  await addDemo(shop)
  await shop.sells({ name: 'Böhm Flöte' })
  const first = async (q: string) => (await search(shop, { q })).names[0]
  expect(await first('CLARINET bb')).toBe('Bb Clarinet, grenadilla')
  expect(await first('bohm flote')).toBe('Böhm Flöte')
  expect(await first('Böhm')).toBe('Böhm Flöte')
  expect(await first('monel')).toBe('Bb Trumpet')
  expect((await search(shop, { q: 'woodwind' })).instruments.every(({ family }) => family === 'woodwind')).toBe(true)
  expect((await search(shop, { q: 'violin' })).names.slice(0, 2)).toEqual([
    'Concert Violin 4/4',
    'Student Violin 3/4 with bow',
  ])
  expect(await search(shop, { q: 'theremin' })).toMatchObject({ names: [], correctedTo: null, hasMore: false })
})

test('finds the same in all signs in which it is stored and typed', async ({ shop }) => {
  const names = ['Violin ¾', 'Groẞe Trommel', 'Brødrene Łuk ﬂugle', 'E\u0301tude O’Neill', 'Half-size 1½ Zither']
  await Promise.all(names.map(() => shop.sells({ name: 'Kazoo' })))
  const { db } = shop.deps
  const ids = await db.select({ id: instruments.id }).from(instruments)
  for (const [n, name] of names.entries())
    await db.update(instruments).set({ name }).where(eq(instruments.id, ids[n]!.id))
  await indexAll(shop.deps)
  for (const [q, name] of [
    ['¾', names[0]],
    ['3/4 violin', names[0]],
    ['３／４', names[0]],
    ['3⁄4', names[0]],
    ['GROSSE trommel', names[1]],
    ['große', names[1]],
    ['gro\u00dfe\u200b', names[1]],
    ['brodrene', names[2]],
    ['Brødrene luk', names[2]],
    ['flugle', names[2]],
    ['ﬂugle', names[2]],
    ['ｆｌｕｇｌｅ', names[2]],
    ['etude', names[3]],
    ["o'neill", names[3]],
    ['O’Neill étude', names[3]],
    ['1½', names[4]],
    ['1/2 zither', names[4]],
    ['half–size', names[4]],
  ] as const)
    for (const sort of [undefined, 'name'] as const)
      expect([q, sort, (await search(shop, { q, sort })).names]).toEqual([q, sort, [name]])
})

test('finds instruments by their German names', async ({ shop }) => {
  await addDemo(shop)
  const first = async (q: string) => (await search(shop, { q })).names[0]
  for (const [q, name] of [
    ['Koffer', /Case/],
    ['Querflöte', /^Concert Flute/],
    ['Querfloete', /^Concert Flute/],
    ['Geigen', /Violin/],
    ['Trompeten', /Trumpet/],
    ['Kontrabässe', /Double Bass/],
    ['Konzertgitarren', /Classical Guitar/],
    ['Altsaxophon', /^Alto Saxophone in/],
    ['Blechbläser', /Bb Trumpet/],
    ['Geigenkoffer', /^Violin Case/],
    ['Cellotasche', /^Cello Case/],
    ['Trompetenetuis', /^Trumpet Case/],
    ['Koffer für eine Geige', /^Violin Case/],
    ['dreiviertel Geige', /Student Violin 3\/4/],
  ] as const)
    expect([q, await first(q)]).toEqual([q, expect.stringMatching(name)])
  expect((await search(shop, { q: 'Geigenkoffer' })).names).not.toContain('Cello Case')
  // Nobody is led from 'kitchen' to 'kitche', or from a case of glasses to spectacles.
  expect(readTerms('Brillenetui')[0]!.isInstrument).toBe(false)
  await shop.sells({ name: 'Geigenkoffer aus Holz' })
  expect((await search(shop, { q: 'Geigenkoffer' })).names).toContain('Geigenkoffer aus Holz')
})

test('sorts names as people do, page by page', async ({ shop }) => {
  const names = [
    'Zither',
    'alto',
    'Ästhet',
    'Élan',
    'Eland',
    '“Bravo”',
    'E\u0301lan',
    'Øre',
    'Ocarina',
    'ﬁfe',
    'Fagott',
    'zz',
  ]
  for (const [n, name] of names.entries()) {
    const product = { ...demoInstruments[0]!, name, id: `n${String(n).padStart(2, '0')}`, slug: undefined }
    await addInstrument(shop.deps, 'test', product)
  }
  const expected = [
    '“Bravo”',
    'alto',
    'Ästhet',
    'Élan',
    'E\u0301lan',
    'Eland',
    'Fagott',
    'ﬁfe',
    'Ocarina',
    'Øre',
    'Zither',
    'zz',
  ]
  expect((await search(shop, { sort: 'name' })).names).toEqual(expected)
  const pages = await Promise.all([1, 2, 3, 4].map((page) => search(shop, { sort: 'name', size: 3, page })))
  expect(pages.flatMap(({ names }) => names)).toEqual(expected)
})

test.for([
  ['clarinett', 'clarinet', 'Bb Clarinet, grenadilla'],
  ['violn', 'violin', 'Concert Violin 4/4'],
  ['wiolin', 'violin', 'Concert Violin 4/4'],
  ['viloin', 'violin', 'Concert Violin 4/4'],
  ['trumpit', 'trumpet', 'Bb Trumpet'],
  ['concert flutte', 'concert flute', 'Concert Flute in C'],
  ['Saxaphone', 'saxophone', 'Alto Saxophone in Eb'],
] as const)('corrects %s to %s', async ([q, correctedTo, name], { shop }) => {
  await addDemo(shop)
  const found = await search(shop, { q })
  expect([found.correctedTo, found.names[0]]).toEqual([correctedTo, name])
})

test('puts names before families, brands and descriptions, whole words before beginnings, page by page', async ({
  shop,
}) => {
  const add = (name: string, more: Partial<(typeof demoInstruments)[number]> = {}) =>
    addInstrument(shop.deps, 'test', {
      ...demoInstruments[0]!,
      id: name,
      name,
      family: 'strings',
      description: '',
      ...more,
    })
  await add('Rosin', { description: 'Not for brassy tones' })
  const { id } = await add('Polish', { description: 'For brass' })
  await add('Mute', { brand: 'Brassworks' })
  await add('Stand', { brand: 'Brass & Co' })
  await add('Bugle', { family: 'brass' })
  await add('Brasso')
  await add('Old Brass')
  const order = ['Old Brass', 'Brasso', 'Bugle', 'Stand', 'Mute', 'Polish', 'Rosin']
  const pages = await Promise.all([1, 2, 3].map((page) => search(shop, { q: 'brass', size: 3, page })))
  expect(pages.map(({ names, hasMore }) => [names, hasMore])).toEqual([
    [order.slice(0, 3), true],
    [order.slice(3, 6), true],
    [order.slice(6), false],
  ])
  expect((await search(shop, { q: 'old brass' })).names).toEqual(['Old Brass'])
  await removeInstrument(shop.deps, 'test', id)
  expect((await search(shop, { q: 'brass' })).names).toEqual(order.filter((name) => name !== 'Polish'))
  await updateInstrument(shop.deps, { id: 'test' }, 'Brasso', {
    ...(await findInstrument(shop.deps, 'Brasso'))!,
    price: 1,
    lowStock: undefined,
    brand: undefined,
    family: 'strings',
    name: 'Cleaner',
    stockChange: 0,
    stockNote: null,
  })
  expect((await search(shop, { q: 'brasso' })).correctedTo).toBe('brass')
  expect((await search(shop, { q: 'cleaner' })).names).toEqual(['Cleaner'])
})

test('never finds the inside of a word', async ({ shop }) => {
  await addDemo(shop)
  for (const q of ['rum', 'phone', 'orn', 'ass', 'uba']) expect([q, (await search(shop, { q })).names]).toEqual([q, []])
})

test('shows a description that mentions an instrument only if none is called so', async ({ shop }) => {
  const rosin = { ...demoInstruments[0]!, id: 'rosin', name: 'Rosin', description: 'For a cello bow' }
  await addInstrument(shop.deps, 'test', rosin)
  expect((await search(shop, { q: 'cello' })).names).toEqual(['Rosin'])
  const cello = await shop.sells({ name: 'Cello', price: 900_00 })
  for (const sort of [undefined, 'price'] as const) {
    expect((await search(shop, { q: 'cello', sort })).names).toEqual(['Cello'])
    expect((await search(shop, { q: 'cello rosin', sort })).names).toEqual(['Rosin'])
    expect((await search(shop, { q: 'cello', sort, maxCents: 800_00 })).names).toEqual([])
  }
  await removeInstrument(shop.deps, 'test', cello)
  expect((await search(shop, { q: 'cellos', sort: 'name' })).names).toEqual(['Rosin'])
})

test('finds words of one and two letters and in any script, whatever the case', async ({ shop }) => {
  for (const name of ['Étude É', 'Ère', 'Балалайка Ж', '琴', 'Straße 7']) await shop.sells({ name })
  const found = async (q: string) => (await search(shop, { q })).names
  expect(await found('é')).toEqual(['Étude É'])
  expect(await found('e')).toEqual(['Étude É'])
  expect(await found('ÈR')).toEqual(['Ère'])
  expect(await found('ж')).toEqual(['Балалайка Ж'])
  expect(await found('БАЛАЛАЙКА')).toEqual(['Балалайка Ж'])
  expect(await found('琴')).toEqual(['琴'])
  expect(await found('7')).toEqual(['Straße 7'])
})

test('says what a search finds without a filter, or without all, and which words nothing has', async ({ shop }) => {
  await addDemo(shop)
  const nothing = async (query: Partial<Search>) => (await search(shop, query)).nothing
  expect(await nothing({ q: 'clarinet' })).toBeNull()
  expect(await nothing({ q: 'clarinet', maxCents: 800_00, inStock: true })).toEqual({
    q: 'clarinet',
    sold: ['clarinet'],
    unmatchedWords: [],
    without: [{ filter: 'maxCents', found: 1, cases: 0 }],
  })
  expect(await search(shop, { q: 'clarinett', maxCents: 0 })).toMatchObject({
    correctedTo: null,
    nothing: { q: 'clarinet', without: [{ filter: 'maxCents', found: 1 }] },
  })
  expect(await nothing({ q: 'clarinet', minCents: 9_999_00, inStock: false })).toMatchObject({
    without: [{ filter: 'minCents', found: 1 }],
  })
  expect(await nothing({ q: 'clarinet', family: 'woodwind', minCents: 0, maxCents: 1 })).toMatchObject({
    without: [{ filter: 'maxCents', found: 1 }],
  })
  expect(await nothing({ q: 'theremin', family: 'brass', inStock: true })).toMatchObject({ without: [] })
  expect(await nothing({ q: 'clarinet', maxCents: 800_00, family: 'brass' })).toMatchObject({
    without: [{ filter: 'all', found: 1 }],
  })
  expect(await nothing({ family: 'brass', maxCents: 1 })).toMatchObject({
    sold: [],
    unmatchedWords: [],
    without: [{ filter: 'maxCents', found: 6 }],
  })
  expect(await nothing({ q: 'electric guitar' })).toEqual({
    q: 'electric guitar',
    sold: ['guitar'],
    unmatchedWords: ['electric'],
    without: [],
  })
  expect(await nothing({ q: 'piano', family: 'brass' })).toMatchObject({
    sold: [],
    unmatchedWords: ['piano'],
    without: [],
  })
  expect(await nothing({ q: 'guitar case', page: 1 })).toMatchObject({ sold: ['guitar', 'case'], unmatchedWords: [] })
})

test('searches for fewer words when nothing has all, and says which it left out', async ({ shop }) => {
  await addDemo(shop)
  const fewer = async (query: Partial<Search>) => (await search(shop, query)).fewer
  expect(await fewer({ q: 'violin' })).toBeNull()
  expect(await fewer({ q: 'old violin for a king' })).toEqual({ q: 'violin', without: ['old', 'king'] })
  expect(await fewer({ q: 'small violin' })).toEqual({ q: 'violin', without: ['small violin'] })
  expect(await fewer({ q: 'violin &' })).toEqual({ q: 'violin', without: ['violin &'] })
  expect(await fewer({ q: 'used small violin' })).toEqual({ q: 'violin', without: ['used small violin'] })
  for (const q of ['electric guitar', 'guitar case', 'ukulele for beginners', 'king', '&'])
    expect([q, await fewer({ q })]).toEqual([q, null])
  expect(await search(shop, { q: 'beginner violin', family: 'brass' })).toMatchObject({
    fewer: null,
    nothing: { without: [{ filter: 'family', found: 1 }] },
  })
  expect(await search(shop, { q: 'used violin', maxCents: 1 })).toMatchObject({
    fewer: null,
    nothing: { sold: ['violin'] },
  })
  expect(await search(shop, { q: 'used violin', sort: 'price', size: 1 })).toMatchObject({
    names: ['Violin Case, oblong'],
    hasMore: true,
  })
})

test('finds nothing after the last page, and looks for no other words there', async ({ shop }) => {
  await shop.sells({ name: 'Clarinet' })
  for (const q of ['clarinet', 'clarinett', 'used clarinet', undefined]) {
    const found = await search(shop, { q, page: 2 })
    expect(found).toMatchObject({ names: [], hasMore: false, correctedTo: null, fewer: null, nothing: null })
  }
})

test('counts what a search without its filter finds up to one more than a hundred', async ({ shop }) => {
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mostCounted})
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at) SELECT 'k' || i, 'Kazoo', '/a.svg', 50, 1, i FROM n`)
  await indexAll(shop.deps)
  const counts = [mostCounted, mostCounted + 1, mostCounted + 1]
  for (const count of counts) {
    for (const q of ['kazoo', undefined])
      expect((await search(shop, { q, maxCents: 1 })).nothing!.without).toMatchObject([
        { filter: 'maxCents', found: count },
      ])
    await shop.sells({ name: 'Kazoo' })
  }
})

test('never shows hidden products for fewer words, and needs neither products nor families', async ({ shop }) => {
  const found = async () => (await search(shop, { q: 'used violin' })).names
  expect(await found()).toEqual([])
  const violin = await shop.sells({ name: 'Violin' })
  expect(await found()).toEqual(['Violin'])
  await setHidden(shop.deps, { id: 'test' }, violin, true)
  expect(await found()).toEqual([])
})

test('pages through the JSON list of a mistyped word and of fewer words', async ({ shop }) => {
  await addDemo(shop)
  for (const q of ['used violin', 'violn', 'violin']) {
    const names: string[] = []
    let after: string | undefined
    do {
      const { instruments, next } = await searchList(shop.deps, { q, limit: 1, after })
      names.push(...instruments.map(({ name }) => name))
      after = next ?? undefined
    } while (after)
    expect([q, names]).toEqual([q, ['Concert Violin 4/4', 'Student Violin 3/4 with bow', 'Violin Case, oblong']])
  }
})

test('filters and sorts', async ({ shop }) => {
  await addDemo(shop)
  const gone = await shop.sells({ name: 'alto horn', price: 1_00, stock: 0 })
  const cents = (found: { instruments: { priceCents: number }[] }) =>
    found.instruments.map(({ priceCents }) => priceCents)
  const byPrice = await search(shop, { sort: 'price', maxCents: 600_00 })
  expect(cents(byPrice)).toEqual([...cents(byPrice)].sort((a, b) => a - b))
  expect(byPrice.instruments[0]?.id).toBe(gone)
  expect(Math.max(...cents(byPrice))).toBeLessThanOrEqual(600_00)
  const available = await search(shop, { sort: 'price', maxCents: 600_00, inStock: true })
  expect(available.names).toEqual(byPrice.names.filter((name) => name !== 'alto horn'))
  expect((await search(shop, { sort: 'newest' })).instruments[0]?.id).toBe(gone)
  const { names } = await search(shop, { sort: 'name' })
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
  const horns = await search(shop, { q: 'horn', sort: 'price', family: 'brass' })
  expect(horns.names).toContain('Double Horn in F and Bb')
  expect(horns.names).not.toContain('alto horn')
})

test('sorts many matches as it sorts few, page by page', async ({ shop }) => {
  const names = `CASE n % 7 WHEN 0 THEN 'Kröte' WHEN 1 THEN 'KRŌTE' WHEN 2 THEN 'Horn' WHEN 4 THEN 'Kro\u0308te' WHEN 3 THEN 'Böhm-krote' WHEN 5 THEN 'Zauberkrote' ELSE 'Krote 100%' END`
  await shop.deps.db.run(sql`
    INSERT INTO instruments (id, name, family_slug, brand, img, description, price_cents, min_quantity, listed_at)
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n <= ${2 * maxSorted})
    SELECT 'i' || n, ${sql.raw(names)} || ' ' || (n % 11), iif(n % 3, 'woodwind', NULL), iif(n % 5, 'Ærø', NULL), '/x.svg',
      iif(n % 2, 'Old [krote*] a?b', 'tür Krōten'), 1 + n * 7919 % 1009, 1, n % 31 FROM many`)
  await indexAll(shop.deps)
  shop.skipInvariants('nobody listed these')
  const orders: Record<string, string> = {
    price: 'price_cents, id',
    name: 'name COLLATE NOCASE, id',
    newest: 'listed_at DESC, id DESC',
    listed: 'listed_at, id',
  }
  const queries: [q: string, expression: string][] = [
    ['krote', 'krote *'],
    ['KRÖTE', 'krote *'],
    ['kröte woodwind', 'krote * AND woodwind *'],
    ['100%', '100 *'],
    ['[krote* a?b', 'krote * AND "a b"'],
    ['ærø', 'aero *'],
    ['krote 10', 'krote * AND 10 *'],
    ['7', '7'],
    ['tür krotens', 'tur * AND (kroten * OR krotens)'],
  ]
  for (const [q, expression] of queries) {
    for (const [sort, order] of Object.entries(orders)) {
      const expected = await shop.deps.db.all<{ id: string }>(sql`
        SELECT id FROM instruments
        WHERE 4000000000 + search_id IN (SELECT rowid FROM instrument_words WHERE instrument_words MATCH ${expression})
        ORDER BY ${sql.raw(order)} LIMIT 60`)
      expect([q, expected.length]).toEqual([q, 60])
      const found = sort === 'listed' ? await listed(q) : await sorted(q, sort as Sort)
      expect([q, sort, found.map(({ id }) => id)]).toEqual([q, sort, expected.map(({ id }) => id)])
    }
  }

  async function sorted(q: string, sort: Sort) {
    const pages = await Promise.all([1, 2, 3].map((page) => search(shop, { q, sort, size: 20, page })))
    return pages.flatMap(({ instruments }) => instruments)
  }

  async function listed(q: string) {
    const { instruments, next } = await searchList(shop.deps, { q, limit: 25 })
    return [...instruments, ...(await searchList(shop.deps, { q, limit: 35, after: next! })).instruments]
  }
})

test('takes each letter for what the full-text index takes it for', async ({ shop }) => {
  await shop.deps.db.run(sql`
    INSERT INTO instrument_words (rowid, text)
    WITH RECURSIVE letters(n) AS (SELECT 128 UNION ALL SELECT n + 1 FROM letters WHERE n < 13311)
    SELECT n, 'q' || char(n) || 'q' FROM letters`)
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    const found = await shop.deps.db.all<{ letter: string }>(sql`
      SELECT char(rowid) AS letter FROM instrument_words WHERE instrument_words MATCH ${`q${letter}q`}`)
    const pattern = containingFolded(letter).slice(2, -2)
    expect(found.filter(({ letter }) => !pattern.includes(letter))).toEqual([])
  }
})

test('replaces in both indexes the letters and signs that no index folds', async ({ shop }) => {
  const words = replacedInSql.map(([letter]) => `${/\p{N}/u.test(letter) ? '' : 'q'}${letter}q`)
  await shop.sells({ name: words.join(' ') })
  await shop.customer({ name: words.join(' ') })
  const [row] = await shop.deps.db.all<Record<string, string>>(sql`
    SELECT ${sql.join(
      words.map(
        (word, n) => sql`
          (SELECT count(*) FROM instrument_words WHERE instrument_words MATCH ${`"${fold(word)}"`} AND rowid < 1000000000) ||
          (SELECT count(*) FROM user_search WHERE user_search MATCH ${`"${fold(word).replace('q ', '')}"`}) AS ${sql.raw(`n${n}`)}`,
      ),
      sql`, `,
    )}`)
  expect(words.filter((_, n) => row![`n${n}`] !== '11')).toEqual([])
})

test('counts the families, also after a change and a removal', async ({ shop }) => {
  await addDemo(shop)
  const before = (await search(shop, {})).counts
  expect(Object.values(before).reduce((sum, count) => sum + count, 0)).toBe(demoInstruments.length)
  const oboe = (await findInstrument(shop.deps, 'oboe'))!
  const change = {
    ...oboe,
    price: oboe.priceCents,
    brand: undefined,
    family: 'brass' as const,
    stockChange: 0,
    stockNote: null,
  }
  await updateInstrument(shop.deps, { id: 'test' }, 'oboe', change)
  expect((await search(shop, {})).counts).toEqual({
    ...before,
    brass: before.brass! + 1,
    woodwind: before.woodwind! - 1,
  })
  await removeInstrument(shop.deps, 'test', 'oboe')
  expect((await search(shop, {})).counts).toEqual({ ...before, woodwind: before.woodwind! - 1 })
})

test('counts the instruments without a family', async ({ shop }) => {
  const counts = async () => (await search(shop, {})).counts
  const none = { strings: 0, brass: 0, woodwind: 0, cases: 0, withoutFamily: 0 }
  expect(await counts()).toEqual(none)
  const gone = [await shop.sells(), await shop.sells(), await shop.sells()]
  expect(await counts()).toEqual({ ...none, withoutFamily: 3 })
  await removeInstrument(shop.deps, 'test', gone[0]!)
  await setHidden(shop.deps, { id: 'test' }, gone[1]!, true)
  await shop.deps.db.run(sql`UPDATE instruments SET family_slug = 'brass' WHERE id = ${gone[2]}`)
  expect(await counts()).toEqual({ ...none, brass: 1 })
})

test('finds what the JSON list finds, for any input', async ({ shop }) => {
  await addDemo(shop)
  for (const q of [
    ...hostile,
    'x'.repeat(1000),
    'violin '.repeat(100),
    'bb',
    'b',
    'horn',
    'cello 4/4',
    'clarinett',
    'violn',
    'used violin',
    'beginner trumpet',
    'violin &',
  ]) {
    const found = await search(shop, { q })
    const { instruments } = await searchList(shop.deps, { q, limit: 50 })
    expect([q, found.names.sort()]).toEqual([q, instruments.map(({ name }) => name).sort()])
  }
})

test('says that an accessory is not sold, unless something is called so', async ({ shop }) => {
  await addDemo(shop)
  const notSold = async (q: string) => {
    const { notSold, names } = await search(shop, { q })
    return [notSold?.name, notSold?.q, names[0]]
  }
  expect(await notSold('strings for a cello')).toEqual(['strings', 'cello', 'Cello 4/4'])
  expect(await notSold('harp strings')).toEqual(['strings', 'harp strings', 'Lever Harp, 34 strings'])
  expect(await notSold('rosin')).toEqual(['rosin', '', undefined])
  expect(await notSold('cello gig bag')).toEqual(['gig bags', 'cello case', 'Cello Case, hard shell'])
  for (const q of ['strings', 'violin with bow', 'harp 34 strings', 'string bass', 'cello'])
    expect([q, (await notSold(q))[0]]).toEqual([q, undefined])
  await shop.sells({ name: 'Cello Strings, medium' })
  expect(await notSold('strings for a cello')).toEqual([undefined, undefined, 'Cello Strings, medium'])
  expect((await notSold('violin bow'))[0]).toBe('bows')
})

test('understands an age, in figures and in words', async ({ shop }) => {
  await addDemo(shop)
  const found = async (q: string) => (await search(shop, { q })).names
  for (const q of [
    '10 years violin',
    'violin, age 9',
    'violin for my eleven-year-old',
    'Geige für 10-Jährige',
    '9yo violin',
  ])
    expect([q, await found(q)]).toEqual([q, ['Student Violin 3/4 with bow']])
  for (const q of ['violin for a 14 year old', 'violin for adults', 'violin for a 45 year old'])
    expect([q, await found(q)]).toEqual([q, ['Concert Violin 4/4']])
  expect(await search(shop, { q: 'trumpet for a 5 year old' })).toMatchObject({ fewer: { q: 'trumpet' } })
  const violin = (await findInstrument(shop.deps, 'violin-4-4'))!
  const change = { ...violin, price: violin.priceCents, brand: undefined, stockChange: 0, stockNote: null }
  await updateInstrument(shop.deps, { id: 'test' }, 'violin-4-4', {
    ...change,
    family: 'strings',
    level: undefined,
    ages: '8 to 10',
  })
  expect(await found('violin 8 years')).toEqual(['Concert Violin 4/4'])
})

test('puts an instrument before its case, whichever was listed first', async ({ shop }) => {
  for (const name of ['Oboe Case', 'Oboe', 'Oboe Case, soft']) await shop.sells({ name })
  expect((await search(shop, { q: 'oboe' })).names).toEqual(['Oboe', 'Oboe Case', 'Oboe Case, soft'])
  expect((await search(shop, { q: 'oboe case' })).names[0]).toBe('Oboe Case')
})

test('gives each instrument its own slug, which a new name does not change', async ({ shop }) => {
  const slug = async (id: string) => (await findInstrument(shop.deps, id))?.slug
  const [first, second, third] = [
    await shop.sells({ name: 'Flöte in C' }),
    await shop.sells({ name: 'Flote, in C!' }),
    await shop.sells({ name: '琴' }),
  ]
  expect(await slug(first)).toBe('flote-in-c')
  expect(await slug(second)).toBe(`flote-in-c-${second}`)
  expect(await slug(third)).toBe(third)
  const flute = (await findInstrument(shop.deps, first))!
  const change = {
    ...flute,
    price: flute.priceCents,
    brand: undefined,
    family: undefined,
    stockChange: 0,
    stockNote: null,
  }
  await updateInstrument(shop.deps, { id: 'test' }, first, { ...change, name: 'Piccolo' })
  expect(await slug(first)).toBe('flote-in-c')
})
