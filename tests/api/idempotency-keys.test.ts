import { newId } from '../../app/store/shared/ids.server'
import { Program, programOf } from '../support/api-client'
import { aPaidOrder } from '../support/payments'
import { expect, test, type Shop } from '../support/shop'

type Call = [method: string, path: string, body: unknown, headers?: Record<string, string>]

/** Sends the call twice with one key, then the others with it, and the call once more. */
async function statuses(program: Program, call: Call, others: Call[]) {
  const key = { 'idempotency-key': newId() }
  const send = async ([method, path, body, headers]: Call) =>
    (await program.call(method, path, body, { ...key, ...headers })).status
  const seen = { first: await send(call), repeat: await send(call), others: [] as number[], again: 0 }
  for (const other of others) seen.others.push(await send(other))
  return { ...seen, again: await send(call) }
}

const stockOf = async (shop: Shop, id: string) =>
  (await shop.visitor().fetch(`/instruments/${id}`, { headers: { accept: 'application/json' } }))
    .json<{
      availableQuantity: number
    }>()
    .then(({ availableQuantity }) => availableQuantity)

test('refuses an Idempotency-Key with anything else in it, whatever the call', async ({ shop }) => {
  const admin = await programOf(shop, await shop.admin())
  const [oboe, viola] = [await shop.sells({ stock: 40 }), await shop.sells({ stock: 70 })]
  const paths = [`/instruments/${oboe}/stock`, `/instruments/${viola}/stock`] as const
  const add = { change: 5, reason: 'Delivery' }
  const bulk = { changes: [{ _id: oboe, price: 12.5 }] }
  const result = await statuses(
    admin,
    ['POST', paths[0], add],
    [
      ['POST', paths[0], { ...add, change: 6 }],
      ['POST', paths[0], { ...add, reason: 'Found' }],
      ['POST', paths[1], add],
      ['POST', paths[0], add, { 'if-match': '"else"' }],
      ['PUT', paths[0], { quantity: 50, expected: 45, reason: 'Delivery' }],
      ['POST', '/instrument-changes', bulk],
      ['POST', '/reviews', { description: 'Fine.' }],
      ['POST', '/order', { instrumentId: oboe, orderQuantity: 1, customerAddress: 'x', customerPhone: '07700 900123' }],
    ],
  )
  expect(result).toEqual({ first: 200, repeat: 200, others: Array<number>(8).fill(409), again: 200 })
  expect([await stockOf(shop, oboe), await stockOf(shop, viola)]).toEqual([45, 70])

  const set = { quantity: 60, expected: 70, reason: 'Counted' }
  expect(
    await statuses(
      admin,
      ['PUT', paths[1], set],
      [
        ['PUT', paths[1], { ...set, quantity: 50, expected: 60 }],
        ['POST', paths[1], add],
      ],
    ),
  ).toEqual({ first: 200, repeat: 200, others: [409, 409], again: 200 })
  expect(
    await statuses(
      admin,
      ['POST', '/instrument-changes', bulk],
      [
        ['POST', '/instrument-changes', { changes: [{ _id: oboe, price: 13 }] }],
        ['POST', '/instrument-changes', { changes: [...bulk.changes, { _id: viola, hidden: true }] }],
      ],
    ),
  ).toEqual({ first: 200, repeat: 200, others: [409, 409], again: 200 })
  expect([await stockOf(shop, oboe), await stockOf(shop, viola)]).toEqual([45, 60])
})

test('refuses the key of a refund for another order, and the key of an order for a review', async ({ shop }) => {
  const admin = await programOf(shop, await shop.admin())
  const [one, other] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  const dent = { amount: 3, reason: 'Dent' }
  expect(
    await statuses(
      admin,
      ['POST', `/order/${one.id}/refunds`, dent],
      [
        ['POST', `/order/${other.id}/refunds`, dent],
        ['POST', `/order/${one.id}/refunds`, { ...dent, amount: 4 }],
      ],
    ),
  ).toEqual({ first: 200, repeat: 200, others: [409, 409], again: 200 })

  const ada = await programOf(shop, await shop.customer())
  const lute = await shop.sells({ stock: 9 })
  const order = { instrumentId: lute, orderQuantity: 2, customerAddress: 'x', customerPhone: '07700 900123' }
  expect(
    await statuses(
      ada,
      ['POST', '/order', order],
      [
        ['POST', '/order', { ...order, orderQuantity: 3 }],
        ['POST', '/reviews', { description: 'Fine.' }],
      ],
    ),
  ).toEqual({ first: 200, repeat: 200, others: [409, 409], again: 200 })
  expect(await stockOf(shop, lute)).toBe(7)
})

test('a key belongs to its caller, and what is refused leaves it free', async ({ shop }) => {
  const oboe = await shop.sells({ stock: 3 })
  const path = `/instruments/${oboe}/stock`
  const key = { 'idempotency-key': 'one-key-of-two' }
  const [one, other] = [await programOf(shop, await shop.admin()), await programOf(shop, await shop.admin())]
  const take = (program: Program, change: number) =>
    program.call('POST', path, { change, reason: 'Broken' }, key).then(({ status }) => status)
  expect([await take(one, -4), await take(one, -1), await take(one, -2), await take(other, -2)]).toEqual([
    422, 200, 409, 200,
  ])
  expect(await stockOf(shop, oboe)).toBe(0)
  // At the same time, one of both counts.
  const fresh = { 'idempotency-key': 'a-key-at-once' }
  const results = await Promise.all([4, 9].map((change) => one.call('POST', path, { change, reason: 'Found' }, fresh)))
  expect(results.map(({ status }) => status).sort()).toEqual([200, 409])
  expect([4, 9]).toContain(await stockOf(shop, oboe))
})
