import { expect, test } from 'vitest'
import { backToList } from './back-to-list.server'

const from = (address: string, accept: string) => new Request(`http://shop.invalid${address}`, { headers: { accept } })

test('returns to the same page and filter of a list, and without scripts to a row', () => {
  const document = from('/dashboard/manageOrders?status=paid&before=o7', 'text/html,*/*;q=0.8')
  expect(backToList(document, 'o5')).toBe('/dashboard/manageOrders?status=paid&before=o7#o5')
  expect(backToList(document, undefined)).toBe('/dashboard/manageOrders?status=paid&before=o7')
  expect(backToList(document, 'x#"\r\n<')).toBe('/dashboard/manageOrders?status=paid&before=o7#x%23%22%0D%0A%3C')
  expect(backToList(from('/dashboard/manageOrders?before=o7', '*/*'), 'o5')).toBe('/dashboard/manageOrders?before=o7')
})
