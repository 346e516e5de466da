import { createApiKey } from '../../app/store/integrations/api-keys.server'
import type { Scope } from '../../app/store/integrations/scopes'
import { newId } from '../../app/store/shared/ids.server'
import { eventsAt } from '../stress/provider'
import { Program, programOf } from '../support/api-client'
import { confirm } from '../support/card-form'
import { expect, parcel, test, type Shop } from '../support/shop'

async function programWith(shop: Shop, scope: Scope) {
  const admin = await shop.admin()
  const { key } = await createApiKey(shop.deps, admin, { name: 'x', scopes: [scope], days: 30, submissionId: newId() })
  return new Program(shop.visitor(), key)
}

/** Of four pieces at $100.00 each. */
async function paidOrder(shop: Shop) {
  const instrumentId = await shop.sells({ price: 100_00, stock: 10 })
  const customer = await programOf(shop, await shop.customer())
  const order = { ...parcel, instrumentId, orderQuantity: 4 }
  const id = (await customer.call<{ insertedId: string }>('POST', '/order', order)).body.insertedId
  const payment = { orderId: id, orderPrice: 400 }
  const { body } = await customer.call<{ clientSecret: string }>('POST', '/create-payment-intent', payment)
  await confirm(shop, body.clientSecret)
  await customer.call('PATCH', `/order/${id}`, { order: id, transactionId: body.clientSecret.split('_secret')[0] })
  return { id, instrumentId, path: `/order/${id}/refunds`, customer }
}

const refundsAt = async (shop: Shop) =>
  (await eventsAt(shop.sandbox.url)).filter(({ type }) => type === 'refund.created').length

test('a key refunds in parts, once for each Idempotency-Key, and pieces go back to stock', async ({ shop }) => {
  const { id, instrumentId, path } = await paidOrder(shop)
  const program = await programWith(shop, 'orders:refund')
  const dent = { amount: 150.5, reason: 'A dent', restock: 1 }
  const headers = { 'idempotency-key': newId() }
  const made = { status: 200, body: { acknowledged: true, state: 'made' } }
  for (let sent = 1; sent <= 3; sent++) expect(await program.call('POST', path, dent, headers)).toMatchObject(made)
  const all = await Promise.all(Array.from({ length: 4 }, () => program.call('POST', path, dent, headers)))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const reader = await programWith(shop, 'orders:read')
  const refunded = async () => (await reader.call('GET', `/order/${id}`)).body.refunded
  expect([await refunded(), await shop.stockOf(instrumentId), await refundsAt(shop)]).toEqual([150.5, 7, 1])
  for (const other of [{ amount: 150 }, { reason: 'Another' }, { restock: 0 }])
    expect(await program.call('POST', path, { ...dent, ...other }, headers)).toMatchObject({ status: 409 })
  const rest = { amount: 249.5, reason: 'The rest', restock: 3 }
  expect(await program.call('POST', path, rest, { 'idempotency-key': newId() })).toMatchObject(made)
  expect([await refunded(), await shop.stockOf(instrumentId), await refundsAt(shop)]).toEqual([400, 10, 2])
  const more = await program.call('POST', path, { amount: 0.01, reason: 'x' }, { 'idempotency-key': newId() })
  expect(more).toMatchObject({
    ...{ status: 422, body: { error: { fields: { amount: ['At most $0.00 is left to refund'] } } } },
  })
})

test('refuses what the desk refuses, another scope and a call without a key to repeat it, and pays nothing', async ({
  shop,
}) => {
  const { path, instrumentId, customer } = await paidOrder(shop)
  const program = await programWith(shop, 'orders:refund')
  const send = (body: object, to = path) => program.call('POST', to, body, { 'idempotency-key': newId() })
  const amount = 'At most $400.00 is left to refund'
  for (const [body, fields] of [
    [{ amount: 400.01, reason: 'x' }, { amount: [amount] }],
    [{ amount: 1, reason: 'x', restock: 5 }, { restock: ['At most 4 can go back to stock'] }],
    [{ amount: 0, reason: 'x' }, { amount: ['Amount must be at least $0.01'] }],
    [{ amount: 1.005, reason: 'x' }, { amount: ['Amount must be in whole cents'] }],
    [{ amount: '1', reason: 'x' }, { amount: ['Amount must be a number, like 1200.50'] }],
    [{ amount: 1 }, { reason: ['Reason is Required'] }],
  ] as const)
    expect(await send(body)).toMatchObject({ status: 422, body: { error: { fields } } })
  const dent = { amount: 1, reason: 'Dent' }
  expect(await program.call('POST', path, dent)).toMatchObject({
    ...{ status: 400, body: { error: { message: expect.stringContaining('needs an Idempotency-Key') as string } } },
  })
  expect(await send(dent, '/order/none/refunds')).toMatchObject({ status: 404 })
  const unpaid = { ...parcel, instrumentId, orderQuantity: 1 }
  const { body } = await customer.call<{ insertedId: string }>('POST', '/order', unpaid)
  expect(await send(dent, `/order/${body.insertedId}/refunds`)).toMatchObject({ status: 409 })
  const key = { 'idempotency-key': newId() }
  for (const other of [await programWith(shop, 'orders:ship'), customer])
    expect(await other.call('POST', path, dent, key)).toMatchObject({ status: 403 })
  expect([await refundsAt(shop), await shop.stockOf(instrumentId)]).toEqual([0, 5])
})

test('says that a refund is owed while the payment provider is away, and makes it later, once', async ({ shop }) => {
  const { path } = await paidOrder(shop)
  const program = await programWith(shop, 'orders:refund')
  const [dent, headers] = [{ amount: 20, reason: 'Dent' }, { 'idempotency-key': newId() }]
  await shop.faults({ stripe: { failNext: 50, status: 500 } })
  expect(await program.call('POST', path, dent, headers)).toMatchObject({ status: 200, body: { state: 'owed' } })
  await shop.faults({ stripe: { failNext: 0 } })
  expect(await program.call('POST', path, dent, headers)).toMatchObject({ status: 200, body: { state: 'made' } })
  expect(await refundsAt(shop)).toBe(1)
})
