import { createApiKey } from '../../app/store/integrations/api-keys.server'
import type { Scope } from '../../app/store/integrations/scopes'
import { setHidden } from '../../app/store/catalog/manage-instruments.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { newId } from '../../app/store/shared/ids.server'
import { Program, programOf } from '../support/api-client'
import { aPaidOrder } from '../support/payments'
import { expect, orderInput, test, type Shop } from '../support/shop'

async function writer(shop: Shop, scopes: Scope[] = ['catalogue:write']) {
  const admin = await shop.admin()
  const { key } = await createApiKey(shop.deps, admin, { name: 'x', scopes, days: 30, submissionId: newId() })
  return { admin, program: new Program(shop.visitor(), key) }
}

const tagOf = async (program: Program, path: string) => (await program.call('GET', path)).headers.get('etag')!
const changed = {
  status: 412,
  body: { error: { code: 'changed', message: 'It has changed since you read it. Read it again.' } },
}
const reason = 'Counted'

test('a change of the stock with an old ETag is refused, and nothing happens', async ({ shop }) => {
  const { admin, program } = await writer(shop)
  const customer = await shop.customer()
  const reader = new Program(shop.visitor(), null)
  for (const [method, below, body, left] of [
    ['POST', '/stock', { change: 5, reason }, 15],
    ['PUT', '/stock', { quantity: 3, expected: 10, reason }, 3],
    ['PUT', '/stock', { quantity: 10, expected: 10, reason }, 10],
  ] as const) {
    const id = await shop.sells({ stock: 11 })
    const path = `/instruments/${id}`
    const old = await tagOf(reader, path)
    await placeOrder(shop.deps, customer, orderInput(id, 1))
    const current = await tagOf(reader, path)
    const write = (ifMatch: string) => program.call(method, path + below, body, { 'if-match': ifMatch })
    const before = await shop.auditLogOf(id)
    // Of another instrument, weak, no tags, and one that a comma stands in.
    for (const tag of [old, '"x"', `W/${current}`, current.slice(1, -1), 'W/*', `"${current.slice(1, -1)}, *"`])
      expect([method, tag, await write(tag)]).toMatchObject([method, tag, changed])
    expect([await shop.stockOf(id), await shop.auditLogOf(id)]).toEqual([10, before])
    expect(await write(`${old}, W/"y" ,${current}`)).toMatchObject({ status: 200 })
    expect([method, await shop.stockOf(id)]).toEqual([method, left])
    // What there is not is not found, whatever the tag.
    const none = `/instruments/none${below}`
    expect(await program.call(method, none, body, { 'if-match': old })).toMatchObject({ status: 404 })
  }
  const hidden = await shop.sells({ stock: 10 })
  const tag = await tagOf(reader, `/instruments/${hidden}`)
  await setHidden(shop.deps, admin, hidden, true)
  const write = (ifMatch: string) =>
    program.call('POST', `/instruments/${hidden}/stock`, { change: 5, reason }, { 'if-match': ifMatch })
  expect(await write(tag)).toMatchObject(changed)
  expect(await write(' * ')).toMatchObject({ status: 200 })
})

test('an order that was paid since is not confirmed with an old ETag', async ({ shop }) => {
  const customer = await shop.customer()
  const [ada, bela] = [await programOf(shop, customer), await programOf(shop, await shop.customer())]
  const { id } = await placeOrder(shop.deps, customer, orderInput(await shop.sells()))
  const path = `/order/${id}`
  const report = { order: id, transactionId: 'pi_none' }
  const confirm = (program: Program, ifMatch: string) => program.call('PATCH', path, report, { 'if-match': ifMatch })
  const tag = await tagOf(ada, path)
  expect(await confirm(ada, '"x"')).toMatchObject(changed)
  expect(await confirm(bela, '"x"')).toMatchObject({ status: 403 })
  // With the tag, as without one: Stripe knows no such payment.
  const without = await ada.call('PATCH', path, report)
  expect(without.status).toBe(409)
  for (const ifMatch of [tag, '*'])
    expect(await confirm(ada, ifMatch)).toMatchObject({ status: 409, body: without.body })
})

const parcel = { carrier: 'DHL' }
const dent = { amount: 50, reason: 'A dent' }

test('an order that was refunded since is neither shipped nor refunded with an old ETag', async ({ shop }) => {
  const { program } = await writer(shop, ['orders:read', 'orders:ship', 'orders:refund'])
  const { id, customer } = await aPaidOrder(shop)
  const path = `/order/${id}`
  const old = await tagOf(program, path)
  const refund = (ifMatch: string, key = newId(), to = path) =>
    program.call('POST', `${to}/refunds`, dent, { 'if-match': ifMatch, 'idempotency-key': key })
  const ship = (ifMatch: string, to = path) => program.call('POST', `${to}/shipment`, parcel, { 'if-match': ifMatch })
  const [first, done] = [newId(), { status: 200, body: { acknowledged: true, state: 'made' } }]
  expect(await refund('"x"')).toMatchObject(changed)
  expect(await refund(old, first)).toMatchObject(done)
  const before = await shop.auditLogOf(id)
  for (const tag of [old, '"x"', `W/${old}`]) {
    expect([tag, await refund(tag)]).toMatchObject([tag, changed])
    expect([tag, await ship(tag)]).toMatchObject([tag, changed])
  }
  // A repeat of what was done is done, whatever has changed by it.
  expect(await refund(old, first)).toMatchObject(done)
  expect([await shop.auditLogOf(id), (await program.call('GET', path)).body.refunded]).toEqual([before, 50])
  const current = await tagOf(program, path)
  expect(await refund(current)).toMatchObject(done)
  expect(await ship(await tagOf(program, path))).toMatchObject({ status: 200 })
  // With the tag, as without one.
  expect(await ship(await tagOf(program, path))).toMatchObject({ status: 409 })
  const much = { 'if-match': await tagOf(program, path), 'idempotency-key': newId() }
  expect(await program.call('POST', `${path}/refunds`, { ...dent, amount: 900 }, much)).toMatchObject({ status: 422 })
  for (const call of [refund(old, newId(), '/order/none'), ship(old, '/order/none')])
    expect(await call).toMatchObject({ status: 404 })
  const unpaid = await placeOrder(shop.deps, customer, orderInput(await shop.sells()))
  const tag = await tagOf(program, `/order/${unpaid.id}`)
  expect(await refund(tag, newId(), `/order/${unpaid.id}`)).toMatchObject({ status: 409 })
})

test('of several that refund or ship an order with the same ETag at the same time, one refunds', async ({ shop }) => {
  const { program } = await writer(shop, ['orders:read', 'orders:ship', 'orders:refund'])
  for (let round = 0; round < 5; round++) {
    const { id } = await aPaidOrder(shop)
    const path = `/order/${id}`
    const tag = { 'if-match': await tagOf(program, path) }
    const refunds = await Promise.all(
      Array.from({ length: 4 }, () =>
        program.call('POST', `${path}/refunds`, dent, { ...tag, 'idempotency-key': newId() }),
      ),
    )
    expect(refunds.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect((await program.call('GET', path)).body.refunded).toBe(50)
    expect(await program.call('POST', `${path}/shipment`, parcel, tag)).toMatchObject(changed)
  }
})
