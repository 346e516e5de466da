import { desc, sql } from 'drizzle-orm'
import { expect, test, type Store } from '../../../tests/support/store'
import { auditLog } from '../../db/schema'
import { maxFamilies } from '../shared/limits'
import {
  addFamily,
  changeFamily,
  deleteFamily,
  FamilyForm,
  findManagedFamily,
  listFamilies,
  moveFamily,
  setFamilyHidden,
} from './manage-families.server'
import { removeInstrument } from './manage-instruments.server'

const slugsOf = async (shop: Store) => (await listFamilies(shop.deps)).map(({ slug }) => slug).join(' ')

async function newestNote(shop: Store): Promise<string> {
  const [row] = await shop.deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  return `${row!.event}, ${row!.note}`
}

const gone = { code: 'not-found', message: 'This family was deleted, or has another address now.' }

test.for<[object, string | null]>([
  [{}, null],
  [{ slug: ' folk-strings-2 ' }, null],
  [{ slug: 'Folk' }, 'An address has small letters, digits and hyphens, like folk-strings'],
  [{ slug: '-folk' }, 'An address has small letters, digits and hyphens, like folk-strings'],
  [{ slug: 'folk-' }, 'An address has small letters, digits and hyphens, like folk-strings'],
  [{ slug: 'a'.repeat(41) }, 'Address must be at most 40 characters'],
  [{ slug: ' ' }, 'Address is Required'],
  [{ slug: undefined }, 'Address is Required'],
  [{ name: ' ' }, 'Name is Required'],
])('a family of %j: %s', ([more, message]) => {
  expect(FamilyForm.safeParse({ name: 'Folk', slug: 'folk', ...more }).error?.issues[0]?.message ?? null).toBe(message)
})

test('adds a family behind the others, once, and as many as a shop may have', async ({ shop }) => {
  const admin = await shop.admin()
  shop.invalidated.length = 0
  await addFamily(shop.deps, admin, { name: 'Folk', slug: 'folk', cases: 'on' })
  expect(await newestNote(shop)).toBe('family added, Folk (folk)')
  await addFamily(shop.deps, admin, { name: 'Folk', slug: 'folk' })
  expect(await slugsOf(shop)).toBe('strings brass woodwind cases folk')
  expect(shop.invalidated).toEqual(['settings'])
  expect(await findManagedFamily(shop.deps, 'folk')).toEqual({
    ...{ slug: 'folk', name: 'Folk', hidden: 0, cases: 1, version: 1, products: 0, former: [] },
  })
  for (const [input, fields] of [
    [{ name: 'Drums', slug: 'brass' }, { slug: ['The family Brass has this address'] }],
    [{ name: 'bRASS', slug: 'horns' }, { name: ['There is a family Brass already'] }],
    [{ name: 'Brass', slug: 'horns' }, { name: ['There is a family Brass already'] }],
  ] as const)
    await expect(addFamily(shop.deps, admin, input)).rejects.toMatchObject({ code: 'conflict', message: '', fields })
  for (let nth = 5; nth < maxFamilies; nth++) await addFamily(shop.deps, admin, { name: `F${nth}`, slug: `f${nth}` })
  await expect(addFamily(shop.deps, admin, { name: 'One more', slug: 'more' })).rejects.toMatchObject({
    ...{ code: 'conflict', message: `A shop may have at most ${maxFamilies} families.` },
  })
})

test('changes a family that nobody else has changed, and keeps its address of before', async ({ shop }) => {
  const admin = await shop.admin()
  await shop.sells({ family: 'brass' })
  shop.invalidated.length = 0
  const input = { name: 'Horns', slug: 'horns', version: 1 }
  await changeFamily(shop.deps, admin, 'brass', input)
  expect([await newestNote(shop), shop.invalidated]).toEqual(['family changed, brass → Horns (horns)', ['settings']])
  expect(await findManagedFamily(shop.deps, 'horns')).toMatchObject({
    ...{ name: 'Horns', cases: 0, version: 2, products: 1, former: ['brass'] },
  })
  expect(await findManagedFamily(shop.deps, 'brass')).toBeNull()
  const change = (slug: string, more: object) => changeFamily(shop.deps, admin, slug, { ...input, ...more })
  await expect(change('brass', {})).rejects.toMatchObject(gone)
  const version = ['Someone else changed this family while you were editing it. Save again to overwrite their changes.']
  await expect(change('horns', {})).rejects.toMatchObject({ code: 'conflict', message: '', fields: { version } })
  await expect(change('horns', { version: 2, slug: 'cases' })).rejects.toHaveProperty('fields', {
    slug: ['The family Cases has this address'],
  })
  await change('horns', { version: 2, name: 'HORNS', cases: 'on' })
  expect(await findManagedFamily(shop.deps, 'horns')).toMatchObject({ name: 'HORNS', cases: 1 })
  expect(shop.invalidated).toHaveLength(2)
})

test('moves a family to a place of the list', async ({ shop }) => {
  const admin = await shop.admin()
  shop.invalidated.length = 0
  expect(await moveFamily(shop.deps, admin, 'cases', 1)).toBe('Cases')
  expect([await slugsOf(shop), await newestNote(shop)]).toEqual([
    'strings cases brass woodwind',
    'family changed, Cases: place 2',
  ])
  expect(await moveFamily(shop.deps, admin, 'cases', 1)).toBe('Cases')
  expect(shop.invalidated).toEqual(['settings'])
  await moveFamily(shop.deps, admin, 'strings', 3)
  expect(await slugsOf(shop)).toBe('cases brass woodwind strings')
  await expect(moveFamily(shop.deps, admin, 'lutes', 0)).rejects.toMatchObject(gone)
})

test('hides and deletes a family that no product has, but never the last that is shown', async ({ shop }) => {
  const admin = await shop.admin()
  const tuba = await shop.sells({ name: 'Tuba', family: 'brass' })
  shop.invalidated.length = 0
  const all = [shop.deps, admin] as const
  expect(await deleteFamily(...all, 'cases')).toBe('Cases')
  expect([await newestNote(shop), shop.invalidated]).toEqual(['family deleted, cases', ['settings']])
  for (const act of [() => deleteFamily(...all, 'cases'), () => setFamilyHidden(...all, 'cases', true)])
    await expect(act()).rejects.toMatchObject(gone)
  await expect(deleteFamily(...all, 'brass')).rejects.toMatchObject({
    code: 'conflict',
    message: 'Products are of this family, such as Tuba. Give them another one first, or hide the family.',
  })
  await removeInstrument(shop.deps, admin.id, tuba)
  await expect(deleteFamily(...all, 'brass')).rejects.toMatchObject({
    message: 'Hidden or deleted products are of this family, such as Tuba. Hide the family instead.',
  })
  expect(await setFamilyHidden(...all, 'brass', true)).toBe('Brass')
  expect([await newestNote(shop), shop.invalidated.at(-1)]).toEqual(['family changed, brass: hidden', 'settings'])
  await setFamilyHidden(...all, 'woodwind', true)
  const last = { code: 'conflict', message: 'At least one family stays: show another one first.' }
  for (const act of [() => setFamilyHidden(...all, 'strings', true), () => deleteFamily(...all, 'strings')])
    await expect(act()).rejects.toMatchObject(last)
  await setFamilyHidden(...all, 'brass', false)
  expect([await newestNote(shop), (await findManagedFamily(shop.deps, 'brass'))!.hidden]).toEqual([
    'family changed, brass: shown',
    0,
  ])
})

test('a failure of the database is no refusal', async ({ shop }) => {
  shop.skipInvariants('without an audit log')
  await shop.deps.db.run(sql`DROP TABLE audit_log`)
  const [folk, admin] = [{ name: 'Folk', slug: 'folk' }, { id: 'bea' }]
  for (const act of [
    () => addFamily(shop.deps, admin, folk),
    () => changeFamily(shop.deps, admin, 'brass', { ...folk, version: 1 }),
    () => setFamilyHidden(shop.deps, admin, 'brass', true),
    () => deleteFamily(shop.deps, admin, 'brass'),
  ])
    await expect(act()).rejects.toThrow('no such table: audit_log')
})
