import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetOrder, storeOrder, unsentOrders, type UnsentOrder } from './unsent-order'

const now = Date.UTC(2026, 10, 24, 12)
const day = 86_400_000

let stored: Record<string, unknown>

beforeEach(() => {
  vi.useFakeTimers({ now })
  stored = Object.defineProperty({}, 'removeItem', { value: (key: string) => Reflect.deleteProperty(stored, key) })
  vi.stubGlobal('localStorage', stored)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const order = (submissionId: string, at: number, orderingAs = 'ada@example.com'): UnsentOrder => ({
  ...{ path: '/instruments/oboe', at, fields: { submissionId, orderingAs } },
})

test('shows a customer their own unsent orders of the last 24 hours, and forgets older ones of anybody', () => {
  storeOrder(order('new', now - day))
  storeOrder(order('old', now - day - 1))
  storeOrder(order('another', now, 'bea@example.com'))
  storeOrder(order('of another, old', now - 2 * day, 'bea@example.com'))
  stored.theme = 'dark'
  expect(unsentOrders('ada@example.com')).toEqual([order('new', now - day)])
  expect(Object.keys(stored).sort()).toEqual(['theme', 'unsentOrder.another', 'unsentOrder.new'])
})

test('shows the orders beside an entry that cannot be read', () => {
  stored['unsentOrder.broken'] = '{"path":'
  stored['unsentOrder.null'] = 'null'
  storeOrder(order('new', now))
  expect(unsentOrders('ada@example.com')).toEqual([order('new', now)])
})

test('stores an order once however often it is sent, and forgets it alone when the shop has it', () => {
  storeOrder(order('1', now - 5))
  storeOrder(order('1', now))
  storeOrder(order('2', now))
  expect(unsentOrders('ada@example.com')).toHaveLength(2)
  forgetOrder(order('1', now))
  expect(unsentOrders('ada@example.com')).toEqual([order('2', now)])
})

test('has none where the browser allows no store', () => {
  vi.stubGlobal('localStorage', undefined)
  storeOrder(order('1', now))
  forgetOrder(order('1', now))
  expect(unsentOrders('ada@example.com')).toEqual([])
})
