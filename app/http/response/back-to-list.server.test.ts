import { expect, test } from 'vitest'
import { backToList } from './back-to-list.server'

test('returns to a row of the same page and filter of a list', () => {
  const request = new Request('http://shop.invalid/dashboard/manageOrders?status=paid&before=o7')
  expect(backToList(request, 'o5')).toBe('/dashboard/manageOrders?status=paid&before=o7#o5')
  expect(backToList(request, undefined)).toBe('/dashboard/manageOrders?status=paid&before=o7')
  expect(backToList(request, 'x#"\r\n<')).toBe('/dashboard/manageOrders?status=paid&before=o7#x%23%22%0D%0A%3C')
})
