import { eq, sql } from 'drizzle-orm'
import { at, day, expect, noon, test, type Store } from '../../../tests/support/store'
import { instruments } from '../../db/schema'
import { readInBatches } from './feeds.server'
import {
  importColumns,
  importInstruments,
  optionalColumns,
  planImport,
  type ImportLine,
} from './import-instruments.server'
import type { Instrument } from './instruments'
import { findInstrument, findManagedInstrument } from './instruments.server'
import { searchList } from './search/search-instruments.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { changeStock, removeInstrument, setHidden, updateInstrument } from './manage-instruments.server'

type Cells = ImportLine['cells']

const blank = Object.fromEntries(importColumns.map((column) => [column, ''])) as Cells
const rebec = { ...blank, name: 'Rebec', img: '/r.svg', price: '12.50', minQuantity: '2', availableQuantity: '5' }

function file(...rows: Cells[]): ImportLine[] {
  return rows.map((cells, index) => ({ line: index + 2, cells }))
}

function rowOf(instrument: Instrument, changes: Partial<Cells> = {}): Cells {
  const { id, version, name, family, brand, img, description, priceCents, minQuantity, availableQuantity } = instrument
  const texts = {
    id,
    name,
    family: family ?? '',
    brand: brand ?? '',
    img,
    description,
    price: String(priceCents / 100),
  }
  const numbers = {
    version: String(version),
    minQuantity: String(minQuantity),
    availableQuantity: String(availableQuantity),
  }
  return { ...blank, ...texts, ...numbers, ...changes }
}

async function exported({ deps }: Store): Promise<Instrument[]> {
  const all: Instrument[] = []
  for await (const batch of readInBatches(deps)) all.push(...batch)
  return all
}

async function order(shop: Store, instrumentId: string, orderQuantity: number) {
  const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123', submissionId: newId() }
  await placeOrder(shop.deps, await shop.customer(), { ...parcel, instrumentId, orderQuantity })
}

async function shopWith(shop: Store, ...names: string[]) {
  for (const name of names) await shop.sells({ id: name, name, price: 10_00, stock: 10 })
  return { admin: await shop.admin(), rows: await exported(shop) }
}

test('adds, changes and restocks products, and records who did', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute', 'oud', 'viol', 'zither')
  const { deps, invalidated } = shop
  invalidated.length = 0
  const delivery = { stockChange: '5', reason: 'Delivery' }
  const lines = file(
    rowOf(rows[0]!, { name: 'Lute in G', price: '12', brand: 'Amati', availableQuantity: '9', ...delivery }),
    rowOf(rows[2]!, { stockChange: '-10', reason: 'Broken', availableQuantity: '8' }),
    rowOf(rows[1]!, { reason: 'A reason alone is no change', availableQuantity: '' }),
    rowOf(rows[3]!),
    { ...rebec, stockChange: ' 0 ' },
    { ...rebec, description: 'Another one' },
    { ...rebec, name: '!' },
  )
  const note = 'price $10.00 → $12.00; name "lute" → "Lute in G"; brand none → "Amati"'
  const plan = {
    ...{ added: 3, changed: 1, stockChanges: 2, unchanged: 2, otherStock: 2, problems: [] },
    changes: [
      { line: 2, name: 'Lute in G', what: `${note}; stock +5 (Delivery)` },
      { line: 3, name: 'viol', what: 'stock -10 (Broken)' },
      { line: 6, name: 'Rebec', what: 'new, 5 pieces' },
      { line: 7, name: 'Rebec', what: 'new, 5 pieces' },
      { line: 8, name: '!', what: 'new, 5 pieces' },
    ],
  }
  expect(await planImport(deps, lines)).toMatchObject(plan)
  expect([await exported(shop), invalidated]).toEqual([rows, []])

  expect(await importInstruments(deps, admin, lines)).toMatchObject(plan)
  expect(invalidated).toEqual(['catalogue'])
  const { instruments: listed } = await searchList(shop.deps, { limit: 9 })
  expect(listed).toMatchObject([
    { name: 'Lute in G', priceCents: 12_00, brand: 'Amati', availableQuantity: 15, version: 2 },
    { name: 'oud', availableQuantity: 10, version: 1 },
    { name: 'viol', availableQuantity: 0, version: 2 },
    { name: 'zither', availableQuantity: 10, version: 1 },
    { name: 'Rebec', description: '', priceCents: 12_50, minQuantity: 2, availableQuantity: 5, slug: 'rebec' },
    { name: 'Rebec', description: 'Another one' },
    { name: '!' },
  ])
  expect(listed.slice(5).map(({ slug }) => slug)).toEqual([`rebec-${listed[5]!.id}`, listed[6]!.id])
  const by = { actor: admin.id }
  expect(await shop.auditLogOf('lute')).toMatchObject([
    {},
    {
      ...by,
      event: 'instrument changed',
      note,
    },
    { ...by, event: 'stock counted', stockDelta: 5, note: 'Delivery (import of version 1)' },
  ])
  expect(await shop.auditLogOf(listed[4]!.id)).toMatchObject([
    { ...by, event: 'stock counted', stockDelta: 5, note: 'opening stock' },
  ])
})

test('applies the same lines once, also where others were mended since', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute', 'viol')
  const delivery = { price: '11', stockChange: '5', reason: 'Delivery' }
  const first = [rowOf(rows[0]!, delivery), rebec]
  await importInstruments(shop.deps, admin, file(...first))
  const after = await exported(shop)
  const none = { added: 0, changed: 0, stockChanges: 0, problems: [] }
  shop.invalidated.length = 0
  expect(await importInstruments(shop.deps, admin, file(...first))).toMatchObject({ ...none, unchanged: 2 })
  expect(shop.invalidated).toEqual([])
  const withOther = file(rowOf(rows[1]!, { price: '9' }), ...first)
  expect(await importInstruments(shop.deps, admin, withOther)).toMatchObject({ ...none, changed: 1, unchanged: 2 })
  expect([await shop.stockOf('lute'), (await exported(shop)).length]).toEqual([15, after.length])
  expect((await shop.auditLogOf('viol')).map(({ event }) => event)).toEqual(['stock counted', 'instrument changed'])

  // Another change of the stock from the same export is no repeat.
  const other = file(rowOf(rows[0]!, { ...delivery, stockChange: '6' }))
  expect(await importInstruments(shop.deps, admin, other)).toMatchObject({ problems: [{ column: 'version' }] })
})

test('a reason in the words of an import is no import', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute')
  const reason = 'Delivery (import of version 1)'
  await changeStock(shop.deps, admin, 'lute', { pieces: 5, direction: 'in', reason, submissionId: newId() })
  await importInstruments(shop.deps, admin, file(rowOf(rows[0]!, { stockChange: '5', reason: 'Delivery' })))
  expect(await shop.stockOf('lute')).toBe(20)
})

test('adds nothing where the database refuses or fails', async ({ shop }) => {
  const add = () => importInstruments(shop.deps, { id: 'bea' }, file(rebec))
  await shop.deps.db.run(
    sql`CREATE TRIGGER no_imports BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'not today'); END`,
  )
  await expect(add()).rejects.toThrow('not today')
  await shop.deps.db.run(sql`DROP TRIGGER no_imports`)
  shop.skipInvariants('the audit log has no notes')
  await shop.deps.db.run(sql`ALTER TABLE audit_log RENAME COLUMN note TO words`)
  await expect(add()).rejects.toThrow('no column named note')
  expect(await exported(shop)).toEqual([])
})

// Whoever imports a file of an earlier release again must not get its new products twice.
test.for<[Partial<Cells>, string]>([
  [{}, '6385ba9e093e06f7ab67e12cf8a9eb50'],
  [{ specification: 'Body: Maple' }, 'b94a3ffc6fdff64409f86d5a7692e75f'],
  [{ alt: 'Front' }, 'fb35a34cd3b6c217f5d35f02f47c384e'],
  [{ pictures: '/b.svg The back' }, 'a684815e35627a0dd688ab250e338c4c'],
  [{ salePrice: '9', saleUntil: '2026-12-24' }, '4fc29ac4c94c8b35e7d310e5b618c1da'],
])('a new product with %j has the id %s in every release and on every day', async ([cells, id], { shop }) => {
  const admin = await shop.admin()
  const lines = file({ ...rebec, ...cells })
  await importInstruments(at(shop, noon), admin, lines)
  expect((await exported(shop)).map((each) => each.id)).toEqual([id])
  expect(await importInstruments(at(shop, noon + day), admin, lines)).toMatchObject({ unchanged: 1, problems: [] })
})

test('a new product keeps its id where another picture stands in for a lost one', async ({ shop }) => {
  const admin = await shop.admin()
  await importInstruments(shop.deps, admin, file(rebec))
  const lost = [{ line: 2, lostImg: rebec.img, cells: { ...rebec, img: '/lost.svg' } }]
  expect(await planImport(shop.deps, lost)).toMatchObject({ unchanged: 1, added: 0 })
})

test('keeps what the file has no column for, and takes away what is empty there', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute')
  const old = Object.entries(rowOf(rows[0]!)).filter(([column]) => !optionalColumns.some((each) => each === column))
  const save = async (version: number, cells: Partial<Cells>) => {
    const row = { ...(Object.fromEntries(old) as Cells), version: String(version), ...cells }
    const { problems, changes } = await importInstruments(at(shop, noon), admin, file(row))
    return [...problems.map(({ column, message }) => `${column}: ${message}`), ...changes.map(({ what }) => what)]
  }
  const sale = { salePrice: '9', saleFrom: '2026-12-01', saleUntil: '2026-12-24' }
  const saleWords = '$9.00 from 1 Dec 2026 to 24 Dec 2026'
  const all = { specification: 'Body: Maple', alt: 'Front', pictures: '/b.svg The back', ...sale }
  expect(await save(1, all)).toEqual([
    `sale none → ${saleWords}; alt text; further pictures changed; specification + Body: Maple`,
  ])
  expect(await save(2, {})).toEqual([])
  expect(await save(2, { brand: 'Amati' })).toEqual(['brand none → "Amati"'])
  expect(await findManagedInstrument(shop.deps, 'lute')).toMatchObject({
    ...{ attributes: [['Body', 'Maple']], alt: 'Front', pictures: [{ img: '/b.svg', alt: 'The back' }] },
    ...{ saleCents: 9_00, saleFromAt: Date.UTC(2026, 11, 1), saleUntilAt: Date.UTC(2026, 11, 25) },
  })
  const brand = 'Amati'
  expect(await save(3, { brand, specification: '' })).toEqual(['specification − Body'])
  expect(await save(4, { brand, alt: '' })).toEqual(['alt text'])
  expect(await save(5, { brand, pictures: '' })).toEqual(['further pictures changed'])
  expect(await save(6, { brand, salePrice: '' })).toEqual([`sale ${saleWords} → none`])
})

test.for([
  ['2026-11-23', [{ line: 2, column: 'saleUntil', message: 'This day is over' }]],
  ['2026-11-24', []],
] as const)('takes a sale until %s on 24 November 2026: %j', async ([saleUntil, problems], { shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute')
  const sale = { salePrice: '9', saleFrom: '2026-11-01', saleUntil }
  for (const cells of [rebec, rowOf(rows[0]!)])
    expect((await importInstruments(at(shop, noon), admin, file({ ...cells, ...sale }))).problems).toEqual(problems)
})

test('names a product that was changed since the export, and applies nothing', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute', 'viol')
  const { priceCents: price, ...lute } = rows[0]!
  await updateInstrument(shop.deps, admin, 'lute', {
    ...{ ...lute, brand: 'Amati', family: undefined, price: price + 1, stockChange: 0, stockNote: null, version: 1 },
  })
  const before = await exported(shop)
  const plan = await importInstruments(shop.deps, admin, file(rowOf(rows[1]!, { price: '9' }), rowOf(rows[0]!), rebec))
  const message = 'Changed in the shop since the export (version 2 now). Export it again.'
  expect(plan.problems).toEqual([{ line: 3, column: 'version', message }])
  expect(await exported(shop)).toEqual(before)
})

test('of imports at the same time, one wins and the others name the conflict', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute', 'viol')
  const plans = await Promise.all(
    [1, 2, 3, 4].map((pieces) => {
      const change = { price: `${20 + pieces}`, stockChange: `${pieces}`, reason: 'Delivery' }
      return importInstruments(shop.deps, admin, file(rowOf(rows[0]!, change), rowOf(rows[1]!, change)))
    }),
  )
  expect(plans.map(({ problems }) => problems.length).sort()).toEqual([0, 2, 2, 2])
  const winner = plans.findIndex(({ problems }) => problems.length === 0) + 1
  for (const id of ['lute', 'viol']) {
    expect(await findInstrument(shop.deps, id)).toMatchObject({
      ...{ priceCents: 20_00 + winner * 100, availableQuantity: 10 + winner, version: 2 },
    })
  }
})

test('undoes all lines when the shop has changed between plan and batch', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute', 'viol')
  const meanwhile = async (stockChange: string, act: () => Promise<unknown>) => {
    const { db } = shop.deps
    let isFirst = true
    const batch: typeof db.batch = async (statements) => {
      if (isFirst) await act()
      isFirst = false
      return db.batch(statements)
    }
    const spied = new Proxy(db, {
      get: (target, key) => (key === 'batch' ? batch : Reflect.get(target, key)) as unknown,
    })
    const lines = file(rowOf(rows[0]!, { price: '11' }), rowOf(rows[1]!, { stockChange, reason: 'Broken' }), rebec)
    return importInstruments({ ...shop.deps, db: spied }, admin, lines)
  }
  expect(await meanwhile('-8', () => order(shop, 'viol', 3))).toMatchObject({
    problems: [{ line: 3, column: 'stockChange', message: 'You can remove at most 7.' }],
  })
  const found = { pieces: 1, direction: 'in', reason: null, submissionId: newId() } as const
  expect(await meanwhile('999990', () => changeStock(shop.deps, admin, 'viol', found))).toMatchObject({
    problems: [{ line: 3, message: 'Stock can be at most 1,000,000 pieces, unpaid orders included' }],
  })
  expect(await meanwhile('-2', () => removeInstrument(shop.deps, admin.id, 'viol'))).toMatchObject({
    problems: [{ line: 3, column: null, message: 'This product is no longer on sale.' }],
  })
  expect(await exported(shop)).toEqual([rows[0]])
})

test('reserves room in the stock limit for unpaid orders, and none for those that will not come back', async ({
  shop,
}) => {
  shop.skipInvariants('a payment that never was')
  const { admin, rows } = await shopWith(shop, 'lute')
  await order(shop, 'lute', 2)
  await shop.deps.db.run(
    sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_1', moved_by = 'stripe'`,
  )
  await order(shop, 'lute', 4)
  const fill = (stockChange: string) =>
    importInstruments(shop.deps, admin, file(rowOf(rows[0]!, { stockChange, reason: 'Delivery' })))
  const message = 'Stock can be at most 1,000,000 pieces, unpaid orders included'
  expect((await fill('999993')).problems).toEqual([{ line: 2, column: 'stockChange', message }])
  expect((await fill('999992')).problems).toEqual([])
})

test('keeps the price breaks, and refuses a price and a minimum that contradict them', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute')
  const priceBreaks = [{ from: 5, priceCents: 9_00 }]
  await shop.deps.db.update(instruments).set({ priceBreaks })
  const change = (cells: Partial<Cells>) => importInstruments(shop.deps, admin, file(rowOf(rows[0]!, cells)))
  expect((await change({ price: '9', minQuantity: '5' })).problems).toEqual([
    { line: 2, column: 'price', message: 'Price break 1: Price must be below the normal price, $9.00' },
    { line: 2, column: 'minQuantity', message: 'Price break 1: From quantity must be above the minimum quantity, 5' },
  ])
  expect((await change({ price: '9.01' })).problems).toEqual([])
  expect(await findInstrument(shop.deps, 'lute')).toMatchObject({ priceCents: 9_01, priceBreaks, version: 2 })
})

test('names each problem with its line and column, in the words of the form', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute', 'viol', 'gone')
  await removeInstrument(shop.deps, admin.id, 'gone')
  const lute = rowOf(rows[0]!)
  const lines = file(
    { ...rebec, name: '', price: 'dear', family: 'drums', img: 'x', minQuantity: '0', availableQuantity: ' ' },
    { ...rebec, version: '1', stockChange: '5' },
    { ...lute, stockChange: '5' },
    { ...lute, price: '' },
    rowOf(rows[1]!, { version: '', stockChange: 'many' }),
    { ...lute, id: 'none', stockChange: '5', reason: 'Delivery' },
    rowOf(rows[2]!),
    lute,
    { ...rebec, version: '1' },
    { ...rebec, name: 'Oud', minQuantity: '1e1', availableQuantity: '0x10' },
    rowOf(rows[1]!, { version: '1.0', stockChange: '1e3' }),
  )
  const { problems } = await importInstruments(shop.deps, admin, lines)
  expect(problems.map(({ line, column, message }) => `${line} ${column}: ${message}`)).toEqual([
    '2 name: Name is Required',
    '2 family: There is no family “drums”. Choose strings, brass, woodwind or cases.',
    '2 img: Image must start with https:// or /',
    '2 price: Price must be a number, like 1200.50',
    '2 minQuantity: Minimum quantity must be a whole number from 1 to 1,000,000',
    '2 availableQuantity: Available quantity is Required',
    '3 version: Leave it empty for a new product',
    '3 stockChange: A new product has its stock in availableQuantity',
    '4 reason: Give a reason for the change',
    '5 price: Price is Required',
    '6 version: Keep the version of the export',
    '6 stockChange: Enter a whole number, like 12 or -3',
    '7 id: No product has this id. Leave it empty to add a product.',
    '8 null: This product is no longer on sale.',
    '9 id: Line 4 has the same id.',
    '10 null: Line 3 adds the same product.',
    '10 version: Leave it empty for a new product',
    '11 minQuantity: Minimum quantity must be a whole number from 1 to 1,000,000',
    '11 availableQuantity: Available quantity must be a whole number from 0 to 1,000,000',
    '12 version: Keep the version of the export',
    '12 stockChange: Enter a whole number, like 12 or -3',
  ])
})

test('adds neither a hidden nor a deleted product again, and changes no hidden one', async ({ shop }) => {
  const admin = await shop.admin()
  await importInstruments(shop.deps, admin, file(rebec))
  const [{ id }] = (await exported(shop)) as [Instrument]
  const [row] = (await exported(shop)).map((each) => rowOf(each, { price: '11' }))
  await setHidden(shop.deps, admin, id, true)
  expect(await importInstruments(shop.deps, admin, file(rebec))).toMatchObject({ unchanged: 1, problems: [] })
  expect((await importInstruments(shop.deps, admin, file(row!))).problems).toEqual([
    { line: 2, column: null, message: 'This product is hidden. Show it again first.' },
  ])
  await removeInstrument(shop.deps, admin.id, id)
  const message = 'An earlier import added this product, and it was deleted since. Change a value to add it again.'
  expect((await importInstruments(shop.deps, admin, file(rebec))).problems).toEqual([
    { line: 2, column: null, message },
  ])
  const rows = await shop.deps.db.select().from(instruments).where(eq(instruments.name, 'Rebec'))
  expect(rows).toHaveLength(1)
})
