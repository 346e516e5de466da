import { eq } from 'drizzle-orm'
import { apiKeys, instruments } from '../../app/db/schema'
import { createApiKey } from '../../app/store/integrations/api-keys.server'
import { newId } from '../../app/store/shared/ids.server'
import { FaultProxy } from '../../dev/fault-proxy'
import { Program } from '../support/api-client'
import { expect, test, type Shop } from '../support/shop'

interface Row {
  row: number
  _id: string
  done: boolean
  fields?: Record<string, string[]>
}

async function writer(shop: Shop) {
  const admin = await shop.admin()
  const scopes = ['catalogue:write' as const]
  const { key } = await createApiKey(shop.deps, admin, { name: 'x', scopes, days: 30, submissionId: newId() })
  const program = new Program(shop.visitor(), key)
  const send = (changes: object[], headers: Record<string, string> = {}) =>
    program.call<{ rows: Row[]; error: { fields: object } }>('POST', '/instrument-changes', { changes }, headers)
  return { admin, send, program }
}

const productOf = async (shop: Shop, id: string) =>
  (await shop.deps.db.select().from(instruments).where(eq(instruments.id, id)))[0]!
const reason = 'Delivery'

test('does of each row what can be done, names the rest by its number, and records every change', async ({ shop }) => {
  const { send, admin, program } = await writer(shop)
  const [violin, flute, oboe, harp] = await Promise.all(
    ['Violin', 'Flute', 'Oboe', 'Harp'].map((name) =>
      shop.sells({ name, price: 100_00, stock: 5, priceBreaks: [{ from: 10, priceCents: 80_00 }] }),
    ),
  )
  await program.call('DELETE', `/instruments/${harp}`)
  const { status, body } = await send([
    { _id: violin, price: 120.5, change: 3, reason, hidden: true },
    { _id: flute, price: 80, change: -6, reason, hidden: true },
    { _id: violin, price: 1 },
    { _id: oboe, quantity: 9, expected: 5, reason: 'Counted' },
    { _id: 'none', hidden: false },
    { _id: harp, hidden: false, change: 1, reason },
  ])
  expect([status, body.rows]).toEqual([
    200,
    [
      { row: 1, _id: violin, done: true },
      {
        ...{ row: 2, _id: flute, done: false },
        fields: {
          price: ['The price must be above $80.00, that of its price breaks.'],
          change: ['You can remove at most 5.'],
        },
      },
      { row: 3, _id: violin, done: false, fields: { _id: ['Row 1 has the same product.'] } },
      { row: 4, _id: oboe, done: true },
      { row: 5, _id: 'none', done: false, fields: { _id: ['This product is no longer on sale.'] } },
      { row: 6, _id: harp, done: false, fields: { _id: ['This product is no longer on sale.'] } },
    ],
  ])
  expect(await productOf(shop, violin!)).toMatchObject({
    priceCents: 120_50,
    availableQuantity: 8,
    hidden: 1,
    version: 2,
  })
  expect(await productOf(shop, flute!)).toMatchObject({
    priceCents: 100_00,
    availableQuantity: 5,
    hidden: 1,
    version: 1,
  })
  expect(await productOf(shop, oboe!)).toMatchObject({ availableQuantity: 9, hidden: 0, removedAt: null })
  expect((await shop.auditLogOf(violin!)).slice(1)).toMatchObject([
    { event: 'instrument changed', actor: admin.id, note: 'price $100.00 → $120.50', stockDelta: 0 },
    { event: 'instrument hidden', actor: admin.id },
    { event: 'stock counted', actor: admin.id, note: 'Delivery', stockDelta: 3 },
  ])
  const { body: second } = await send([
    { _id: violin, hidden: false },
    { _id: oboe, quantity: 9, expected: 8, reason: 'Counted' },
    { _id: flute, change: 1_000_000, reason },
  ])
  expect(second.rows.map(({ fields }) => fields)).toEqual([
    undefined,
    { quantity: ['The stock is 9 now.'] },
    { change: ['Stock can be at most 1,000,000 pieces, unpaid orders included'] },
  ])
  expect(await productOf(shop, violin!)).toMatchObject({ hidden: 0, removedAt: null })
})

test('a repeat with its Idempotency-Key, also at the same time, changes nothing twice or anew', async ({ shop }) => {
  const { send } = await writer(shop)
  const id = await shop.sells({ price: 100_00, stock: 5 })
  const headers = { 'idempotency-key': newId() }
  const changes = [{ _id: id, price: 120, change: 3, reason, hidden: true }]
  const answers = await Promise.all([send(changes, headers), send(changes, headers), send(changes, headers)])
  expect(await productOf(shop, id)).toMatchObject({ priceCents: 120_00, availableQuantity: 8, hidden: 1 })
  await send([{ _id: id, price: 130, hidden: false, change: 1, reason }])
  answers.push(await send(changes, headers))
  for (const { status, body } of answers) expect([status, body.rows]).toEqual([200, [{ row: 1, _id: id, done: true }]])
  expect(await productOf(shop, id)).toMatchObject({ priceCents: 130_00, availableQuantity: 9, hidden: 0 })
  expect((await shop.auditLogOf(id)).length).toBe(7)
})

test('refuses a request that cannot be read whole, and does nothing of it', async ({ shop }) => {
  const { send, program } = await writer(shop)
  const id = await shop.sells({ stock: 5 })
  const fine = { _id: id, change: 1, reason }
  for (const [change, field] of [
    [{ _id: id }, '_id'],
    [{ _id: id, change: 1 }, 'reason'],
    [{ _id: id, quantity: 1, reason }, 'expected'],
    [{ _id: id, expected: 1, hidden: true }, 'expected'],
    [{ _id: id, change: 1, quantity: 1, expected: 1, reason }, 'quantity'],
    [{ _id: id, price: 0 }, 'price'],
    [{ _id: id, change: 0, reason }, 'change'],
  ] as const) {
    const { status, body } = await send([fine, change])
    expect([change, status, Object.keys(body.error.fields)]).toEqual([change, 422, [`changes.1.${field}`]])
  }
  for (const changes of [[], Array.from({ length: 501 }, () => fine)])
    expect(await send(changes)).toMatchObject({
      status: 422,
      body: { error: { fields: { changes: [expect.stringMatching(/at (least one|most 500) change/)] } } },
    })
  const large = { changes: [{ ...fine, reason: 'x'.repeat(256 * 1024) }] }
  expect(await program.call('POST', '/instrument-changes', large)).toMatchObject({ status: 413 })
  expect(await shop.stockOf(id)).toBe(5)
})

test('changes 500 products in seven round trips, and counts them as ten calls of the key', async ({ shop }) => {
  const proxy = new FaultProxy()
  await shop.configure({ DATABASE_URL: await proxy.open('database', () => shop.database.url) })
  const { send } = await writer(shop)
  const ids = Array.from({ length: 500 }, () => newId())
  for (const id of ids) await shop.sells({ id, stock: 5 })
  let trips = 0
  proxy.onResponse = () => void trips++
  const { status, headers, body } = await send(
    ids.map((_id) => ({ _id, price: 12, change: 1, reason: 'x'.repeat(200) })),
  )
  expect([status, body.rows.filter(({ done }) => done).length, trips]).toEqual([200, 500, 7])
  expect(headers.get('ratelimit')).toMatch(/r=590;/)
  const [{ left } = { left: 0 }] = await shop.deps.db.all<{ left: number }>(
    'SELECT count(*) AS left FROM instruments WHERE price_cents <> 1200 OR available_quantity <> 6',
  )
  expect(left).toBe(0)
  await shop.deps.db.update(apiKeys).set({ calls: 595 })
  expect(await send(ids.map((_id) => ({ _id, hidden: true })))).toMatchObject({ status: 429 })
  expect(await shop.deps.db.$count(instruments, eq(instruments.hidden, 1))).toBe(0)
  proxy.close()
})
