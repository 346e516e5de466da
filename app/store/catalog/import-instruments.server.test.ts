import { eq } from 'drizzle-orm'
import { expect, test, type Store } from '../../../tests/support/store'
import { instruments } from '../../db/schema'
import { readInBatches } from './feeds.server'
import { importColumns, importInstruments, planImport, type ImportLine } from './import-instruments.server'
import type { Instrument } from './instruments'
import { findInstrument } from './instruments.server'
import { searchList } from './search/search-instruments.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { removeInstrument, updateInstrument } from './manage-instruments.server'

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
  const { admin, rows } = await shopWith(shop, 'lute', 'oud', 'viol')
  let invalidated = 0
  const deps = { ...shop.deps, invalidate: () => invalidated++ }
  const delivery = { stockChange: '5', reason: 'Delivery' }
  const lines = file(
    rowOf(rows[0]!, { name: 'Lute in G', price: '12', brand: 'Amati', ...delivery }),
    rowOf(rows[2]!, { stockChange: '-10', reason: 'Broken' }),
    rowOf(rows[1]!, { reason: 'A reason alone is no change' }),
    rebec,
    { ...rebec, description: 'Another one' },
  )
  const counts = { added: 2, changed: 1, stockChanges: 2, unchanged: 1, problems: [] }
  expect(await planImport(deps, lines)).toMatchObject(counts)
  expect([await exported(shop), invalidated]).toEqual([rows, 0])

  expect(await importInstruments(deps, admin, lines)).toMatchObject(counts)
  expect(invalidated).toBe(1)
  const { instruments: listed } = await searchList(shop.deps, { limit: 9 })
  expect(listed).toMatchObject([
    { name: 'Lute in G', priceCents: 12_00, brand: 'Amati', availableQuantity: 15, version: 2 },
    { name: 'oud', availableQuantity: 10, version: 1 },
    { name: 'viol', availableQuantity: 0, version: 2 },
    { name: 'Rebec', description: '', priceCents: 12_50, minQuantity: 2, availableQuantity: 5, slug: 'rebec' },
    { name: 'Rebec', description: 'Another one' },
  ])
  expect(listed[4]!.slug).toBe(`rebec-${listed[4]!.id}`)
  const by = { actor: admin.id }
  expect(await shop.auditLogOf('lute')).toMatchObject([
    {},
    {
      ...by,
      event: 'instrument changed',
      note: 'price $10.00 → $12.00; name "lute" → "Lute in G"; brand none → Amati',
    },
    { ...by, event: 'stock counted', stockDelta: 5, note: 'Delivery (import of version 1)' },
  ])
  expect(await shop.auditLogOf(listed[3]!.id)).toMatchObject([
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
  expect(await importInstruments(shop.deps, admin, file(...first))).toMatchObject({ ...none, unchanged: 2 })
  const withOther = file(rowOf(rows[1]!, { price: '9' }), ...first)
  expect(await importInstruments(shop.deps, admin, withOther)).toMatchObject({ ...none, changed: 1, unchanged: 2 })
  expect([await shop.stockOf('lute'), (await exported(shop)).length]).toEqual([15, after.length])

  // Another change of the stock from the same export is no repeat.
  const other = file(rowOf(rows[0]!, { ...delivery, stockChange: '6' }))
  expect(await importInstruments(shop.deps, admin, other)).toMatchObject({ problems: [{ column: 'version' }] })
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
  expect(await meanwhile('-2', () => removeInstrument(shop.deps, admin.id, 'viol'))).toMatchObject({
    problems: [{ line: 3, column: null, message: 'This product is no longer on sale.' }],
  })
  expect(await exported(shop)).toEqual([rows[0]])
})

test('reserves room in the stock limit for unpaid orders', async ({ shop }) => {
  const { admin, rows } = await shopWith(shop, 'lute')
  await order(shop, 'lute', 4)
  const fill = (stockChange: string) =>
    importInstruments(shop.deps, admin, file(rowOf(rows[0]!, { stockChange, reason: 'Delivery' })))
  const message = 'Stock can be at most 1,000,000 pieces, unpaid orders included'
  expect((await fill('999991')).problems).toEqual([{ line: 2, column: 'stockChange', message }])
  expect((await fill('999990')).problems).toEqual([])
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
    { ...rebec, name: '', price: 'dear', family: 'drums', img: 'x', minQuantity: '0', availableQuantity: '' },
    { ...rebec, version: '1', stockChange: '5' },
    { ...lute, stockChange: '5' },
    { ...lute, price: '' },
    rowOf(rows[1]!, { version: '', stockChange: 'many' }),
    { ...lute, id: 'none' },
    rowOf(rows[2]!),
    lute,
    rebec,
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
    '11 minQuantity: Minimum quantity must be a whole number from 1 to 1,000,000',
    '11 availableQuantity: Available quantity must be a whole number from 0 to 1,000,000',
    '12 version: Keep the version of the export',
    '12 stockChange: Enter a whole number, like 12 or -3',
  ])
})

test('does not add a deleted product again', async ({ shop }) => {
  const admin = await shop.admin()
  await importInstruments(shop.deps, admin, file(rebec))
  const [{ id }] = (await exported(shop)) as [Instrument]
  await removeInstrument(shop.deps, admin.id, id)
  expect((await importInstruments(shop.deps, admin, file(rebec))).problems).toHaveLength(1)
  const rows = await shop.deps.db.select().from(instruments).where(eq(instruments.name, 'Rebec'))
  expect(rows).toHaveLength(1)
})
