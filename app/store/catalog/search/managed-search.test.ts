import { expect, test } from 'vitest'
import '../families.server'
import { productQueryFields, readProductQuery } from './managed-search'

const read = (query: string) => readProductQuery(new URLSearchParams(query))
const nothing = { q: '', family: '', state: '', sort: '', page: 1 }

test('reads what the list of products shows, and passes over what it does not know', () => {
  expect([read(''), read('family=lutes&state=gone&sort=colour&page=0')]).toEqual([nothing, nothing])
  const query = 'q=+viola+&family=brass&state=sold-out&sort=price&page=12'
  expect(read(query)).toEqual({ q: 'viola', family: 'brass', state: 'sold-out', sort: 'price', page: 12 })
  for (const state of ['on-sale', 'hidden', 'low']) expect(read(`state=${state}`)).toEqual({ ...nothing, state })
  for (const sort of ['listed', 'name', 'stock']) expect(read(`sort=${sort}`)).toEqual({ ...nothing, sort })
  expect(['9999', '10000', '1x', 'x1', '01'].map((page) => read(`page=${page}`).page)).toEqual([9999, 1, 1, 1, 1])
  expect(read(`q=${'a'.repeat(201)}`).q).toHaveLength(200)
})

test('keeps in an address what is set, without the page and the usual order', () => {
  expect(productQueryFields(read('q=viola&sort=name&page=2'))).toEqual([
    ['q', 'viola'],
    ['sort', 'name'],
  ])
  expect(productQueryFields(read('sort=listed'))).toEqual([])
})
