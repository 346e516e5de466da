import { expect, test } from 'vitest'
import type { Order } from './orders'
import { pickingList } from './picking-list'

const order = (instrumentId: string, productName: string, quantity: number, returnedQuantity = 0) =>
  ({ instrumentId, productName, quantity, returnedQuantity }) as Order

test('adds up the pieces of each instrument, in the order of the alphabet, under the name of its first order', () => {
  const [viola, bow, more] = [order('v', 'Viola', 3), order('b', 'Bow', 5, 1), order('v', 'Viola, old', 2, 1)]
  expect(pickingList([viola, bow, more])).toEqual([
    { instrumentId: 'b', name: 'Bow', pieces: 4, orders: [bow] },
    { instrumentId: 'v', name: 'Viola', pieces: 4, orders: [viola, more] },
  ])
  expect(pickingList([])).toEqual([])
})
