import { asc } from 'drizzle-orm'
import { at, expect, noon, test, type Store } from '../../../tests/support/store'
import { instruments } from '../../db/schema'
import { newId } from '../shared/ids.server'
import { changeSeveral, findSeveral } from './change-several.server'
import { removeInstrument, setHidden } from './manage-instruments.server'

const img = '/plates/violin-4-4.svg'
const breaks = [{ from: 5, priceCents: 80_00 }]

/** Each with its name as its id. */
async function sellsAll(shop: Store, ...names: string[]): Promise<void> {
  for (const name of names) {
    const priceBreaks = name === 'Flute' ? breaks : []
    await shop.sells({ id: name, name, price: 100_00, stock: 10, priceBreaks })
  }
}

async function rowsOf({ deps }: Store) {
  const rows = await deps.db.select().from(instruments).orderBy(asc(instruments.name))
  return rows.map((row) => [row.name, row.priceCents, row.availableQuantity, row.img, row.version])
}

test('changes price, stock and picture of several products, each once for a press', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Cello', 'Oboe', 'Tuba', 'Viola')
  shop.invalidated.length = 0
  const changes = [
    { id: 'Cello', version: 1, priceCents: 1250_50, stockChange: 999_990, img: '/b.svg' },
    { id: 'Oboe', version: 1, priceCents: 100_00, stockChange: -10 },
    { id: 'Tuba', version: 1, priceCents: 100_00, stockChange: 0, img: '/c.svg' },
  ]
  const key = newId()
  for (const press of [0, 1])
    expect([press, await changeSeveral(at(shop, noon), admin, changes, key)]).toEqual([press, []])
  expect(await rowsOf(shop)).toEqual([
    ['Cello', 1250_50, 1_000_000, '/b.svg', 2],
    ['Oboe', 100_00, 0, img, 1],
    ['Tuba', 100_00, 10, '/c.svg', 2],
    ['Viola', 100_00, 10, img, 1],
  ])
  const events = await Promise.all(['Cello', 'Oboe', 'Tuba', 'Viola'].map((id) => shop.auditLogOf(id)))
  const by = { at: noon, actor: admin.id }
  expect(events.map((each) => each.slice(1))).toMatchObject([
    [
      { ...by, event: 'instrument changed', stockDelta: 0, note: 'price $100.00 → $1,250.50; picture' },
      { ...by, event: 'stock counted', stockDelta: 999_990, note: 'in the list' },
    ],
    [{ ...by, event: 'stock counted', stockDelta: -10, note: 'in the list' }],
    [{ ...by, event: 'instrument changed', note: 'picture' }],
    [],
  ])
  expect(shop.invalidated).toEqual(['catalogue', 'catalogue'])
  expect(await changeSeveral(shop.deps, admin, [], key)).toEqual([])
  expect(shop.invalidated).toHaveLength(2)
})

test('names what it could not change of several products, and changes everything else', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Bugle', 'Cello', 'Flute', 'Gong', 'Oboe', 'Piccolo', 'Tuba', 'Viola')
  const change = { version: 1, priceCents: 70_00, stockChange: 0 }
  const before = ['Bugle', 'Cello'].map((id) => ({ ...change, id, priceCents: 90_00 }))
  expect(await changeSeveral(shop.deps, admin, before, newId())).toEqual([])
  await removeInstrument(shop.deps, admin.id, 'Gong')
  await setHidden(shop.deps, admin, 'Viola', true)
  const changes = [
    { ...change, id: 'Bugle', priceCents: 90_00, img: '/b.svg' },
    { ...change, id: 'Cello', stockChange: -11 },
    { ...change, id: 'Flute', priceCents: 80_00, stockChange: 1 },
    { ...change, id: 'Gong', stockChange: 1 },
    { ...change, id: 'Oboe', stockChange: -11 },
    { ...change, id: 'Piccolo' },
    { ...change, id: 'Tuba', stockChange: 999_991 },
    { ...change, id: 'Viola', img: '/plates/flute-c.svg' },
    { ...change, id: 'none' },
  ]
  expect(await changeSeveral(shop.deps, admin, changes, newId())).toEqual([
    { name: 'Bugle', why: 'Somebody has changed it since: it costs $90.00.' },
    { name: 'Cello', why: 'Somebody has changed it since: it costs $90.00. Its stock is 10.' },
    { name: 'Flute', why: 'The price must be above $80.00, that of its price breaks.' },
    { name: 'Gong', why: 'It is deleted.' },
    { name: 'Oboe', why: 'Its stock is 10.' },
    { name: 'Tuba', why: 'Its stock is 10.' },
    { name: 'none', why: 'It is deleted.' },
  ])
  expect(await rowsOf(shop)).toEqual([
    ['Bugle', 90_00, 10, img, 2],
    ['Cello', 90_00, 10, img, 2],
    ['Flute', 100_00, 11, img, 1],
    ['Gong', 100_00, 10, img, 1],
    ['Oboe', 70_00, 10, img, 2],
    ['Piccolo', 70_00, 10, img, 2],
    ['Tuba', 70_00, 10, img, 2],
    ['Viola', 70_00, 10, '/plates/flute-c.svg', 2],
  ])
  const flute = { ...change, id: 'Flute', priceCents: 80_01 }
  expect(await changeSeveral(shop.deps, admin, [flute], newId())).toEqual([])
})

test('finds several products by name, hidden ones too', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Viola', 'Gong', 'Oboe', 'Cello')
  await setHidden(shop.deps, admin, 'Oboe', true)
  await removeInstrument(shop.deps, admin.id, 'Gong')
  await shop.sells({ id: 'a', name: 'Viola' })
  const found = await findSeveral(shop.deps, ['Viola', 'a', 'Oboe', 'Gong', 'none'])
  expect(found.map(({ id, hidden }) => [id, hidden])).toEqual([
    ['Oboe', 1],
    ['Viola', 0],
    ['a', 0],
  ])
})
