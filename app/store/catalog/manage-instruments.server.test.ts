import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { anOrder } from '../../../tests/support/payments'
import { at, day, expect, noon, orderInput, test, type Store } from '../../../tests/support/store'
import { instruments, auditLog } from '../../db/schema'
import { placeOrder } from '../ordering/place-order.server'
import { newId } from '../shared/ids.server'
import type { Seen } from '../shared/refusal'
import { findInstrument, findSeen, listManagedInstruments } from './instruments.server'
import {
  addInstrument,
  changeStock,
  NewInstrument,
  removeInstrument,
  setAllHidden,
  setHidden,
  setStock,
  InstrumentUpdate,
  updateInstrument,
} from './manage-instruments.server'

const violin = { name: 'Violin', img: '/a.svg', price: 5, availableQuantity: 0, minQuantity: 1 }

test.for([
  [{}, {}],
  [{ price: 0.01, availableQuantity: 1_000_000, minQuantity: 1_000_000, family: 'brass', description: 'Fine.' }, {}],
  [{ price: 999_999.99 }, {}],
  [{ price: 0 }, { price: ['Price must be at least $0.01'] }],
  [{ price: 1_000_000 }, { price: ['Price must be below $1,000,000'] }],
  [{ price: 1.005 }, { price: ['Price must be in whole cents'] }],
  [{ price: 'dear' }, { price: ['Price must be a number, like 1200.50'] }],
  [{ name: '' }, { name: ['Name is Required'] }],
  [{ name: 'n'.repeat(121) }, { name: ['Name must be at most 120 characters'] }],
  [{ name: 'n'.repeat(120), description: 'd'.repeat(2000) }, {}],
  [{ description: 'd'.repeat(2001) }, { description: ['Description must be at most 2000 characters'] }],
  [{ family: 'drums' }, { family: ['There is no family “drums”. Choose strings, brass, woodwind or cases.'] }],
  [{ availableQuantity: -1 }, { availableQuantity: ['Available quantity must be a whole number from 0 to 1,000,000'] }],
  [
    { availableQuantity: 1.5 },
    { availableQuantity: ['Available quantity must be a whole number from 0 to 1,000,000'] },
  ],
  [{ availableQuantity: undefined }, { availableQuantity: ['Available quantity is Required'] }],
  [
    { availableQuantity: 'x' },
    { availableQuantity: ['Available quantity must be a whole number from 0 to 1,000,000'] },
  ],
  [{ minQuantity: 0 }, { minQuantity: ['Minimum quantity must be a whole number from 1 to 1,000,000'] }],
  [{ minQuantity: 1_000_001 }, { minQuantity: ['Minimum quantity must be a whole number from 1 to 1,000,000'] }],
  [{ minQuantity: undefined }, { minQuantity: ['Minimum quantity is Required'] }],
] as const)('validates a new instrument with %j: %j', ([values, errors]) => {
  const result = NewInstrument.safeParse({ ...violin, ...values })
  expect(result.error ? z.flattenError(result.error).fieldErrors : {}).toEqual(errors)
  if (result.data) expect(result.data.price).toBe(Math.round(result.data.price))
})

const typedViolin = { ...violin, price: '5' }
const pieces = 'Enter a whole number, like 12 or -3'
test.for([
  [{}, {}],
  [{ stockChange: 1_000_000, version: 3 }, {}],
  [{ stockChange: -1_000_000, stockNote: 'n'.repeat(200) }, {}],
  [{ stockChange: 1_000_001 }, { stockChange: [pieces] }],
  [{ stockChange: -1_000_001 }, { stockChange: [pieces] }],
  [{ stockChange: 0.5 }, { stockChange: [pieces] }],
  [{ stockChange: 'many' }, { stockChange: [pieces] }],
  [{ stockNote: 'n'.repeat(201) }, { stockNote: ['Reason must be at most 200 characters'] }],
] as const)('validates an update with %j: %j', ([values, errors]) => {
  const result = InstrumentUpdate.safeParse({ ...typedViolin, ...values })
  expect(result.error ? z.flattenError(result.error).fieldErrors : {}).toEqual(errors)
  if (result.data) expect(result.data).not.toHaveProperty('availableQuantity')
  expect(InstrumentUpdate.safeParse({ ...typedViolin, version: 1.5 }).success).toBe(false)
  expect(InstrumentUpdate.parse(typedViolin)).toMatchObject({ stockChange: 0 })
})

const rowOf = async (shop: Store, id: string) =>
  (await shop.deps.db.select().from(instruments).where(eq(instruments.id, id)))[0]

test('adds an instrument with its opening stock in the audit log', async ({ shop }) => {
  const deps = { ...shop.deps, now: () => 7 }
  const input = { ...violin, price: 5_00, availableQuantity: 3, family: 'strings' as const, description: 'Fine.' }
  const { id } = await addInstrument(deps, 'bea', { ...input, id: 'v1' })
  expect(id).toBe('v1')
  expect(await rowOf(shop, id)).toMatchObject({
    ...{ id, name: 'Violin', family: 'strings', img: '/a.svg', description: 'Fine.', priceCents: 5_00, brand: null },
    ...{ minQuantity: 1, availableQuantity: 3, version: 1, slug: 'violin', searchId: 1 },
    ...{ priceBreaks: [], lowStock: null, attributes: [], alt: '', pictures: [], saleCents: null, saleFromAt: null },
    ...{ saleUntilAt: null, priorCents: null, nameKey: null, listedAt: 7, removedAt: null, hidden: 0 },
  })
  expect(await shop.auditLogOf(id)).toMatchObject([
    { at: 7, event: 'stock counted', actor: 'bea', stockDelta: 3, note: 'opening stock', orderId: null },
  ])
  expect(shop.invalidated).toEqual(['catalogue'])
  const bare = await addInstrument(deps, 'bea', { ...violin, price: 5_00 })
  expect(await rowOf(shop, bare.id)).toMatchObject({ family: null, description: '', availableQuantity: 0 })
  const nameless = await addInstrument(deps, 'bea', { ...violin, name: '!' })
  expect(await rowOf(shop, nameless.id)).toMatchObject({ slug: nameless.id })
})

test('removes an instrument once, records it, and refuses a second time', async ({ shop }) => {
  const [id, other] = [await shop.sells(), await shop.sells()]
  shop.invalidated.length = 0
  await removeInstrument({ ...shop.deps, now: () => 9 }, 'bea', id)
  expect(await rowOf(shop, id)).toMatchObject({ removedAt: 9 })
  expect(await rowOf(shop, other)).toMatchObject({ removedAt: null })
  for (const gone of [id, 'none']) {
    await expect(removeInstrument(shop.deps, 'eve', gone)).rejects.toMatchObject({
      code: 'not-found',
      message: 'This product is no longer on sale.',
    })
  }
  expect(await rowOf(shop, id)).toMatchObject({ removedAt: 9 })
  expect(await shop.deps.db.select().from(auditLog).where(eq(auditLog.event, 'instrument removed'))).toMatchObject([
    { at: 9, actor: 'bea', instrumentId: id, stockDelta: 0 },
  ])
  expect(shop.invalidated).toEqual(['catalogue'])
})

const change = {
  ...{ name: 'Concert Violin', img: '/plates/violin-4-4.svg', price: 1_000_00, minQuantity: 1 },
  ...{ stockChange: 0, stockNote: null },
}

const priceBreaks = [
  { from: 10, priceCents: 900_00 },
  { from: 25, priceCents: 800_00 },
]

const sale = { price: 900_00, from: Date.UTC(2026, 11, 1), until: Date.UTC(2026, 11, 24) }
const saleUntil = (last: string) => `$900.00 from 1 Dec 2026 to ${last} Dec 2026`
type Changes = Partial<InstrumentUpdate & Pick<NewInstrument, 'pictures'>>

test.for<[Changes, string, object, ...([] | [next: Changes, note: string])]>([
  [{ price: 2_00 }, 'price $1,000.00 → $2.00', { priceCents: 2_00 }],
  [{ family: 'strings' }, 'family none → strings', { family: 'strings' }, {}, 'family strings → none'],
  [{ brand: 'Amati' }, 'brand none → "Amati"', { brand: 'Amati' }, {}, 'brand "Amati" → none'],
  [{ pictures: [{ img: '/plates/violin-4-4.svg', alt: 'Front' }] }, 'alt text', { alt: 'Front', pictures: [] }],
  [{ pictures: [{ img: '/b.svg', alt: '' }] }, 'further pictures changed', { pictures: [{ img: '/b.svg', alt: '' }] }],
  [{ attributes: [['Body', 'Maple']] }, 'specification + Body: Maple', { attributes: [['Body', 'Maple']] }],
  [{ lowStock: 5 }, 'low-stock email none → 5', { lowStock: 5 }, {}, 'low-stock email 5 → none'],
  [{ priceBreaks }, 'price breaks none → from 10 $900.00, from 25 $800.00', { priceBreaks }],
  [{ sale }, `sale none → ${saleUntil('24')}`, { saleCents: 900_00 }, {}, `sale ${saleUntil('24')} → none`],
  [
    ...([{ sale }, `sale none → ${saleUntil('24')}`, { saleUntilAt: sale.until + day }] as const),
    ...([{ sale: { ...sale, until: sale.until + day } }, `sale ${saleUntil('24')} → ${saleUntil('25')}`] as const),
  ],
  [{ name: 'Viola', img: '/b.svg' }, 'name "Concert Violin" → "Viola"; picture', { name: 'Viola', img: '/b.svg' }],
])('records the change %j as "%s"', async ([input, note, row, next, nextNote], { shop }) => {
  const id = await shop.sells()
  const other = await shop.sells()
  shop.invalidated.length = 0
  const admin = await shop.admin()
  await updateInstrument(at(shop, 9), admin, id, { ...change, ...input })
  expect(await rowOf(shop, id)).toMatchObject({ ...row, version: 2 })
  expect(await rowOf(shop, other)).toMatchObject({ name: 'Concert Violin', img: '/plates/violin-4-4.svg' })
  expect((await shop.auditLogOf(id)).slice(1)).toMatchObject([
    { at: 9, event: 'instrument changed', actor: admin.id, note, stockDelta: 0 },
  ])
  expect(shop.invalidated).toEqual(['catalogue'])
  if (!next) return
  await updateInstrument(at(shop, 9), admin, id, { ...change, ...next })
  expect((await shop.auditLogOf(id)).at(-1)).toMatchObject({ note: nextNote })
})

test('returns the price to go back to, unless the price breaks have changed too', async ({ shop }) => {
  const id = await shop.sells({ priceBreaks })
  const admin = await shop.admin()
  const save = (more: Changes) => updateInstrument(shop.deps, admin, id, { ...change, priceBreaks, ...more })
  expect(await save({ price: 950_00 })).toEqual({ priceCents: 1_000_00, version: 2 })
  expect(await save({ price: 950_00, brand: 'Amati' })).toBeNull()
  expect(await save({ price: 960_00, priceBreaks: [] })).toBeNull()
  expect(await save({ price: 960_00 })).toBeNull()
})

test('refuses a family that somebody has just deleted', async ({ shop }) => {
  const id = await shop.sells()
  const input = { price: 5, family: 'lutes' }
  const family = ['There is no family “lutes”. Choose strings, brass, woodwind or cases.']
  for (const act of [
    () => addInstrument(shop.deps, 'bea', { ...violin, ...input }),
    () => updateInstrument(shop.deps, { id: 'bea' }, id, { ...change, ...input }),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'invalid', message: '', fields: { family } })
})

test('a failure of the database is no refusal', async ({ shop }) => {
  const id = await shop.sells({ id: 'v1' })
  await expect(shop.sells({ id: 'v1' })).rejects.toThrow('UNIQUE constraint failed: instruments.id')
  shop.skipInvariants('the audit log has no notes')
  await shop.deps.db.run(sql`ALTER TABLE audit_log RENAME COLUMN note TO words`)
  for (const act of [
    () => addInstrument(shop.deps, 'bea', { ...violin, submissionId: newId() }),
    () => updateInstrument(shop.deps, { id: 'bea' }, id, { ...change, stockChange: 1, stockNote: 'Found' }),
    () => changeStock(shop.deps, { id: 'bea' }, id, stock(1, 'in')),
  ])
    await expect(act()).rejects.toThrow(/no column named note|^Failed query/)
})

test('records no event without a change, and requires a reason and room for stock', async ({ shop }) => {
  const id = await shop.sells({ stock: 10 })
  const admin = await shop.admin()
  const save = (more: Partial<InstrumentUpdate>) => updateInstrument(shop.deps, admin, id, { ...change, ...more })
  await save({})
  await save({ stockChange: -10, stockNote: 'Broken' })
  await save({ stockChange: 4, stockNote: 'Delivery' })
  expect((await shop.auditLogOf(id)).slice(1)).toMatchObject([
    { event: 'stock counted', stockDelta: -10, note: 'Broken', actor: admin.id },
    { event: 'stock counted', stockDelta: 4, note: 'Delivery' },
  ])
  shop.invalidated.length = 0
  for (const [wrong, fields] of [
    [{ stockChange: 1 }, { stockNote: ['Give a reason for the change'] }],
    [{ stockChange: 1, stockNote: '' }, { stockNote: ['Give a reason for the change'] }],
    [{ stockChange: -5, stockNote: 'x', name: 'Viola' }, { stockChange: ['You can remove at most 4.'] }],
    [
      { stockChange: 999_997, stockNote: 'x', name: 'Viola' },
      { stockChange: ['Stock can be at most 1,000,000 pieces, unpaid orders included'] },
    ],
  ] as const) {
    await expect(save(wrong)).rejects.toMatchObject({ code: 'invalid', message: '', fields })
  }
  expect(await rowOf(shop, id)).toMatchObject({ name: 'Concert Violin', availableQuantity: 4 })
  expect(shop.invalidated).toEqual([])
  await save({ stockChange: 999_996, stockNote: 'x' })
  expect(await shop.stockOf(id)).toBe(1_000_000)
})

test('counts the unpaid orders of the instrument toward the stock limit', async ({ shop }) => {
  fakeProvider(shop)
  const { violin: id } = await anOrder(shop, { stock: 10, quantity: 2 })
  await anOrder(shop, { stock: 10, quantity: 5 })
  const admin = await shop.admin()
  const add = (stockChange: number) =>
    updateInstrument(shop.deps, admin, id, { ...change, stockChange, stockNote: 'x', price: 250_00 })
  await expect(add(999_991)).rejects.toMatchObject({ code: 'invalid' })
  await add(999_990)
  // Above the limit, the stock can still be reduced and other fields changed.
  await add(0)
  await add(-1)
})

test('refuses a form that was opened before another change of any field', async ({ shop }) => {
  const id = await shop.sells()
  const admin = await shop.admin()
  const conflict = {
    ...{ code: 'conflict', message: '' },
    fields: {
      version: [
        'Someone else changed this product while you were editing it. Save again to overwrite their changes, or reload this page to see them.',
      ],
    },
  }
  const versionNow = async () => (await findInstrument(shop.deps, id))!.version
  for (const other of [
    { price: 1 },
    { minQuantity: 2 },
    { name: 'Viola' },
    { family: 'brass' as const },
    { img: '/b.svg' },
    { description: 'Fine.' },
  ]) {
    const opened = await versionNow()
    await updateInstrument(shop.deps, admin, id, { ...change, ...other })
    await expect(updateInstrument(shop.deps, admin, id, { ...change, version: opened })).rejects.toMatchObject(conflict)
    await updateInstrument(shop.deps, admin, id, change)
    // Another update between the read and the write.
    const batch = shop.deps.db.batch.bind(shop.deps.db)
    const db = new Proxy(shop.deps.db, {
      get: (target, name) =>
        name !== 'batch'
          ? (Reflect.get(target, name) as unknown)
          : async (...args: Parameters<typeof batch>) => {
              await updateInstrument(shop.deps, admin, id, { ...change, ...other })
              return batch(...args)
            },
    })
    const version = await versionNow()
    await expect(updateInstrument({ ...shop.deps, db }, admin, id, { ...change, version })).rejects.toMatchObject(
      conflict,
    )
    await updateInstrument(shop.deps, admin, id, change)
  }
  await updateInstrument(shop.deps, admin, id, { ...change, version: await versionNow(), price: 1 })
  await removeInstrument(shop.deps, 'test', id)
  await expect(updateInstrument(shop.deps, admin, id, change)).rejects.toMatchObject({ code: 'not-found' })
})

test('refuses a stock change when the instrument is removed at the same time', async ({ shop }) => {
  const id = await shop.sells()
  const admin = await shop.admin()
  const batch = shop.deps.db.batch.bind(shop.deps.db)
  const db = new Proxy(shop.deps.db, {
    get: (target, name) =>
      name !== 'batch'
        ? (Reflect.get(target, name) as unknown)
        : async (...args: Parameters<typeof batch>) => {
            await removeInstrument(shop.deps, 'test', id)
            return batch(...args)
          },
  })
  const input = { ...change, name: 'Viola', stockChange: 3, stockNote: 'x' }
  await expect(updateInstrument({ ...shop.deps, db }, admin, id, input)).rejects.toMatchObject({ code: 'not-found' })
  expect(await rowOf(shop, id)).toMatchObject({ name: 'Concert Violin', availableQuantity: 100 })
  expect((await shop.auditLogOf(id)).map(({ event }) => event)).toEqual(['stock counted', 'instrument removed'])
})

test('returns the same product for a form that is repeated on another day', async ({ shop }) => {
  const until = Date.UTC(2026, 11, 24)
  const form = { ...violin, sale: { price: 4, until }, submissionId: 'the-form-1' }
  const { id } = await addInstrument(at(shop, noon), 'test', form)
  expect(await addInstrument(at(shop, noon + day), 'test', form)).toEqual({ id, isRepeat: true })
})

test('returns the same product for a repeated form, and refuses other values', async ({ shop }) => {
  const { deps, invalidated } = shop
  const form = { ...violin, submissionId: 'the-form-1' }
  const { id, isRepeat } = await addInstrument(deps, 'test', form)
  expect([id.length, isRepeat]).toEqual([32, false])
  const { db } = deps
  invalidated.length = 0
  expect(await addInstrument(deps, 'test', form)).toEqual({ id, isRepeat: true })
  const refusal = {
    code: 'conflict',
    isUsed: true,
    message: 'You already added a product with this form. Send it again to add another.',
  }
  for (const change of [{ name: 'Viola' }, { price: 6 }, { availableQuantity: 1 }, { family: 'brass' as const }]) {
    await expect(addInstrument(deps, 'test', { ...form, ...change })).rejects.toMatchObject(refusal)
  }
  expect(invalidated).toEqual([])
  expect(await db.select().from(instruments)).toHaveLength(1)
  expect((await addInstrument(deps, 'another admin', form)).id).not.toBe(id)
  await removeInstrument(deps, 'test', id)
  await expect(addInstrument(deps, 'test', form)).rejects.toMatchObject(refusal)
})

test('hides an instrument and shows it again, each once, until it is deleted', async ({ shop }) => {
  const id = await shop.sells({ stock: 8 })
  const admin = await shop.admin()
  const at = (time: number) => ({ ...shop.deps, now: () => time })
  shop.invalidated.length = 0
  await setHidden(at(9), admin, id, true)
  await setHidden(at(10), admin, id, true)
  expect(await rowOf(shop, id)).toMatchObject({ hidden: 1, removedAt: 9 })
  expect(await findInstrument(shop.deps, id)).toBeNull()
  expect((await listManagedInstruments(shop.deps, { limit: 9 })).instruments).toMatchObject([{ id, hidden: 1 }])
  expect(shop.invalidated).toContain('catalogue')
  await setHidden(at(11), admin, id, false)
  expect(await findInstrument(shop.deps, id)).toMatchObject({ id, availableQuantity: 8 })
  await setHidden(at(12), admin, id, true)
  await removeInstrument(at(13), admin.id, id)
  expect(await rowOf(shop, id)).toMatchObject({ hidden: 0, removedAt: 13 })
  for (const isHidden of [true, false])
    await expect(setHidden(shop.deps, admin, id, isHidden)).rejects.toMatchObject({ code: 'not-found' })
  const show = shop.deps.db.update(instruments).set({ removedAt: null }).where(eq(instruments.id, id))
  await expect(show).rejects.toThrow()
  expect((await listManagedInstruments(shop.deps, { limit: 9 })).instruments).toEqual([])
  expect((await shop.auditLogOf(id)).slice(1).map(({ at, event, actor }) => [at, event, actor])).toEqual([
    [9, 'instrument hidden', admin.id],
    [11, 'instrument shown', admin.id],
    [12, 'instrument hidden', admin.id],
    [13, 'instrument removed', admin.id],
  ])
})

const stock = (pieces: number, direction: 'in' | 'out', submissionId = newId()) => ({
  ...{ pieces, direction, submissionId },
  reason: null,
})

test('adds up stock changes of several tabs, and makes a repeated one once', async ({ shop }) => {
  const id = await shop.sells({ stock: 10 })
  const other = await shop.sells({ stock: 10 })
  const admin = await shop.admin()
  const same = stock(5, 'in')
  const results = await Promise.all([
    ...[same, same, same].map((change) => changeStock(shop.deps, admin, id, change)),
    ...[stock(2, 'out'), stock(7, 'in')].map((change) => changeStock(shop.deps, admin, id, change)),
  ])
  expect(results.map(({ isRepeat }) => isRepeat).sort()).toEqual([false, false, false, true, true])
  expect((await shop.auditLogOf(id))[1]).toMatchObject({ note: '' })
  expect(await shop.stockOf(id)).toBe(20)
  // The same form, filled in again, and the same form of another row.
  await changeStock(shop.deps, admin, id, { ...same, pieces: 6, reason: 'Delivery' })
  await changeStock(shop.deps, admin, other, same)
  expect([await shop.stockOf(id), await shop.stockOf(other)]).toEqual([26, 15])
  expect((await shop.auditLogOf(id)).at(-1)).toMatchObject({
    ...{ event: 'stock counted', actor: admin.id, stockDelta: 6, note: 'Delivery' },
  })
})

test('refuses a stock change below zero, above the limit with unpaid orders, and of a deleted instrument', async ({
  shop,
}) => {
  fakeProvider(shop)
  const { violin: id } = await anOrder(shop, { stock: 10, quantity: 4 })
  const admin = await shop.admin()
  shop.invalidated.length = 0
  await expect(changeStock(shop.deps, admin, id, stock(7, 'out'))).rejects.toMatchObject({
    ...{ code: 'invalid', message: '', fields: { pieces: ['You can remove at most 6.'] } },
  })
  await expect(changeStock(shop.deps, admin, id, stock(999_991, 'in'))).rejects.toMatchObject({
    fields: { pieces: ['Stock can be at most 1,000,000 pieces, unpaid orders included'] },
  })
  expect(shop.invalidated).toEqual([])
  await changeStock(shop.deps, admin, id, stock(6, 'out'))
  await changeStock(shop.deps, admin, id, stock(999_996, 'in'))
  expect(shop.invalidated).toEqual(['catalogue', 'catalogue'])
  await removeInstrument(shop.deps, admin.id, id)
  await expect(changeStock(shop.deps, admin, id, stock(1, 'out'))).rejects.toMatchObject({ code: 'not-found' })
})

test('sets the stock to what was counted, if it is still what it was for whoever counted', async ({ shop }) => {
  const id = await shop.sells({ stock: 10 })
  const admin = await shop.admin()
  shop.invalidated.length = 0
  const set = (quantity: number, expected: number, more: { submissionId?: string; seen?: Seen } = {}) =>
    setStock(shop.deps, admin, id, { quantity, expected, reason: 'Counted', submissionId: newId(), ...more })
  const first = { submissionId: newId() }
  // Three pieces fewer twice, with other numbers in the same form.
  expect([await set(7, 10, first), await set(7, 10, first), await set(4, 7, first)]).toEqual([true, true, true])
  expect([await set(9, 4), await set(9, 9)]).toEqual([true, false])
  expect((await shop.auditLogOf(id)).slice(1).map((row) => [row.event, row.stockDelta, row.note])).toEqual([
    ...[-3, -3, 5].map((delta) => ['stock counted', delta, 'Counted']),
  ])
  expect(shop.invalidated).toHaveLength(3)
  const other = { code: 'conflict', message: 'The stock is 9 now.', fields: { expected: ['It is 9 now'] } }
  for (const quantity of [7, 8, 9, 10]) await expect(set(quantity, 8)).rejects.toMatchObject(other)
  const { seen } = (await findSeen(shop.deps, id))!
  expect(await set(9, 9, { seen })).toBe(false)
  await expect(set(1, 8, { seen })).rejects.toMatchObject(other)
  await updateInstrument(shop.deps, admin, id, { ...change, price: 1 })
  for (const quantity of [8, 9]) await expect(set(quantity, 9, { seen })).rejects.toMatchObject({ code: 'changed' })
  await removeInstrument(shop.deps, admin.id, id)
  for (const quantity of [8, 9]) await expect(set(quantity, 9)).rejects.toMatchObject({ code: 'not-found' })
})

test('what was counted has the pieces of an expired hold, which cannot be removed before its release', async ({
  shop,
}) => {
  const id = await shop.sells({ stock: 10 })
  const admin = await shop.admin()
  await placeOrder({ ...at(shop, noon), holdMs: 500 }, await shop.customer(), orderInput(id, 2))
  const deps = at(shop, noon + 500)
  const set = (quantity: number, expected: number) =>
    setStock(deps, admin, id, { quantity, expected, reason: 'Counted', submissionId: newId() })
  await expect(set(9, 8)).rejects.toMatchObject({ message: 'The stock is 10 now.' })
  expect([await set(9, 10), await shop.stockOf(id)]).toEqual([true, 7])
  const tooFew = ['You can remove at most 7.']
  await expect(set(1, 9)).rejects.toMatchObject({ fields: { pieces: tooFew } })
  const save = { ...change, stockChange: -8, stockNote: 'Broken' }
  await expect(updateInstrument(deps, admin, id, save)).rejects.toMatchObject({ fields: { stockChange: tooFew } })
})

test('hides and shows several at once, leaves deleted ones alone, and records each change once', async ({ shop }) => {
  const admin = await shop.admin()
  const [violin, oboe, deleted, other] = await Promise.all([1, 2, 3, 4].map(() => shop.sells()))
  await removeInstrument(shop.deps, admin.id, deleted!)
  const ids = [violin!, oboe!, deleted!, 'unknown']
  const recordsOf = async (id: string) =>
    (await shop.auditLogOf(id)).map(({ event }) => event).filter((event) => /hidden|shown/.test(event))
  shop.invalidated.length = 0
  expect((await setAllHidden(shop.deps, admin, ids, true)).sort()).toEqual([violin, oboe].sort())
  expect(shop.invalidated).toEqual(['catalogue'])
  expect(await setAllHidden(shop.deps, admin, ids, true)).toEqual([])
  expect(shop.invalidated).toEqual(['catalogue'])
  expect(await findInstrument(shop.deps, violin!)).toBeNull()
  expect(await setAllHidden(shop.deps, admin, ids, false)).toHaveLength(2)
  expect(await Promise.all([violin!, deleted!, other!].map(recordsOf))).toEqual([
    ['instrument hidden', 'instrument shown'],
    [],
    [],
  ])
  expect(await findInstrument(shop.deps, violin!)).toMatchObject({ name: 'Concert Violin' })
})

test('what is not as it was seen is not changed, whatever has changed between reading and writing', async ({
  shop,
}) => {
  const admin = await shop.admin()
  const customer = await shop.customer()
  let at = Date.now()
  const deps = { ...shop.deps, now: () => at }
  const write = (id: string, seen: Seen) =>
    changeStock(deps, admin, id, { pieces: 1, direction: 'in', reason: null, submissionId: newId(), seen })
  const change = (fields: object) => (id: string) => updateInstrument(deps, admin, id, update(fields))
  const update = (fields: object) =>
    InstrumentUpdate.parse({ ...typedViolin, name: 'Viola', ...fields, stockChange: 0, stockNote: '' })
  const changes: Record<string, (id: string) => unknown> = {
    nothing: () => undefined,
    price: change({ price: '6' }),
    description: change({ description: 'Fine.' }),
    brand: change({ brand: 'Zephyr' }),
    hidden: (id) => setHidden(deps, admin, id, true),
    'an order': (id) => placeOrder(deps, customer, orderInput(id, 1)),
    'the end of a hold': () => void (at += deps.holdMs),
    'another sale': async (id) => {
      await change({ salePrice: '4', saleUntil: '2099-12-31' })(id)
    },
  }
  await expect(write(await shop.sells(), null)).rejects.toMatchObject({ code: 'changed' })
  for (const [name, run] of Object.entries(changes)) {
    const id = await shop.sells({ name: 'Viola', price: 500, stock: 10 })
    await updateInstrument(deps, admin, id, update({}))
    await placeOrder(deps, customer, { ...orderInput(id, 1) })
    const { seen } = (await findSeen(deps, id))!
    await run(id)
    const before = await shop.stockOf(id)
    const result = await write(id, seen).then(
      () => 200,
      (error: unknown) => (error as { code: string }).code,
    )
    expect([name, result, (await shop.stockOf(id)) - before]).toEqual(
      name === 'nothing' ? [name, 200, 1] : [name, 'changed', 0],
    )
  }
})
