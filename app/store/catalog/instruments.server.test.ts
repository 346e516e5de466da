import { later } from '../../../tests/support/payments'
import { expect, test, type Store } from '../../../tests/support/store'
import { describeShortage } from './instruments'
import {
  findInstrument,
  findSeen,
  homeInstruments,
  listManagedInstruments,
  requireIdByName,
  selectForHome,
  type ListOptions,
} from './instruments.server'
import { searchList } from './search/search-instruments.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { addInstrument, removeInstrument } from './manage-instruments.server'

/** Adds instruments, oldest first; from the third on, all at the same time. */
async function addAll(shop: Store, ...names: string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const family = name.includes('Case') ? ('cases' as const) : undefined
    const input = { name, img: '/a.svg', price: 5_00, minQuantity: 1, availableQuantity: 9, family }
    const { id } = await addInstrument({ ...shop.deps, now: () => Math.min(index, 2) }, 'test', input)
    ids.set(name, id)
  }
  return ids
}

const namesOf = async (shop: Store, search: ListOptions) => {
  const { instruments, next } = await searchList(shop.deps, search)
  return { names: instruments.map(({ name }) => name), next }
}

test('lists page by page; the last page has no cursor, even when it is full', async ({ shop }) => {
  const ids = await addAll(shop, 'A', 'B', 'C', 'D')
  const all = (await namesOf(shop, { limit: 9 })).names
  expect(all.slice(0, 2)).toEqual(['A', 'B'])
  expect(await namesOf(shop, { limit: 2 })).toEqual({ names: ['A', 'B'], next: ids.get('B') })
  expect(await namesOf(shop, { limit: 2, after: ids.get('B') })).toEqual({ names: all.slice(2), next: null })
  expect(await namesOf(shop, { limit: 3, after: ids.get('A') })).toEqual({ names: all.slice(1), next: null })
  expect(await namesOf(shop, { limit: 1, after: ids.get(all[2]!) })).toEqual({ names: [all[3]], next: null })
  expect(await namesOf(shop, { limit: 4 })).toMatchObject({ next: null })
  expect(await namesOf(shop, { limit: 3, after: '' })).toMatchObject({ next: ids.get(all[2]!) })
})

test.for([
  [{ q: 'violin' }, ['Violin 4/4', 'Violin Case']],
  [{ q: ' case  VIOLIN ' }, ['Violin Case']],
  [{ q: '100%' }, ['Viola 100%']],
  [{ q: 'a_b' }, ['Bow a_b']],
  [{ q: '\\' }, ['Horn \\o/']],
  [{ q: 'tuba' }, []],
  [{ q: '' }, ['Violin 4/4', 'Violin Case', 'Viola 100%', 'Bow a_b', 'Bow aXb', 'Horn \\o/']],
  [{ family: 'cases' as const }, ['Violin Case']],
  [{ family: 'cases' as const, q: 'horn' }, []],
] as const)('finds for the search %j: %j', async ([search, names], { shop }) => {
  await addAll(shop, 'Violin 4/4', 'Violin Case', 'Viola 100%', 'Bow a_b', 'Bow aXb', 'Horn \\o/')
  expect((await namesOf(shop, { limit: 9, ...search })).names.sort()).toEqual([...names].sort())
})

test('hides instruments off sale from lists, names and ids', async ({ shop }) => {
  const managed = () => listManagedInstruments(shop.deps, { limit: 9 })
  expect(await managed()).toEqual({ instruments: [], next: null, everListed: 0 })
  const ids = await addAll(shop, 'A', 'B')
  await removeInstrument(shop.deps, 'test', ids.get('A')!)
  expect(await managed()).toMatchObject({ instruments: [{ name: 'B' }], next: null, everListed: 2 })
  expect([await findSeen(shop.deps, ids.get('A')!), await findSeen(shop.deps, 'none')]).toEqual([null, null])
  expect((await namesOf(shop, { limit: 9 })).names).toEqual(['B'])
  expect((await selectForHome(shop.deps)).map(({ name }) => name)).toEqual(['B'])
  expect(await findInstrument(shop.deps, ids.get('A')!)).toBeNull()
  await expect(requireIdByName(shop.deps, { name: 'A' })).rejects.toMatchObject({ code: 'conflict' })
})

test('finds the id by a unique name', async ({ shop }) => {
  const ids = await addAll(shop, 'A', 'B')
  const second = await shop.sells({ name: 'B' })
  expect(await requireIdByName(shop.deps, { name: 'A' })).toBe(ids.get('A'))
  expect(await requireIdByName(shop.deps, { name: 'B', id: second })).toBe(second)
  for (const [search, message] of [
    [{ name: 'C' }, 'No instrument on sale is called "C".'],
    [{ name: 'A', id: second }, 'No instrument on sale is called "A".'],
    [{ name: 'B' }, 'Several instruments are called "B". Name one with instrumentId.'],
  ] as const) {
    await expect(requireIdByName(shop.deps, search)).rejects.toMatchObject({ code: 'conflict', message })
  }
})

test('shows the first three or six on the home page', async ({ shop }) => {
  await addAll(shop, 'A', 'B', 'C', 'D', 'E')
  const home = async () => homeInstruments(await selectForHome(shop.deps)).length
  expect(await home()).toBe(3)
  await shop.sells()
  expect(await home()).toBe(6)
  await shop.sells()
  expect(await selectForHome(shop.deps)).toHaveLength(6)
  expect(await home()).toBe(6)
  expect((await selectForHome(shop.deps)).map(({ name }) => name).slice(0, 2)).toEqual(['A', 'B'])
})

test('counts the stock of expired holds as available', async ({ shop }) => {
  const [violin, other] = [await shop.sells({ stock: 5 }), await shop.sells({ stock: 7 })]
  const form = { submissionId: newId(), orderQuantity: 2, customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const placed = { ...shop.deps, now: () => 1000, holdMs: 500 }
  await placeOrder(placed, await shop.customer(), { ...form, instrumentId: violin })
  const availableAt = async (now: number, id = violin) =>
    (await findInstrument({ ...shop.deps, now: () => now }, id))!.availableQuantity
  expect([await availableAt(1499), await availableAt(1500), await availableAt(1500, other)]).toEqual([3, 5, 7])
  const { instruments } = await searchList(later(shop, 1), { limit: 2 })
  expect(instruments.find(({ id }) => id === violin)).toMatchObject({ availableQuantity: 5 })
})

test.for([
  [5, 2, null],
  [2, 2, null],
  [1, 2, 'Only 1 left, below the minimum order'],
  [0, 2, 'Sold out'],
] as const)('describes a stock of %s with a minimum of %s as %s', ([availableQuantity, minQuantity, message]) => {
  expect(describeShortage({ availableQuantity, minQuantity })).toBe(message)
})
