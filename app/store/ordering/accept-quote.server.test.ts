import { eq, sql } from 'drizzle-orm'
import { nextOrderNumber } from '../orders/orders.server'
import { check } from '../../../tests/stress/checker/check'
import { describe } from '../../../tests/stress/checker/violation'
import { expect, test, type Store, parcel } from '../../../tests/support/store'
import { isBrokenRule } from '../../db/open.server'
import { instruments, orders, quotes } from '../../db/schema'
import { day } from '../shared/dates'
import { newId } from '../shared/ids.server'
import { askForPrice, declineQuote, findQuote, offerPrice } from '../quotes/quotes.server'
import { acceptQuote, readQuotePage } from './accept-quote.server'
import { cancelOrder } from './cancel-order.server'
import { releaseExpiredHolds } from './holds.server'
import { placeOrder } from './place-order.server'

/** 20 Oboes at $90 instead of $100. */
async function anOffer(shop: Store, { stock = 100, validUntil = Date.now() + day } = {}) {
  const instrument = await shop.sells({ name: 'Oboe', price: 100_00, minimum: 2, stock })
  const [customer, admin] = [await shop.customer(), await shop.admin()]
  return { instrument, customer, admin, id: await offerTo(shop, { customer, admin, instrument }, validUntil) }
}

type Parties = Record<'customer' | 'admin', { id: string }> & { instrument: string }

async function offerTo(shop: Store, { customer, admin, instrument }: Parties, validUntil = Date.now() + day) {
  const { id } = await askForPrice(shop.deps, customer, {
    ...{ submissionId: newId(), instrumentId: instrument, orderQuantity: 30 },
  })
  await offerPrice(shop.deps, admin, id, { price: 90_00, orderQuantity: 20, validUntil })
  return id
}

const later = (shop: Store, ms: number) => ({ ...shop.deps, now: () => Date.now() + ms })
const why = async (shop: Store, customer: { id: string }, id: string) =>
  (await readQuotePage(shop.deps, customer, id))?.problem

test('makes one unpaid order at the price of the offer, however often and wherever it is accepted', async ({
  shop,
}) => {
  const { id, instrument, customer } = await anOffer(shop)
  const accepted = await Promise.all(
    [parcel, parcel, { ...parcel, customerAddress: '2 Bow Lane' }, parcel].map((input) =>
      acceptQuote(shop.deps, customer, id, input),
    ),
  )
  expect(accepted.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
  expect(new Set(accepted.map((each) => each.id)).size).toBe(1)
  const [order, ...others] = await shop.ordersOf(customer)
  expect(others).toEqual([])
  expect(order).toMatchObject({
    state: 'unpaid',
    quantity: 20,
    unitPriceCents: 90_00,
    totalCents: 1800_00,
    quoteId: id,
  })
  expect(order!.holdUntil).toBeGreaterThan(Date.now())
  expect(await shop.stockOf(instrument)).toBe(80)
  expect(await acceptQuote(shop.deps, customer, id, parcel)).toEqual({ id: order!.id, isRepeat: true })
})

test('an offer is used up by its order, also by one that is cancelled or expires', async ({ shop }) => {
  const [cancelled, expired] = [await anOffer(shop, { stock: 20 }), await anOffer(shop, { stock: 20 })]
  const first = await acceptQuote(shop.deps, cancelled.customer, cancelled.id, parcel)
  await cancelOrder(shop.deps, cancelled.customer, first.id)
  expect(await acceptQuote(shop.deps, cancelled.customer, cancelled.id, parcel)).toEqual({
    id: first.id,
    isRepeat: true,
  })
  await acceptQuote(shop.deps, expired.customer, expired.id, parcel)
  await releaseExpiredHolds(later(shop, 4 * day), 10)
  expect((await acceptQuote(shop.deps, expired.customer, expired.id, parcel)).isRepeat).toBe(true)
  for (const { instrument } of [cancelled, expired]) expect(await shop.stockOf(instrument)).toBe(20)
  await expect(declineQuote(shop.deps, expired.admin, expired.id, { reason: 'No' })).rejects.toThrow('has accepted')
})

test('refuses another customer, and an offer that is missing, withdrawn or over, in words', async ({ shop }) => {
  const { id, customer, admin, instrument } = await anOffer(shop)
  for (const other of [await shop.customer(), admin]) {
    await expect(acceptQuote(shop.deps, other, id, parcel)).rejects.toThrow('There is no such request.')
    expect(await readQuotePage(shop.deps, other, id)).toBeNull()
  }
  const { validUntil } = (await findQuote(shop.deps, null, id))!.quote
  for (const now of [validUntil!, validUntil! + 1])
    await expect(acceptQuote({ ...shop.deps, now: () => now }, customer, id, parcel)).rejects.toThrow(
      'This offer ended on',
    )
  await declineQuote(shop.deps, admin, id, { reason: 'A mistake.' })
  await expect(acceptQuote(shop.deps, customer, id, parcel)).rejects.toThrow('There is no offer any more.')
  const asked = await askForPrice(shop.deps, customer, {
    ...{ submissionId: newId(), instrumentId: instrument, orderQuantity: 2 },
  })
  await expect(acceptQuote(shop.deps, customer, asked.id, parcel)).rejects.toThrow('not answered this request yet')
  expect(await shop.ordersOf(customer)).toEqual([])
})

test('says what is missing, keeps the offer, and releases expired holds for it', async ({ shop }) => {
  const { id, customer, instrument } = await anOffer(shop, { stock: 25, validUntil: Date.now() + 9 * day })
  const other = await shop.customer()
  const order = { submissionId: newId(), instrumentId: instrument, orderQuantity: 6, ...parcel }
  await placeOrder(shop.deps, other, order)
  await expect(acceptQuote(shop.deps, customer, id, parcel)).rejects.toThrow(
    'Only 19 of the 20 pieces are available now.',
  )
  expect(await why(shop, customer, id)).toContain('Only 19 of the 20 pieces')
  expect((await acceptQuote(later(shop, 4 * day), customer, id, parcel)).isRepeat).toBe(false)
  expect(await shop.stockOf(instrument)).toBe(5)
})

test('refuses an offer whose instrument is off sale, or has a higher minimum order', async ({ shop }) => {
  const { id, customer, instrument } = await anOffer(shop)
  const alter = (columns: Partial<typeof instruments.$inferInsert>) =>
    shop.deps.db.update(instruments).set(columns).where(eq(instruments.id, instrument))
  await alter({ minQuantity: 21 })
  await expect(acceptQuote(shop.deps, customer, id, parcel)).rejects.toThrow('The minimum order is 21 now.')
  await alter({ minQuantity: 1, removedAt: 1 })
  await expect(acceptQuote(shop.deps, customer, id, parcel)).rejects.toThrow('not on sale any more')
})

type Columns = Record<string, string | number | null>

/** Past `acceptQuote`. */
function insertOrder(shop: Store, one: Awaited<ReturnType<typeof anOffer>>, columns: Columns) {
  const row = {
    ...{ id: newId(), customer_id: one.customer.id, instrument_id: one.instrument, submission_id: newId() },
    ...{ product_name: 'Oboe', unit_price_cents: 90_00, quantity: 20, customer_name: 'Ada', moved_by: 'test' },
    ...{ customer_email: one.customer.email, customer_address: 'x', customer_phone: 'x', created_at: Date.now() },
    ...{ quote_id: one.id },
    ...columns,
  }
  const names = sql.raw([...Object.keys(row), 'total_cents', 'number'].join(', '))
  const total = row.unit_price_cents * row.quantity
  const values = [...[...Object.values(row), total].map((value) => sql`${value}`), nextOrderNumber]
  return shop.deps.db.run(sql`INSERT INTO orders (${names}) VALUES (${sql.join(values, sql`, `)})`)
}

test('the database takes an order at a price of its quote alone, and once', async ({ shop }) => {
  const one = await anOffer(shop)
  const two = await anOffer(shop)
  const withdrawn = await offerTo(shop, one)
  await declineQuote(shop.deps, one.admin, withdrawn, { reason: 'No' })
  const insert = (columns: Columns) => insertOrder(shop, one, columns)
  const refusal = (columns: Columns) =>
    insert(columns).then(
      () => null,
      (error: unknown) => isBrokenRule(error),
    )
  const wrongs: Columns[] = [
    { quote_id: null },
    { quote_id: 'none' },
    { quote_id: withdrawn },
    { quote_id: two.id },
    { customer_id: two.customer.id },
    { instrument_id: two.instrument },
    { quantity: 19 },
    { unit_price_cents: 89_99 },
    { unit_price_cents: 100_00 },
    { created_at: Date.now() + 2 * day },
  ]
  for (const wrong of wrongs) expect([wrong, await refusal(wrong)]).toEqual([wrong, true])
  expect(await refusal({})).toBeNull()
  expect(await refusal({})).toBe(true)
  const change = shop.deps.db.update(orders).set({ quoteId: null }).where(eq(orders.quoteId, one.id)).execute()
  expect(await change.catch((error: unknown) => isBrokenRule(error))).toBe(true)
  expect(await shop.deps.db.select().from(quotes)).toHaveLength(3)
})

test('the checker finds an order with the quote of another, in another quantity, at another price, too late, or used twice', async ({
  shop,
}) => {
  const [one, two] = [await anOffer(shop, { stock: 1000 }), await anOffer(shop)]
  const { db } = shop.deps
  await db.run(sql`DROP TRIGGER orders_check_terms`)
  await db.run(sql`DROP INDEX orders_quote`)
  const found = async () => {
    await shop.readLog()
    const database = async (query: string) => (await db.run(sql.raw(query))).rows.map((row) => ({ ...row }) as never)
    const violations = await check({ database, sandboxUrl: shop.sandbox.url })
    return violations.map((violation) => describe([violation])).join('\n')
  }
  await insertOrder(shop, one, {})
  expect(await found()).toBe('')
  for (const [wrong, words] of [
    [{}, 'made 2 orders'],
    [{ customer_id: two.customer.id }, 'accepts an offer to'],
    [{ instrument_id: two.instrument }, 'accepts an offer of'],
    [{ quantity: 19 }, '20 at 9000 offered, 19 at 9000 ordered'],
    [{ unit_price_cents: 89_99 }, '20 at 9000 offered, 20 at 8999 ordered'],
    [{ created_at: Date.now() + 2 * day }, 'outside the time of its offer'],
  ] as const) {
    await insertOrder(shop, one, wrong)
    expect(await found()).toContain(words)
  }
  shop.skipInvariants('wrong orders on purpose')
})
