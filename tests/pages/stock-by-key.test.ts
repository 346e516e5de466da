import { createApiKey } from '../../app/store/integrations/api-keys.server'
import type { Scope } from '../../app/store/integrations/scopes'
import { newId } from '../../app/store/shared/ids.server'
import { Program } from '../support/api-client'
import { expect, test, type Shop } from '../support/shop'

async function programWith(shop: Shop, scope: Scope) {
  const admin = await shop.admin()
  const { key } = await createApiKey(shop.deps, admin, { name: 'x', scopes: [scope], days: 30, submissionId: newId() })
  return new Program(shop.visitor(), key)
}

test('a key that writes the catalogue changes the stock once for each Idempotency-Key, with a reason', async ({
  shop,
}) => {
  const id = await shop.sells({ stock: 10 })
  const program = await programWith(shop, 'catalogue:write')
  const [path, headers] = [`/instruments/${id}/stock`, { 'idempotency-key': newId() }]
  const delivery = { change: 6, reason: 'Delivery 4711' }
  const done = { status: 200, body: { modifiedCount: 1 } }
  for (let sent = 1; sent <= 2; sent++) expect(await program.call('POST', path, delivery, headers)).toMatchObject(done)
  expect(await shop.stockOf(id)).toBe(16)
  expect((await shop.auditLogOf(id)).at(-1)).toMatchObject({
    event: 'stock counted',
    stockDelta: 6,
    note: 'Delivery 4711',
  })

  const counted = { quantity: 14, expected: 16, reason: 'Counted' }
  const key = { 'idempotency-key': newId() }
  for (let sent = 1; sent <= 2; sent++) expect(await program.call('PUT', path, counted, key)).toMatchObject(done)
  expect(await shop.stockOf(id)).toBe(14)
  const same = { quantity: 14, expected: 14, reason: 'Counted' }
  expect(await program.call('PUT', path, same)).toMatchObject({ status: 200, body: { modifiedCount: 0 } })
  expect(await shop.auditLogOf(id)).toHaveLength(3)
})

test('refuses a stock that has moved, that is too low, and another scope, and changes nothing', async ({ shop }) => {
  const id = await shop.sells({ stock: 10 })
  const [program, reader] = [await programWith(shop, 'catalogue:write'), await programWith(shop, 'catalogue:read')]
  const path = `/instruments/${id}/stock`
  for (const quantity of [8, 9, 10]) {
    expect(await program.call('PUT', path, { quantity, expected: 9, reason: 'Counted' })).toMatchObject({
      status: 409,
      body: { error: { message: 'The stock is 10 now.', fields: { expected: ['It is 10 now'] } } },
    })
  }
  expect(await program.call('POST', path, { change: -11, reason: 'Lost' })).toMatchObject({
    status: 422,
    body: { error: { fields: { change: ['You can remove at most 10.'] } } },
  })
  for (const body of [
    { change: 0, reason: 'x' },
    { change: 1 },
    { change: 1, reason: ' ' },
    { change: 1.5, reason: 'x' },
  ])
    expect(await program.call('POST', path, body)).toMatchObject({ status: 422 })
  expect(await reader.call('POST', path, { change: 1, reason: 'x' })).toMatchObject({ status: 403 })
  expect(await shop.stockOf(id)).toBe(10)
})
