import { at, expect, noon, test, type Store } from '../../../tests/support/store'
import { newId } from '../shared/ids.server'
import { findManagedInstrument } from './instruments.server'
import { changeStock, removeInstrument, setAllHidden, setHidden } from './manage-instruments.server'
import { FormerRows, restorePrice, undoHidden, undoSeveral, type FormerRow } from './undo-changes.server'

const changedSince = { code: 'conflict', message: 'Somebody has changed this since. Nothing was undone.' }

/** Each with its name as its id. */
async function sellsAll(shop: Store, ...names: string[]): Promise<void> {
  for (const name of names) await shop.sells({ id: name, name, price: 120_00, stock: 10 })
}

const eventsOf = async (shop: Store, id: string) =>
  (await shop.auditLogOf(id)).slice(1).map((row) => [row.at, row.event, row.actor, row.stockDelta, row.note])

test('takes back a price of the version that it was changed to', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Oboe', 'Viola')
  shop.invalidated.length = 0
  const restore = (version: number, id = 'Oboe') =>
    restorePrice(at(shop, noon), admin, id, { priceCents: 1234_50, version })
  for (const version of [0, 2]) await expect(restore(version)).rejects.toMatchObject(changedSince)
  expect(shop.invalidated).toEqual([])
  await restore(1)
  await expect(restore(1)).rejects.toMatchObject(changedSince)
  expect(shop.invalidated).toEqual(['catalogue'])
  expect(await findManagedInstrument(shop.deps, 'Oboe')).toMatchObject({ priceCents: 1234_50, version: 2 })
  expect(await findManagedInstrument(shop.deps, 'Viola')).toMatchObject({ priceCents: 120_00, version: 1 })
  expect(await eventsOf(shop, 'Oboe')).toEqual([[noon, 'instrument changed', admin.id, 0, 'price $120.00 → $1,234.50']])
  await removeInstrument(shop.deps, admin.id, 'Viola')
  await expect(restore(1, 'Viola')).rejects.toMatchObject(changedSince)
})

test.for([true, false])('takes back what one press has hidden: %s', async (isHidden, { shop }) => {
  const [admin, other] = [await shop.admin(), await shop.admin()]
  await sellsAll(shop, 'Cello', 'Gong', 'Oboe', 'Tuba', 'Viola')
  const done = ['Cello', 'Gong', 'Oboe', 'Tuba']
  if (!isHidden) await setAllHidden(shop.deps, admin, [...done, 'Viola'], true)
  await setHidden(shop.deps, admin, 'Viola', isHidden)
  const { events } = await setAllHidden(shop.deps, admin, done, isHidden)
  await setHidden(shop.deps, admin, 'Oboe', !isHidden)
  await setHidden(shop.deps, admin, 'Oboe', isHidden)
  await removeInstrument(shop.deps, admin.id, 'Gong')
  shop.invalidated.length = 0
  await expect(undoHidden(shop.deps, other, events, !isHidden)).rejects.toMatchObject(changedSince)
  await expect(undoHidden(shop.deps, admin, events, isHidden)).rejects.toMatchObject(changedSince)
  expect(shop.invalidated).toEqual([])
  expect(await undoHidden(at(shop, noon), admin, events, !isHidden)).toEqual({ count: 2, kept: ['Gong', 'Oboe'] })
  expect(shop.invalidated).toEqual(['catalogue'])
  await expect(undoHidden(shop.deps, admin, events, !isHidden)).rejects.toMatchObject(changedSince)
  const isNow = async (id: string) => (await findManagedInstrument(shop.deps, id))?.hidden === 1
  expect(await Promise.all(['Cello', 'Oboe', 'Tuba', 'Viola'].map(isNow))).toEqual([
    ...[!isHidden, isHidden, !isHidden, isHidden],
  ])
  const event = isHidden ? 'instrument shown' : 'instrument hidden'
  expect((await eventsOf(shop, 'Tuba')).at(-1)).toEqual([noon, event, admin.id, 0, ''])
})

test('takes back price and stock of several, each as a whole and once', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Bugle', 'Cello', 'Drum', 'Flute', 'Gong', 'Harp', 'Oboe', 'Tuba', 'Viola')
  await removeInstrument(shop.deps, admin.id, 'Gong')
  shop.invalidated.length = 0
  const key = newId()
  const rows: FormerRow[] = [
    ['Viola', 1, 100_00, 999_991],
    ['Tuba', 1, 100_00, -11],
    ['Oboe', 1, 100_00, -10],
    ['Harp', 1, null, 999_991],
    ['Gong', 1, 100_00, 0],
    ['Flute', 1, null, 999_990],
    ['Drum', 2, 100_00, 0],
    ['Cello', 1, 1234_50, 0],
    ['none', 1, null, 1],
  ]
  const kept = ['Drum', 'Gong', 'Harp', 'Tuba', 'Viola']
  expect(await undoSeveral(at(shop, noon), admin, rows, key)).toEqual({ count: 3, kept })
  await expect(undoSeveral(shop.deps, admin, rows, key)).rejects.toMatchObject(changedSince)
  expect(shop.invalidated).toEqual(['catalogue'])
  const now = async (id: string) => {
    const { priceCents, availableQuantity, version } = (await findManagedInstrument(shop.deps, id))!
    return [id, priceCents, availableQuantity, version]
  }
  const before = (id: string) => [id, 120_00, 10, 1]
  const others = ['Bugle', 'Drum', 'Harp', 'Tuba', 'Viola']
  expect(await Promise.all(['Cello', 'Flute', 'Oboe', ...others].map(now))).toEqual([
    ['Cello', 1234_50, 10, 2],
    ['Flute', 120_00, 1_000_000, 1],
    ['Oboe', 100_00, 0, 2],
    ...others.map(before),
  ])
  expect(await Promise.all(['Cello', 'Flute', 'Oboe', 'Tuba'].map((id) => eventsOf(shop, id)))).toEqual([
    [[noon, 'instrument changed', admin.id, 0, 'price $120.00 → $1,234.50']],
    [[noon, 'stock counted', admin.id, 999_990, 'Undo']],
    [
      [noon, 'instrument changed', admin.id, 0, 'price $120.00 → $100.00'],
      [noon, 'stock counted', admin.id, -10, 'Undo'],
    ],
    [],
  ])
  // Pieces alone are no new version: the submission tells that they were given back.
  await changeStock(shop.deps, admin, 'Flute', {
    pieces: 500_000,
    direction: 'out',
    reason: null,
    submissionId: newId(),
  })
  const flute: FormerRow[] = [['Flute', 1, null, 2]]
  await expect(undoSeveral(shop.deps, admin, flute, key)).rejects.toMatchObject(changedSince)
  expect(await undoSeveral(shop.deps, admin, flute, newId())).toEqual({ count: 1, kept: [] })
  expect(await shop.stockOf('Flute')).toBe(500_002)
})

const row = ['x', 1, null, 1]
test.for([
  [JSON.stringify([row]), true],
  [JSON.stringify([[...row.slice(0, 2), 1, -1], row]), true],
  [JSON.stringify([['x'.repeat(200), 1, 99_999_999, 0]]), true],
  [JSON.stringify([row]).padEnd(2000), true],
  [JSON.stringify([row]).padEnd(2001), false],
  [JSON.stringify([['x'.repeat(201), 1, null, 1]]), false],
  [JSON.stringify([['x', 1.5, null, 1]]), false],
  [JSON.stringify([['x', 1, 0, 1]]), false],
  [JSON.stringify([['x', 1, null, 0.5]]), false],
  ['[["violin"]]', false],
  ['[]', false],
] as const)('takes what is to be undone from %s: %s', ([text, isTaken]) => {
  expect(FormerRows.safeParse(text).success).toBe(isTaken)
})

test.for(['', '['])('asks what is to be undone without JSON: "%s"', (text) => {
  expect(FormerRows.safeParse(text).error?.issues).toMatchObject([{ message: 'What is to be undone?' }])
})
