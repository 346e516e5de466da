import fc from 'fast-check'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { at, day, expect, orderInput, test, type Store } from '../../../tests/support/store'
import { formerPrices, instruments, orders } from '../../db/schema'
import { placeOrder } from '../ordering/place-order.server'
import { dayText } from '../shared/dates'
import { newId } from '../shared/ids.server'
import { changeMany } from './bulk-changes.server'
import { currentSale, type Instrument } from './instruments'
import { findInstrument, findManagedInstrument } from './instruments.server'
import { addInstrument, InstrumentUpdate, NewProduct, updateInstrument } from './manage-instruments.server'
import { checkSale } from './sale-prices.server'
import { saleWords } from './sale-words'
import { searchInstruments, searchList } from './search/search-instruments.server'

const midnight = Date.UTC(2026, 10, 26)
const noon = midnight + day / 2
const violin = { name: 'Violin', img: '/plates/violin-4-4.svg', price: '100.00', minQuantity: 1 }
const december = { salePrice: '80.00', saleFrom: '2026-12-01', saleUntil: '2026-12-24' }
const [begins, ends] = [Date.UTC(2026, 11, 1), Date.UTC(2026, 11, 25)]

/** As the form sends it. */
async function saves(shop: Store, id: string, fields: Record<string, unknown>, when = noon) {
  const change = InstrumentUpdate.parse({ ...violin, ...fields })
  return updateInstrument(at(shop, when), { id: 'admin' }, id, change)
}

async function reduced(shop: Store, sale = december, more: Parameters<Store['sells']>[0] = {}) {
  const id = await shop.sells({ name: 'Violin', price: 100_00, stock: 500, ...more })
  await saves(shop, id, sale)
  return id
}

const seen = async (shop: Store, id: string, when: number) => {
  const found = (await findInstrument(at(shop, when), id))!
  return { price: found.priceCents, regular: found.regularCents, prior: currentSale(found)?.priorCents }
}

function buys(shop: Store, customer: { id: string }, id: string, quantity: number, when: number, more = {}) {
  return placeOrder(at(shop, when), customer, { ...orderInput(id, quantity), ...more })
}

const unitOf = async (shop: Store, id: string) =>
  (await shop.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!.unitPriceCents

test('keeps the price of an order that was placed before the sale ended', async ({ shop }) => {
  const id = await reduced(shop)
  const placed = await buys(shop, await shop.customer(), id, 2, ends - 1, { unitPrice: 80_00 })
  await saves(shop, id, {}, ends)
  expect(await unitOf(shop, placed.id)).toBe(80_00)
  await expect(
    shop.deps.db.run(sql`UPDATE orders SET unit_price_cents = 10000 WHERE id = ${placed.id}`),
  ).rejects.toThrow()
})

test('shows the price breaks that are below the sale price', async ({ shop }) => {
  const priceBreaks = [
    { from: 5, priceCents: 90_00 },
    { from: 10, priceCents: 70_00 },
  ]
  const id = await shop.sells({ name: 'Violin', price: 100_00, stock: 500, priceBreaks })
  const rows = { breakFrom1: 5, breakPrice1: '90.00', breakFrom2: 10, breakPrice2: '70.00' }
  await saves(shop, id, { ...december, ...rows })
  const [before, during] = [(await findInstrument(at(shop, noon), id))!, (await findInstrument(at(shop, begins), id))!]
  expect([before.priceBreaks, during.priceBreaks]).toEqual([priceBreaks, priceBreaks.slice(1)])
  expect((await findManagedInstrument(at(shop, begins), id))!.priceBreaks).toEqual(priceBreaks)
})

test('shows the lowest price of the 30 days before the sale, whatever came before and during it', async ({ shop }) => {
  const steps = fc.array(
    fc.record({
      /** In hours, never at midnight. */
      after: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 900 })),
      price: fc.integer({ min: 60_00, max: 99_00 }),
      sale: fc.option(
        fc.record({
          price: fc.integer({ min: 50_00, max: 59_99 }),
          from: fc.integer({ min: -2, max: 12 }),
          days: fc.integer({ min: 3, max: 20 }),
        }),
      ),
      keep: fc.constantFrom('price', 'sale', 'both', 'nothing', 'all but the end'),
    }),
    { minLength: 1, maxLength: 9 },
  )
  interface Period {
    price: number
    from: number
    to: number
  }
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      let now = midnight + day / 48
      const product = NewProduct.parse({ ...violin, price: '80.00', availableQuantity: 1 })
      const { id } = await addInstrument(at(shop, now), 'a', product)
      const regular: Period[] = [{ price: 80_00, from: now, to: Infinity }]
      const sales: Period[] = []
      /** When the sale of now lowered, or will lower, the price. */
      let start = 0
      for (const step of all) {
        now += (step.after * day) / 24
        const today = Math.floor(now / day) * day
        const last = sales.at(-1)
        const isOver = last !== undefined && last.to <= now
        const priceStays = step.keep === 'price' || step.keep === 'both' || step.keep === 'all but the end'
        const price = priceStays ? regular.at(-1)!.price : step.price
        let sale: Period | undefined = step.sale
          ? {
              price: step.sale.price,
              from: today + step.sale.from * day,
              to: today + (step.sale.from + step.sale.days) * day,
            }
          : undefined
        if (last && last.price > 0 && (step.keep === 'sale' || step.keep === 'both')) sale = last
        else if (last && last.price > 0 && step.keep === 'all but the end' && step.sale)
          sale = { ...last, to: Math.max(last.from, today) + step.sale.days * day }
        await saves(
          shop,
          id,
          {
            price: (price / 100).toFixed(2),
            ...(sale && {
              salePrice: (sale.price / 100).toFixed(2),
              saleFrom: dayText(sale.from),
              saleUntil: dayText(sale.to - day),
            }),
          },
          now,
        )
        if (price !== regular.at(-1)!.price) {
          regular.at(-1)!.to = now
          regular.push({ price, from: now, to: Infinity })
        }
        const isSame = sale?.price === last?.price && sale?.from === last?.from
        if (!isSame || (sale && last && isOver && sale.to > now)) {
          if (last && last.price > 0) last.to = Math.min(last.to, now)
          // One that had not begun was never a price.
          if (last && last.from > now) sales.pop()
          if (sale) {
            start = Math.max(sale.from, now)
            sales.push({ ...sale })
          } else sales.push({ price: 0, from: now, to: now })
        } else if (sale && last) last.to = sale.to
        if (!sale || sale.to <= now) continue
        const window = Math.floor(start / day) - 30
        const before = [...regular, ...sales.slice(0, -1).filter((period) => period.price > 0)].filter(
          ({ from, to }) => from < start && Math.floor((to - 1) / day) >= window,
        )
        const lowest = Math.min(...before.map((period) => period.price))
        const shown = await seen(shop, id, Math.max(start, now))
        expect(shown).toEqual({ price: sale.price, regular: price, prior: lowest > sale.price ? lowest : null })
        const rows = await shop.deps.db.select().from(formerPrices).where(eq(formerPrices.instrumentId, id))
        expect(rows.length).toBeLessThanOrEqual(31)
      }
    }),
    { numRuns: 50 },
  )
})

test.for([
  [30, 90_00],
  [31, 100_00],
] as const)(
  'compares a sale that begins %i days after the last day of a lower price with %i cents',
  async ([days, prior], { shop }) => {
    const product = NewProduct.parse({ ...violin, price: '90.00', availableQuantity: 1 })
    const { id } = await addInstrument(at(shop, midnight + 1), 'a', product)
    const [from, until] = [dayText(midnight + days * day), dayText(midnight + (days + 1) * day)]
    await saves(shop, id, { salePrice: '80.00', saleFrom: from, saleUntil: until }, noon)
    expect(await seen(shop, id, midnight + days * day)).toEqual({ price: 80_00, regular: 100_00, prior })
  },
)

test('compares a sale from today with the price before it, not with the lower one that comes with it', async ({
  shop,
}) => {
  const id = await shop.sells({ name: 'Violin', price: 100_00 })
  await saves(shop, id, { price: '90.00', salePrice: '80.00', saleUntil: '2026-12-24' })
  expect(await seen(shop, id, noon)).toEqual({ price: 80_00, regular: 90_00, prior: 100_00 })
})

test('keeps the price before a sale when the sale is made longer', async ({ shop }) => {
  const product = NewProduct.parse({ ...violin, price: '90.00', availableQuantity: 1 })
  const { id } = await addInstrument(at(shop, noon), 'a', product)
  await saves(shop, id, {}, noon + day)
  await saves(shop, id, { ...december, saleUntil: '2027-01-20' }, noon + 2 * day)
  // The price of 90 is older than 30 days by now.
  const later = Date.UTC(2027, 0, 15)
  await saves(shop, id, { ...december, saleUntil: '2027-01-31' }, later)
  expect(await seen(shop, id, later)).toEqual({ price: 80_00, regular: 100_00, prior: 90_00 })
})

test('keeps one former price a day, the lowest, and of 30 days', async ({ shop }) => {
  const id = await shop.sells({ name: 'Violin', price: 100_00 })
  const rows = () => shop.deps.db.select().from(formerPrices).where(eq(formerPrices.instrumentId, id))
  for (let nth = 0; nth < 120; nth++)
    await saves(shop, id, { price: `${90 + (nth % 9)}.00` }, midnight + nth * (day / 3) + 1)
  const kept = await rows()
  expect([kept.length, kept.every(({ priceCents }) => priceCents < 97_00)]).toEqual([31, true])
  await changeMany(
    at(shop, midnight + 100 * day),
    { id: 'admin' },
    [{ instrumentId: id, version: 121, priceCents: 99_00 }],
    newId(),
  )
  expect((await rows()).map((row) => row.day)).toEqual([midnight / day + 100])
})

test('shows no old price where there was none above it', async ({ shop }) => {
  const add = async (sale: object) => {
    const product = NewProduct.parse({ ...violin, availableQuantity: 1, ...sale })
    return (await addInstrument(at(shop, noon), 'a', product)).id
  }
  const atOnce = await add({ salePrice: '80.00', saleUntil: '2026-12-24' })
  expect(await seen(shop, atOnce, noon)).toEqual({ price: 80_00, regular: 100_00, prior: null })
  expect(saleWords((await findInstrument(at(shop, noon), atOnce))!)).toBe('Sale price until 24 Dec 2026.')
  const later = await add(december)
  expect(await seen(shop, later, begins)).toEqual({ price: 80_00, regular: 100_00, prior: 100_00 })
  // It has cost less than that within the 30 days.
  const cheap = await add({ price: '70.00' })
  await saves(shop, cheap, december, noon + 1)
  expect(await seen(shop, cheap, begins)).toEqual({ price: 80_00, regular: 100_00, prior: null })
  // A price below the sale's is no sale.
  await saves(shop, later, { price: '80.01', ...december }, begins)
  await changeMany(
    at(shop, begins + 1),
    { id: 'admin' },
    [{ instrumentId: later, version: 2, priceCents: 75_00 }],
    newId(),
  )
  expect(await seen(shop, later, begins + 2)).toEqual({ price: 75_00, regular: 75_00, prior: undefined })
})

test('filters and sorts by the price of now, page by page', async ({ shop }) => {
  const price = (nth: number) => 10_00 + nth * 100
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => shop.sells({ id: `v${nth + 10}`, name: 'Violin', price: price(nth) })),
  )
  const cheaper = [11, 5, 8]
  for (const nth of cheaper)
    await saves(shop, ids[nth]!, { ...december, price: String(price(nth) / 100), salePrice: `${nth}.50` })
  for (const when of [noon, begins, ends]) {
    const isOn = when === begins
    const wanted = ids
      .map((id, nth) => ({ id, price: isOn && cheaper.includes(nth) ? nth * 100 + 50 : price(nth) }))
      .sort((a, b) => a.price - b.price)
    for (const q of ['', 'violin']) {
      const pages = [1, 2, 3].map((page) =>
        searchInstruments(at(shop, when), { sort: 'price', q, page, size: 5 }).then((found) => found.instruments),
      )
      const found = (await Promise.all(pages)).flat()
      expect([when, q, found.map(({ id }) => id)]).toEqual([when, q, wanted.map(({ id }) => id)])
    }
    const maxCents = 11_50
    const listed = (await searchList(at(shop, when), { limit: 50, maxCents })).instruments
    expect(listed.map(({ id }) => id)).toEqual(
      ids.filter((id) => wanted.find((one) => one.id === id)!.price <= maxCents),
    )
  }
})

test.for<[Record<string, unknown>, Record<string, string[]>]>([
  [december, {}],
  [{ salePrice: '80.00', saleUntil: '2026-12-24' }, {}],
  [{ salePrice: '99.99', saleFrom: '2026-12-24', saleUntil: '2026-12-24' }, {}],
  [
    { salePrice: '100.00', saleUntil: '2026-12-24' },
    { salePrice: ['Sale price must be below the normal price, $100.00'] },
  ],
  [{ salePrice: '80.00' }, { saleUntil: ['Give the last day of the sale, like 2026-12-31'] }],
  [{ saleUntil: '2026-12-24' }, { salePrice: ['Enter a sale price, or remove the days'] }],
  [{ saleFrom: '2026-12-24' }, { salePrice: ['Enter a sale price, or remove the days'] }],
  [{ ...december, saleUntil: '2026-11-30' }, { saleUntil: ['The last day is before the first'] }],
  [{ ...december, saleUntil: '2026-02-30' }, { saleUntil: ['Give a day, like 2026-12-31'] }],
  [{ ...december, salePrice: '1.005' }, { salePrice: ['Sale price must be in whole cents, like 1200.50'] }],
  [
    { ...december, salePrice: '0.49' },
    { salePrice: ['The smallest order costs $0.49. A card can pay from $0.50 to $999,999.99 in one order'] },
  ],
  [{ ...december, salePrice: '0.49', minQuantity: 2 }, {}],
])('validates a sale with %j: %j', ([fields, errors]) => {
  const result = NewProduct.safeParse({ ...violin, availableQuantity: 1, ...fields })
  expect(result.error ? z.flattenError(result.error).fieldErrors : {}).toEqual(errors)
})

test.for<[object, Record<string, string>]>([
  [{}, {}],
  [{ sale: { price: 99, until: begins } }, {}],
  [{ sale: { price: 99, from: begins, until: begins } }, {}],
  [{ sale: { price: 100, until: begins } }, { price: 'Sale price must be below the normal price, $1.00' }],
  [{ sale: { price: 99, from: begins + 1, until: begins } }, { until: 'The last day is before the first' }],
  // The normal price is as low, which is said beside it.
  [{ price: 40, sale: { price: 40, until: begins } }, { price: 'Sale price must be below the normal price, $0.40' }],
])('checks the sale of the JSON %j: %j', ([input, errors]) => {
  const issues: unknown[] = []
  checkSale({ price: 100, minQuantity: 1, ...input }, { addIssue: (issue) => void issues.push(issue) })
  expect(issues).toEqual(
    Object.entries(errors).map(([field, message]) => ({ code: 'custom', path: ['sale', field], message })),
  )
})

test('says below a sale price until when it is, and what it was', () => {
  const sale = { priceCents: 80_00, regularCents: 100_00, saleUntilAt: ends, priorCents: 90_00 } as Instrument
  expect(saleWords(sale)).toBe('Sale price until 24 Dec 2026. Lowest price of the 30 days before: $90.00.')
  expect(saleWords({ ...sale, priceCents: 100_00 })).toBeNull()
})

test('refuses a sale that is over, and leaves one that has been', async ({ shop }) => {
  const id = await reduced(shop)
  const over = { code: 'invalid', fields: { saleUntil: ['This day is over'] } }
  await expect(saves(shop, id, { ...december, saleUntil: '2026-12-23' }, ends)).rejects.toMatchObject(over)
  await saves(shop, id, { ...december, brand: 'Amati' }, ends)
  const product = NewProduct.parse({ ...violin, availableQuantity: 1, ...december })
  await expect(addInstrument(at(shop, ends), 'a', product)).rejects.toMatchObject(over)
  await addInstrument(at(shop, ends - 1), 'a', product)
})

test('writes the sale into the audit log', async ({ shop }) => {
  const id = await reduced(shop)
  await saves(shop, id, { ...december, saleUntil: '2026-12-31' })
  await saves(shop, id, {})
  const [row] = await shop.deps.db.select().from(instruments).where(eq(instruments.id, id))
  expect([row!.saleCents, row!.saleFromAt, row!.saleUntilAt, row!.priorCents, row!.version]).toEqual([
    ...[null, null, null, null, 4],
  ])
  expect((await shop.auditLogOf(id)).map(({ note }) => note)).toEqual([
    'opening stock',
    'sale none → $80.00 from 1 Dec 2026 to 24 Dec 2026',
    'sale $80.00 from 1 Dec 2026 to 24 Dec 2026 → $80.00 from 1 Dec 2026 to 31 Dec 2026',
    'sale $80.00 from 1 Dec 2026 to 31 Dec 2026 → none',
  ])
})
