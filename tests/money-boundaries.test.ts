import type { AppLoadContext } from '@remix-run/cloudflare'
import { sql } from 'drizzle-orm'
import { nextOrderNumber } from '../app/store/orders/orders.server'
import { apiPaths } from '../app/api/endpoints/index.server'
import { serve } from '../app/api/serve.server'
import { parseCsv, plainText } from '../app/http/csv/csv.server'
import { productsCsv, productsHead, readProducts } from '../app/http/csv/product-csv.server'
import { importColumns } from '../app/store/catalog/import-instruments.server'
import { searchInstruments } from '../app/store/catalog/search/search-instruments.server'
import { NewInstrument, NewInstrumentForm } from '../app/store/catalog/manage-instruments.server'
import { NewRefund } from '../app/store/payments/order-refunds.server'
import { demoInstruments } from '../dev/demo/instruments'
import { day, expect, test, type Store } from './support/store'
import { loader as exportLoader } from '../app/routes/admin/export-orders'
import { loader as ordersLoader } from '../app/routes/admin/manage-orders'
import { loader as listLoader } from '../app/routes/all-instruments'

/* The first and last that counts: a cent, a day. Where binary fractions lie: 19.99 * 100 is 1998.9999999999998. */

const list = apiPaths.find(({ path }) => path === '/instruments')!

async function contextOf(shop: Store) {
  const admin = { ...(await shop.admin()), role: 'admin' }
  return { ...shop.deps, config: { API_ORIGINS: [] }, user: () => Promise.resolve(admin) } as unknown as AppLoadContext
}

const get = (path: string) => new Request(`https://shop.example${path}`)

/** Ids that each list finds for `max`. */
async function cheaperThan(context: AppLoadContext, max: string): Promise<string[][]> {
  const query = `?max=${encodeURIComponent(max)}`
  const page = await listLoader({ request: get(`/allInstruments${query}`), context, params: {} })
  const response = await serve(list)({ request: get(`/instruments${query}`), context, params: {} })
  expect(response.status).toBe(200)
  const json = await response.json<{ _id: string }[]>()
  return [page.instruments.map(({ id }) => id), json.map(({ _id }) => _id)]
}

test.for([0.01, 0.29, 1.1, 1.15, 4.35, 8.2, 19.99, 1001.1, 999_999.99])(
  'finds an instrument of $%d up to this price, and not up to a cent less',
  async (dollars, { shop }) => {
    shop.skipInvariants('nobody counted these')
    const price = Math.round(dollars * 100)
    await shop.sells({ id: 'it', price })
    if (price < 99_999_999) await shop.sells({ id: 'dearer', price: price + 1 })
    const context = await contextOf(shop)
    expect(await cheaperThan(context, dollars.toFixed(2))).toEqual([['it'], ['it']])
    const less = ((price - 1) / 100).toFixed(2)
    expect(await cheaperThan(context, less)).toEqual([[], []])
    expect((await searchInstruments(context, { maxCents: price, page: 1, size: 9 })).instruments).toHaveLength(1)
  },
)

/** What the form of an import makes of a price in a file with this separator: cents, or why not. */
function importedPrice(cell: string, separator: string): number | string {
  const cells = importColumns.map((column) => (column === 'price' ? cell : column === 'name' ? 'Rebec' : ''))
  const text = [importColumns, cells].map((row) => row.join(separator)).join('\r\n')
  const [line] = readProducts(text)
  const result = NewInstrumentForm.shape.price.safeParse(line!.cells.price)
  return result.success ? result.data : result.error.issues[0]!.message
}

const wholeCents = 'Price must be in whole cents, like 1200.50'

test.for([
  ['19.99', ';', 19_99],
  ['19,99', ';', 19_99],
  ['19,9', ';', 19_90],
  ['1200,50', ';', 1200_50],
  ['999999,99', ';', 999_999_99],
  ['1,200.50', ';', 1200_50],
  // Of a column with three decimals: not $19,990.
  ['19,990', ';', wholeCents],
  ['1.200,50', ';', 1200_50],
  ['19.99', '\t', 19_99],
  ['19,99', '\t', 19_99],
  ['0.1', '\t', 10],
  ['0.30', '\t', 30],
  ['0.001', '\t', wholeCents],
  ['0', '\t', 'Price must be at least $0.01'],
  ['1000000', '\t', 'Price must be below $1,000,000'],
] as const)('reads the price %j of a file with %j as %s', ([cell, separator, price]) => {
  expect(importedPrice(cell, separator)).toBe(price)
})

test('writes prices of an export with two decimals, and reads them back', () => {
  const prices = [1, 10, 19_90, 19_99, 1200_00, 99_999_999]
  const noSale = { saleCents: null, saleFromAt: null, saleUntilAt: null }
  const products = prices.map((regularCents) => ({
    ...demoInstruments[0]!,
    ...noSale,
    id: 'x',
    version: 1,
    regularCents,
  }))
  const text = productsHead + productsCsv(products as unknown as Parameters<typeof productsCsv>[0])
  const [head, ...rows] = [...parseCsv(text.slice(1), ',')]
  const cells = rows.map((row) => row[head!.indexOf('price')])
  expect(cells).toEqual(['0.01', '0.10', '19.90', '19.99', '1200.00', '999999.99'])
  expect(readProducts(text.slice(1)).map(({ cells: { price } }) => NewInstrumentForm.shape.price.parse(price))).toEqual(
    prices,
  )
})

test('takes the lowest and the highest price as JSON, and no fraction of a cent', () => {
  const parse = (price: number) => NewInstrument.shape.price.safeParse(price)
  for (const [dollars, cents] of [
    [0.01, 1],
    [0.29, 29],
    [19.99, 19_99],
    [0.1 + 0.7, 80],
    [0.1 + 0.2, 30],
    [4.35, 4_35],
    [1001.1, 1001_10],
    [999_999.99, 99_999_999],
  ] as const)
    expect([dollars, parse(dollars).data]).toEqual([dollars, cents])
  for (const dollars of [0, -1, 0.001, 19.999, 1_000_000, Number.MAX_SAFE_INTEGER, 1e21])
    expect([dollars, parse(dollars).success]).toEqual([dollars, false])
})

test('lists and exports the orders of the last day too, and of no day more', async ({ shop }) => {
  const from = Date.UTC(2026, 10, 23)
  const times = { before: from - 1, first: from, last: from + 2 * day - 1, after: from + 2 * day }
  shop.skipInvariants('orders that nobody placed')
  const [violin, customer] = [await shop.sells({ price: 19_90 }), await shop.customer()]
  for (const [id, at] of Object.entries(times))
    await shop.deps.db.run(sql`
      INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
        customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
      VALUES (${id}, ${nextOrderNumber}, ${customer.id}, ${violin}, ${id}, ${id}, 1990, 3, 5970, 'Ada', 'ada@example.com', '1', '07700900123', ${at}, 'test')`)
  const context = await contextOf(shop)
  const found = async (query: string) => {
    const { data: page } = await ordersLoader({ request: get(`/dashboard/manageOrders${query}`), context, params: {} })
    const file = await exportLoader({ request: get(`/dashboard/manageOrders.csv${query}`), context, params: {} })
    const [head, ...rows] = [...parseCsv((await file.text()).replace('\uFEFF', ''), ',')]
    const column = (name: string) => rows.map((row) => plainText(row[head!.indexOf(name)]!))
    for (const [name, value] of Object.entries({ 'Price each': '19.90', Total: '59.70', Refund: '0.00' }))
      expect(new Set(column(name))).toEqual(new Set([value]))
    expect(column('Product').toReversed()).toEqual(page.orders.map(({ id }) => id))
    return column('Product')
  }
  expect(await found('?from=2026-11-23&to=2026-11-24')).toEqual(['first', 'last'])
  expect(await found('?from=2026-11-24&to=2026-11-24')).toEqual(['last'])
  expect(await found('?to=2026-11-24')).toEqual(['before', 'first', 'last'])
  expect(await found('?from=2026-11-23')).toEqual(['first', 'last', 'after'])
})

test('refunds a cent and more, and no less', () => {
  const parse = (amount: string) => NewRefund.shape.amount.safeParse(amount)
  for (const [amount, cents] of [
    ['0.01', 1],
    ['19.99', 19_99],
    ['$1,234.50', 1234_50],
  ] as const)
    expect([amount, parse(amount).data]).toEqual([amount, cents])
  for (const amount of ['0', '-0.01', '0.001', '1,5']) expect([amount, parse(amount).success]).toEqual([amount, false])
})
