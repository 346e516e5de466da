import { asc } from 'drizzle-orm'
import { expect, test, type Store } from '../../../tests/support/store'
import { instruments } from '../../db/schema'
import { importInstruments, type ImportLine } from './import-instruments.server'
import { addInstrument, updateInstrument } from './manage-instruments.server'
import { findInstrument } from './instruments.server'
import { byName } from './order-by-name.server'
import { demoInstruments } from '../../../dev/demo/instruments'

async function sorted({ deps }: Store) {
  const rows = await deps.db.select({ name: instruments.name }).from(instruments).orderBy(byName, asc(instruments.id))
  return rows.map(({ name }) => name)
}

test('a new name moves a product, in the form as in the import', async ({ shop }) => {
  for (const [id, name] of [
    ['a', 'Ästhet'],
    ['b', 'Bugle'],
  ] as const)
    await addInstrument(shop.deps, 'test', { ...demoInstruments[0]!, id, name })
  const { priceCents: price, ...product } = (await findInstrument(shop.deps, 'a'))!
  const change = { ...product, price, brand: undefined, family: undefined, stockChange: 0, stockNote: null }
  const rename = (name: string, version: number, more = {}) =>
    updateInstrument(shop.deps, { id: 'test' }, 'a', { ...change, name, version, ...more })
  await rename('Ästhet', 1, { price: price + 1 })
  expect(await sorted(shop)).toEqual(['Ästhet', 'Bugle'])
  await rename('Öboe', 2)
  expect(await sorted(shop)).toEqual(['Bugle', 'Öboe'])
  await rename('Alto', 3)
  expect(await sorted(shop)).toEqual(['Alto', 'Bugle'])
  const admin = await shop.admin()
  const row = (id: string, version: string, name: string): ImportLine['cells'] => ({
    ...{ id, version, name, img: '/r.svg', price: '12.50', minQuantity: '1', availableQuantity: '5' },
    ...{ family: '', brand: '', description: '', stockChange: '', reason: '' },
  })
  const { version } = (await findInstrument(shop.deps, 'a'))!
  const rows = [row('a', String(version), 'Çümbüş'), row('', '', 'Äolsharfe'), row('', '', 'cornet')]
  const lines = rows.map((cells, index) => ({ line: index + 2, cells }))
  expect((await importInstruments(shop.deps, admin, lines)).problems).toEqual([])
  expect(await sorted(shop)).toEqual(['Äolsharfe', 'Bugle', 'cornet', 'Çümbüş'])
})
