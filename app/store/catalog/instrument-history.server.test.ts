import { expect, orderInput, test } from '../../../tests/support/store'
import { placeOrder } from '../ordering/place-order.server'
import { newId } from '../shared/ids.server'
import { readInstrumentHistory } from './instrument-history.server'
import { changeStock, removeInstrument } from './manage-instruments.server'

test('tells what happened to an instrument, newest first, page by page, also when it is deleted', async ({ shop }) => {
  const [id, admin, ada] = [
    await shop.sells({ id: 'oboe', name: 'Oboe', stock: 9 }),
    await shop.admin(),
    await shop.customer(),
  ]
  await shop.sells()
  await placeOrder(shop.deps, ada, orderInput(id, 2))
  await changeStock(shop.deps, admin, id, { pieces: 3, direction: 'in', reason: 'Found', submissionId: newId() })
  await removeInstrument(shop.deps, 'test', id)
  const read = (limit: number, before?: number) => readInstrumentHistory(shop.deps, id, { before, limit })
  const whole = (await read(9))!
  expect(whole.instrument).toEqual({ id, name: 'Oboe', removedAt: expect.any(Number) as number, hidden: 0 })
  const [order] = await shop.ordersOf(ada)
  const nothing = { stockDelta: 0, note: '', orderId: null, number: null }
  expect(whole.rows).toMatchObject([
    { ...nothing, event: 'instrument removed', actor: 'test' },
    { ...nothing, event: 'stock counted', actor: 'The Shopkeeper', stockDelta: 3, note: 'Found' },
    { ...nothing, event: 'order placed', actor: 'Ada', stockDelta: -2, orderId: order!.id, number: order!.number },
    { ...nothing, event: 'stock counted', actor: 'test', stockDelta: 9, note: 'opening stock' },
  ])
  expect(whole.next).toBeNull()
  const { rows, next } = (await read(2))!
  expect([rows, next]).toEqual([whole.rows.slice(0, 2), whole.rows[1]!.id])
  expect((await read(2, Number(next)))!.rows).toEqual(whole.rows.slice(2))
  expect(await readInstrumentHistory(shop.deps, 'none', { before: undefined, limit: 2 })).toBeNull()
})
