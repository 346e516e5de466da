import { eq, sql } from 'drizzle-orm'
import { nextOrderNumber } from './orders.server'
import { expect, test, type Store } from '../../../tests/support/store'
import { orderRefunds, orders, users } from '../../db/schema'
import { searchWindow } from './orders'
import { findNextToShip, readOrdersInBatches, searchOrders, type OrderSearch } from './search-orders.server'

/** Orders `o1`, `o2` … at the times 1, 2 … Every tenth is cancelled. */
async function manyOrders(shop: Store, count: number) {
  shop.skipInvariants('orders that nobody placed')
  const violin = await shop.sells({ stock: count })
  const [ada, bea] = [
    await shop.customer({ email: 'ada@example.com' }),
    await shop.customer({ email: 'b_a@shop.example' }),
  ]
  await shop.deps.db.run(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${count})
    INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
    SELECT 'o' || n, ${nextOrderNumber} + n - 1, iif(n = 3, ${bea.id}, ${ada.id}), ${violin}, n, iif(n = 5, 'Serpent 100%', 'Violin'), 100000, 1, 100000,
      iif(n = 3, 'Bea', 'Ada'), iif(n = 3, 'b_a@shop.example', 'ada@example.com'), '1 Bow Lane', '07700900123', n, 'test' FROM many`)
  await shop.deps.db.run(sql`UPDATE orders SET state = 'cancelled', cancelled_at = 1 WHERE id LIKE 'o%0'`)
  await shop.deps.db.run(sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_4' WHERE id = 'o4'`)
  const at = async (search: Partial<OrderSearch>) => {
    const { orders, counts: _, ...rest } = await searchOrders(shop.deps, { role: 'admin' }, { limit: 3, ...search })
    return { ids: orders.map(({ id }) => id).join(' '), ...rest }
  }
  return at
}

test('pages through the orders both ways, with the same filters', async ({ shop }) => {
  const at = await manyOrders(shop, 12)
  expect(await at({})).toEqual({ ids: 'o12 o11 o9', newer: null, older: 'o9', isPartial: false })
  expect(await at({ before: 'o9' })).toEqual({ ids: 'o8 o7 o6', newer: 'o8', older: 'o6', isPartial: false })
  expect(await at({ after: 'o6' })).toEqual({ ids: 'o9 o8 o7', newer: 'o9', older: 'o7', isPartial: false })
  expect(await at({ after: 'o9' })).toMatchObject({ ids: 'o12 o11', newer: null, older: 'o11' })
  expect(await at({ before: 'o4' })).toMatchObject({ ids: 'o3 o2 o1', newer: 'o3', older: null })
  expect(await at({ before: 'o1' })).toMatchObject({ ids: '', newer: null, older: null })
  expect(await at({ from: 4, until: 7 })).toMatchObject({ ids: 'o6 o5 o4', older: null })
  expect(await at({ state: 'cancelled' })).toMatchObject({ ids: 'o10' })
  expect(await at({ state: 'unpaid', from: 3, until: 7 })).toMatchObject({ ids: 'o6 o5 o3' })
})

test('leads from an order to the next one to ship, and from the last one to the nearest before it', async ({
  shop,
}) => {
  await manyOrders(shop, 12)
  for (const n of [5, 8, 9, 11])
    await shop.deps.db.run(
      sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = ${`pi_${n}`} WHERE id = ${`o${n}`}`,
    )
  const next = (id: string, filters?: Parameters<typeof findNextToShip>[2]) => findNextToShip(shop.deps, id, filters)
  expect(await Promise.all(['o1', 'o4', 'o5', 'o8', 'o9', 'o12'].map((id) => next(id)))).toEqual([
    ...['o4', 'o5', 'o8', 'o9', 'o11', 'o11'],
  ])
  // Itself is to be shipped as well, and is not the next one.
  expect(await next('o11')).toBe('o9')
  expect(await next('o11', { from: 5, until: 9 })).toBe('o8')
  expect(await next('o4', { from: 6 })).toBe('o8')
  expect(await next('o9', { until: 11 })).toBe('o8')
  expect(await next('o4', { from: 10, until: 11 })).toBeNull()
  expect(await next('o4', { q: 'serpent' })).toBe('o5')
  expect(await next('o5', { q: 'serpent' })).toBeNull()
  expect(await next('o9', { q: 'ada@example.com' })).toBe('o11')
})

test('finds an order by number, transaction id, email, or a part of name, email or product', async ({ shop }) => {
  const at = await manyOrders(shop, 12)
  const found = async (q: string, more: Partial<OrderSearch> = {}) => (await at({ q, ...more })).ids
  for (const q of [
    'C-1003',
    'c-1003',
    'c1003',
    '1003',
    'b_a@shop.example',
    'B_A@shop.example',
    'bea',
    'b_a@',
    'shop.ex',
  ])
    expect([q, await found(q)]).toEqual([q, 'o3'])
  const countsOf = async (q?: string) =>
    (await searchOrders(shop.deps, { role: 'admin' }, { limit: 3, ...(q && { q }) })).counts
  expect([await countsOf('bea'), await countsOf('1003'), (await countsOf())!.paid]).toEqual([null, null, 1])
  expect(await found('pi_4')).toBe('o4')
  expect(await found('C-1010')).toBe('o10')
  expect(await found('C-1003', { state: 'paid' })).toBe('')
  expect(await found('serpent')).toBe('o5')
  expect(await found('100%')).toBe('o5')
  for (const q of ['_', '%t%', '\\', 'C-1013', 'pi_5', 'nobody@example.com'])
    expect([q, await found(q)]).toEqual([q, q === '_' ? 'o3' : ''])
  expect(await at({ q: 'ada@example.com', before: 'o5' })).toMatchObject({ ids: 'o4 o2 o1', older: null })
  expect(await at({ q: 'violin', before: 'o4' })).toMatchObject({ ids: 'o3 o2 o1', newer: 'o3' })
})

test('finds an order by phone, address and name, however they are written', async ({ shop }) => {
  const at = await manyOrders(shop, 9)
  const set = (id: string, columns: Partial<typeof orders.$inferInsert>) =>
    shop.deps.db.update(orders).set(columns).where(eq(orders.id, id))
  await set('o1', { customerName: 'Jürgen Müller', customerPhone: '+49 (0)170 / 12 34 567'.replace('/', '-') })
  await set('o2', { customerName: 'Renée Groß', customerPhone: '030 9988776', company: 'Weiß & Söhne' })
  await set('o3', {
    customerName: 'Jurgen Muller',
    customerAddress: 'Lange Straße 12b\n10115 Köln',
    customerPhone: '(212) 555-0142',
  })
  await set('o4', {
    customerName: 'Mu\u0308nch, Søren',
    customerPhone: '0044 7700 900999',
    purchaseOrder: 'PO/00340434161094',
  })
  const found = async (q: string) => (await at({ q, limit: 9 })).ids
  for (const [q, ids] of [
    ['JÜRGEN MÜLLER', 'o3 o1'],
    ['Muller', 'o3 o1'],
    ['Müller Jürgen', 'o3 o1'],
    ['Mu\u0308ller', 'o3 o1'],
    ['munch soren', 'o4'],
    ['MÜNCH', 'o4'],
    ['gross', 'o2'],
    ['GROẞ renee', 'o2'],
    ['weiss sohne', 'o2'],
    ['lange strasse 12B', 'o3'],
    ['koln, 10115', 'o3'],
    ['Müller Köln', 'o3'],
    ['0170 1234567', 'o1'],
    ['+49 170 1234567', 'o1'],
    ['0049170/1234567', 'o1'],
    ['49-170-1234567', 'o1'],
    ['Müller 0170 12 34 567', 'o1'],
    ['Groß 0170 1234567', ''],
    ['+49 30 9988776', 'o2'],
    ['9988776', 'o2'],
    ['+1 212 555 0142', 'o3'],
    ['2125550142', 'o3'],
    ['212\u20115550142', 'o3'],
    ['+44\u00a07700\u00a0900999', 'o4'],
    ['07700900999', 'o4'],
    ['00340434161094', 'o4'],
    ['00000', ''],
    ['0170 7654321', ''],
    ['()', ''],
  ] as const)
    expect([q, await found(q)]).toEqual([q, ids])
  const read = readOrdersInBatches(shop.deps, { role: 'admin' }, { q: '+49 170 1234567' })
  expect((await read.next()).value!.map(({ id }) => id)).toEqual(['o1'])
})

test('finds the orders with refunds, also among those of a search', async ({ shop }) => {
  const at = await manyOrders(shop, 12)
  const found = async (more: Partial<OrderSearch>) => (await at({ state: 'refunded', ...more })).ids
  expect(await found({})).toBe('')
  await shop.deps.db.insert(orderRefunds).values({
    ...{ id: 'r1', submissionId: 'r1', refundId: 're_1', orderId: 'o4', amountCents: 500_00, reason: '' },
    ...{ movedBy: 'stripe', createdAt: 1, madeAt: 1 },
  })
  for (const more of [
    {},
    { q: 'violin' },
    { q: 'ada@example.com' },
    { after: 'o3' },
    { before: 'o5' },
    { from: 4, until: 5 },
  ])
    expect([more, await found(more)]).toEqual([more, 'o4'])
  for (const more of [{ q: 'bea' }, { q: 'C-1003' }, { after: 'o4' }, { before: 'o4' }, { from: 5 }, { until: 4 }])
    expect([more, await found(more)]).toEqual([more, ''])
  for (const more of [{}, { q: 'violin' }, { q: 'C-1004' }])
    expect((await at({ state: 'paid', ...more })).ids).toBe('o4')
})

test('exports what a search finds, cancelled orders too, or the chosen ones', async ({ shop }) => {
  const at = await manyOrders(shop, 12)
  const exported = async (search: Parameters<typeof readOrdersInBatches>[2]) =>
    (await readOrdersInBatches(shop.deps, { role: 'admin' }, search).next()).value!.map(({ id }) => id).join(' ')
  expect(await exported({})).toBe('o1 o2 o3 o4 o5 o6 o7 o8 o9 o10 o11 o12')
  expect(await exported({ q: 'serpent' })).toBe('o5')
  expect(await exported({ q: 'bea' })).toBe('o3')
  expect(await exported({ q: 'C-1010' })).toBe('o10')
  expect(await exported({ ids: ['o10', 'o2'] })).toBe('o2 o10')
  // No order has this number, and nobody this address any more: texts, as in the list.
  await shop.deps.db.update(users).set({ email: 'bea@new.example' }).where(eq(users.email, 'b_a@shop.example'))
  for (const [q, ids] of [
    ['100', 'o5'],
    ['b_a@shop.example', 'o3'],
    ['bea@new.example', 'o3'],
    ['C-1013', ''],
  ] as const)
    expect([q, await exported({ q }), (await at({ q })).ids]).toEqual([q, ids, ids])
})

test('searches texts in a bounded number of orders, and goes on from there', async ({ shop }) => {
  const at = await manyOrders(shop, searchWindow + 20)
  const end = 'o21'
  expect(await at({ q: 'serpent' })).toEqual({ ids: '', newer: null, older: end, isPartial: true })
  expect(await at({ q: 'serpent', before: end })).toEqual({ ids: 'o5', newer: 'o5', older: null, isPartial: false })
  expect(await at({ q: 'violin' })).toMatchObject({ older: `o${searchWindow + 18}`, isPartial: false })
  expect(await at({ q: 'C-1005' })).toMatchObject({ ids: 'o5', isPartial: false })
  const batches: number[] = []
  for await (const batch of readOrdersInBatches(shop.deps, { role: 'admin' }, { from: 5, until: 2006 }))
    batches.push(batch.length)
  expect(batches).toEqual([1000, 1000, 1])
})
