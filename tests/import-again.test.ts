import { asc, eq } from 'drizzle-orm'
import { readForeign } from '../app/http/csv/foreign-csv.server'
import { instruments } from '../app/db/schema'
import {
  importColumns,
  importInstruments,
  planImport,
  type ImportLine,
  type KnownChoice,
} from '../app/store/catalog/import-instruments.server'
import { removeInstrument, setHidden, updateInstrument } from '../app/store/catalog/manage-instruments.server'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { newId } from '../app/store/shared/ids.server'
import { isWhole } from './support/depth'
import { expect, test, type Store } from './support/store'

const leave: KnownChoice = { known: 'leave', named: 'leave' }
const change: KnownChoice = { known: 'change', named: 'change' }
const add: KnownChoice = { known: 'leave', named: 'add' }

const shopify = (...rows: string[]) =>
  readForeign(
    [
      'Handle,Title,Vendor,Variant SKU,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Inventory Tracker,Variant Price',
      ...rows,
    ].join('\n'),
  )!.lines
const woo = (...rows: string[]) =>
  readForeign(['ID,Type,SKU,Name,Published,Stock,Regular price', ...rows].join('\n'))!.lines

const blank = Object.fromEntries(importColumns.map((column) => [column, ''])) as ImportLine['cells']
const own = (...rows: Partial<ImportLine['cells']>[]): ImportLine[] =>
  rows.map((cells, nth) => ({
    line: nth + 2,
    cells: { ...blank, img: '/v.svg', price: '12', minQuantity: '1', availableQuantity: '5', ...cells },
  }))

async function importer(shop: Store) {
  const admin = await shop.admin()
  return async (lines: ImportLine[], choice = leave) => {
    const { problems, left, changes, unchanged } = await importInstruments(shop.deps, admin, lines, choice)
    return {
      ...{ unchanged, problems: problems.map(({ message }) => message) },
      left: left.map(({ line, by, what }) => `${line} by ${by}: ${what}`),
      changes: changes.map(({ line, name, what }) => `${line} ${name}: ${what}`),
    }
  }
}

const stored = (shop: Store) =>
  shop.deps.db
    .select({
      name: instruments.name,
      cents: instruments.priceCents,
      pieces: instruments.availableQuantity,
    })
    .from(instruments)
    .where(eq(instruments.hidden, 0))
    .orderBy(asc(instruments.listedAt))

const tuba = (price: string, pieces: number, { sku = 'T-1', title = 'Tuba' } = {}) =>
  `tuba,${title},Alder,${sku},Title,Default Title,${pieces},shopify,${price}`

test('adds no product of another shop a second time when its price or stock has changed', async ({ shop }) => {
  const run = await importer(shop)
  const oud = 'oud,Oud,Alder,,Size,4/4,3,shopify,90'
  const small = 'oud,,,,,3/4,2,shopify,80'
  await run(shopify(tuba('2400', 2), oud, small))
  expect(await run(shopify(tuba('2400', 2), oud, small), change)).toEqual({
    unchanged: 3,
    problems: [],
    left: [],
    changes: [],
  })
  const friday = shopify(tuba('2300', 1), oud, small.replace(',80', ',85'), 'viol,Viol,Alder,V-1,,,1,shopify,70')
  expect(await run(friday)).toEqual({
    ...{ unchanged: 1, problems: [], changes: ['5 Viol: new, 1 pieces'] },
    left: ['2 by handle: price $2,400.00 → $2,300.00; stock 2 → 1', '4 by handle: price $80.00 → $85.00'],
  })
  expect((await stored(shop)).map(({ pieces }) => pieces)).toEqual([2, 3, 2, 1])
  expect(await run(friday, change)).toMatchObject({
    changes: ['2 Tuba: price $2,400.00 → $2,300.00; stock 2 → 1', '4 Oud, 3/4: price $80.00 → $85.00'],
  })
  expect(await stored(shop)).toEqual([
    { name: 'Tuba', cents: 2300_00, pieces: 1 },
    { name: 'Oud, 4/4', cents: 90_00, pieces: 3 },
    { name: 'Oud, 3/4', cents: 85_00, pieces: 2 },
    { name: 'Viol', cents: 70_00, pieces: 1 },
  ])
  expect(await run(friday, change)).toEqual({ unchanged: 4, problems: [], left: [], changes: [] })
})

test('leaves the stock alone that orders have taken since the file, however often the file comes', async ({ shop }) => {
  const run = await importer(shop)
  const order = async () => {
    const { id } = (await shop.deps.db.select().from(instruments))[0]!
    const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123', submissionId: newId() }
    await placeOrder(shop.deps, await shop.customer(), { ...parcel, instrumentId: id, orderQuantity: 1 })
  }
  await run(shopify(tuba('2400', 4)))
  await order()
  expect(await run(shopify(tuba('2400', 4)), change)).toMatchObject({ unchanged: 1 })
  expect(await run(shopify(tuba('2400', 3)), change)).toMatchObject({ unchanged: 1 })
  await order()
  expect(await run(shopify(tuba('2400', 3)), change)).toMatchObject({ unchanged: 1 })
  expect(await stored(shop)).toMatchObject([{ pieces: 2 }])
  const twice = await Promise.all([1, 2].map(() => run(shopify(tuba('2400', 7)), change)))
  expect(twice.flatMap(({ problems }) => problems)).toEqual([])
  await order()
  await run(shopify(tuba('2400', 7)), change)
  expect(await stored(shop)).toMatchObject([{ pieces: 6 }])
  // A stock that is not counted says nothing.
  await run(shopify('tuba,Tuba,Alder,T-1,,,0,,2400'), change)
  expect(await stored(shop)).toMatchObject([{ pieces: 6 }])
})

test('keeps pictures, family and what the other shop leaves empty', async ({ shop }) => {
  const run = await importer(shop)
  await run(shopify(tuba('2400', 2)))
  const admin = await shop.admin()
  const [row] = await shop.deps.db.select().from(instruments)
  const { id, brand, attributes } = row!
  await updateInstrument(shop.deps, admin, id, {
    ...{ name: 'Tuba', img: '/own.svg', description: 'Ours', family: 'brass', brand, price: 2400_00, minQuantity: 2 },
    ...{ attributes: [['Bore', '18 mm'], ...attributes], stockChange: 0, stockNote: null, version: 1 },
  })
  const plan = await run(shopify(tuba('2500', 2, { title: 'Bass Tuba' }).replace('Alder', '')), change)
  expect(plan.changes).toEqual(['2 Tuba: price $2,400.00 → $2,500.00; name "Tuba" → "Bass Tuba"'])
  const [after] = await shop.deps.db.select().from(instruments)
  expect(after).toMatchObject({
    ...{ name: 'Bass Tuba', img: '/own.svg', description: 'Ours', family: 'brass', brand: 'Alder', minQuantity: 2 },
    attributes: [
      ['Bore', '18 mm'],
      ['Article', 'T-1'],
    ],
  })
})

test('knows products by their article number of the same shop, and takes no other for them', async ({ shop }) => {
  const run = await importer(shop)
  await run([...shopify(tuba('2400', 2)), ...woo('7,simple,W-7,Viola,1,1,900').map((line) => ({ ...line, line: 9 }))])
  // Another handle.
  expect((await run(shopify(tuba('2300', 2).replace('tuba', 'bass-tuba')))).left).toEqual([
    '2 by article number T-1: price $2,400.00 → $2,300.00',
  ])
  // Another shop with the same numbers.
  expect((await run(woo('1,simple,T-1,Drum,1,1,50', '7,simple,W-8,Cymbal,1,1,60'))).left).toEqual([
    '3 by ID: Its ID is that of “Viola” here, which has another name and another article number.',
  ])
  expect((await run(woo('7,simple,W-7b,Viola,1,1,950', '8,simple,W-7,Viola,1,1,900'), change)).changes).toEqual([
    '2 Viola: price $900.00 → $950.00; specification Article W-7 → W-7b',
    '3 Viola: new, 1 pieces',
  ])
  expect((await stored(shop)).map(({ name }) => name)).toEqual(['Tuba', 'Viola', 'Drum', 'Viola'])
})

test('names a product that was deleted since, and changes a hidden one', async ({ shop }) => {
  const run = await importer(shop)
  const admin = await shop.admin()
  await run(shopify(tuba('2400', 2)))
  const { id } = (await shop.deps.db.select().from(instruments))[0]!
  await setHidden(shop.deps, admin, id, true)
  expect((await run(shopify(tuba('2300', 2)), change)).changes).toEqual(['2 Tuba: price $2,400.00 → $2,300.00'])
  await removeInstrument(shop.deps, admin.id, id)
  expect((await run(shopify(tuba('2200', 2)), change)).problems).toEqual([
    'An earlier import added this product, and it was deleted since. Change its handle in the file to add it again.',
  ])
})

test('knows the products of imports of before by their values, else by article number and name', async ({ shop }) => {
  const run = await importer(shop)
  const before = (lines: ImportLine[]) => lines.map(({ foreign, ...line }) => line)
  const oud = 'oud,Oud,Alder,,,,3,shopify,90'
  await run(before(shopify(tuba('2400', 2), oud)))
  expect(await run(shopify(tuba('2400', 2), oud))).toMatchObject({ unchanged: 2, left: [] })
  expect((await run(shopify(tuba('2300', 2), oud.replace('90', '95')))).left).toEqual([
    '2 by article number T-1: price $2,400.00 → $2,300.00',
    '3 by name alone: price $90.00 → $95.00',
  ])
  expect((await run(shopify(tuba('2300', 2, { title: 'Sousaphone' })))).left).toEqual([
    '2 by article number T-1: “Tuba” here has its article number T-1, and another name.',
  ])
})

test('knows a line of our own file without id by article number, else by name, and adds it by choice', async ({
  shop,
}) => {
  const run = await importer(shop)
  const article = { specification: 'Article: A-1' }
  await run(own({ name: 'Oud', ...article }, { name: 'Viol' }, { name: 'Viol', brand: 'Amati' }, { name: 'Rebec' }))
  const again = own(
    { name: 'Lute', price: '13', ...article },
    { name: 'Viol', price: '14' },
    { name: 'rebec ', price: '15', availableQuantity: '9' },
  )
  expect(await run(again)).toEqual({
    ...{ unchanged: 0, problems: [], changes: [] },
    left: [
      '2 by article number A-1: price $12.00 → $13.00; name "Oud" → "Lute"',
      '3 by name alone: 2 products here have its name.',
      '4 by name alone: price $12.00 → $15.00; name "Rebec" → "rebec"; stock 5 → 9',
    ],
  })
  expect((await run(again, add)).changes).toEqual(['3 Viol: new, 5 pieces', '4 rebec: new, 9 pieces'])
  expect(await run(again, add)).toMatchObject({ unchanged: 2, changes: [] })
  expect((await run(own({ name: 'Oud', price: '11', ...article }), change)).changes).toEqual([
    '2 Oud: price $12.00 → $11.00',
  ])
  // Two lines, one product.
  expect((await run(own({ name: 'Oud', price: '1' }, { name: 'Oud', price: '2' }), change)).left).toEqual([
    '2 by name alone: 2 lines of the file have its name, and one product here.',
    '3 by name alone: 2 lines of the file have its name, and one product here.',
  ])
})

const ofArticle = (name: string, article: string, price = '12') => ({ name, price, specification: article })
const isNew = (name: string) => `${name}: new, 5 pieces`

test.for<[Partial<ImportLine['cells']>[], Partial<ImportLine['cells']>[], string[]]>([
  // However the number is called and written.
  ...['SKU: 1', 'article no.: 1', "Article Number: '1"].map(
    (article): [Partial<ImportLine['cells']>[], Partial<ImportLine['cells']>[], string[]] => [
      [ofArticle('Oud', article)],
      [ofArticle('Lute', 'Article: 1', '13')],
      ['article number 1'],
    ],
  ),
  [[ofArticle('Oud', 'Articles: 1')], [ofArticle('Lute', 'Article: 1')], [isNew('Lute')]],
  [[ofArticle('Oud', 'My sku: 1')], [ofArticle('Lute', 'Article: 1')], [isNew('Lute')]],
  // The name counts where no number speaks against it.
  [[ofArticle('Oud', 'Article: 1')], [ofArticle('Oud', 'Article: 2')], [isNew('Oud')]],
  [[ofArticle('Oud', 'Article: 1')], [{ name: 'OUD', price: '13' }], ['name alone']],
  [[{ name: 'Bass Oud' }], [ofArticle('bass oud', 'Article: 2')], ['name alone']],
  // A product is taken by one line.
  [
    [ofArticle('Oud', 'Article: 1')],
    [ofArticle('Lute', 'Article: 1'), { name: 'Oud', price: '13' }],
    ['article number 1', isNew('Oud')],
  ],
  [[{ name: 'Oud' }], [{ name: 'Oud' }, { name: 'Oud', price: '13' }], [isNew('Oud')]],
  // Of two it could be, or it and another line.
  [
    [ofArticle('Oud', 'Article: 1'), ofArticle('Viol', 'Article: 1')],
    [ofArticle('Lute', 'Article: 1')],
    ['2 products here have its article number 1.'],
  ],
  [
    [ofArticle('Oud', 'Article: 1')],
    [ofArticle('Lute', 'Article: 1'), ofArticle('Viol', 'Article: 1')],
    Array.from({ length: 2 }, () => '2 lines of the file have its article number 1, and one product here.'),
  ],
])('of a shop with %j, a file with %j is about %j', async ([before, lines, expected], { shop }) => {
  const run = await importer(shop)
  await run(own(...before))
  const { problems, left, changes } = await run(own(...lines))
  expect(problems).toEqual([])
  const said = [...left, ...changes].sort()
  expect(said).toHaveLength(expected.length)
  for (const [nth, words] of expected.entries()) expect(said[nth]).toContain(words)
})

test.for([
  ['W-7', ''],
  ['', 'W-7'],
  ['W-7', 'W-7'],
] as const)(
  'an ID is believed under another name where the article numbers are %j and %j',
  async (articles, { shop }) => {
    const run = await importer(shop)
    const [before, after] = articles
    await run(woo(`7,simple,${before},Viola,1,1,900`))
    const { changes } = await run(woo(`7,simple,${after},Cymbal,1,1,900`), { known: 'change', named: 'leave' })
    expect(changes).toEqual([expect.stringMatching(/^2 Viola: name "Viola" → "Cymbal"/)])
  },
)

test('knows a hidden product, and adds anew what has only the name or the number of a deleted one', async ({
  shop,
}) => {
  const run = await importer(shop)
  await run(own(ofArticle('Oud', 'Article: 1')))
  const { id } = (await shop.deps.db.select().from(instruments))[0]!
  await setHidden(shop.deps, await shop.admin(), id, true)
  expect((await run(own({ name: 'Oud', price: '13' }))).left).toEqual([
    '2 by name alone: price $12.00 → $13.00; specification − Article',
  ])
  await removeInstrument(shop.deps, 'test', id)
  const again = [ofArticle('Oud', 'Brace: Fir'), ofArticle('Lute', 'Article: 1')]
  expect((await run(own(...again))).changes).toEqual(['2 Oud: new, 5 pieces', '3 Lute: new, 5 pieces'])
})

test('adds hidden products off sale, and shows them when the shop does', async ({ shop }) => {
  const run = await importer(shop)
  const file = ['ID,Type,Name,Published,Stock,Regular price,Visibility in catalog', '1,simple,Oud,1,3,9,hidden'].join(
    '\n',
  )
  const { lines } = readForeign(file)!
  expect((await run(lines)).changes).toEqual(['2 Oud: new, 3 pieces, hidden'])
  const [row] = await shop.deps.db.select().from(instruments)
  expect(row).toMatchObject({ hidden: 1, availableQuantity: 3 })
  expect(await run(lines, change)).toMatchObject({ unchanged: 1 })
  await setHidden(shop.deps, await shop.admin(), row!.id, false)
  expect(await stored(shop)).toEqual([{ name: 'Oud', cents: 9_00, pieces: 3 }])
})

test.runIf(isWhole)('plans 5,000 lines that are known by name or number', async ({ shop }) => {
  const names = Array.from({ length: 5000 }, (_, nth) => ({
    name: `Oud ${nth}`,
    specification: nth % 2 ? `Article: ${nth}` : '',
  }))
  const run = await importer(shop)
  await run(own(...names))
  const changed = own(...names.map((cells) => ({ ...cells, price: '13' })))
  expect((await planImport(shop.deps, changed)).left).toHaveLength(5000)
})
