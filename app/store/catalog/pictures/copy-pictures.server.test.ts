import { eq } from 'drizzle-orm'
import { fakePictures, jpeg } from '../../../../tests/support/fake-pictures'
import { expect, test, type Store } from '../../../../tests/support/store'
import { instruments } from '../../../db/schema'
import { ProviderError, type Deps } from '../../deps'
import { maxCopiedPictures } from '../../shared/limits'
import { removeInstrument, setHidden } from '../manage-instruments.server'
import { copyPictures, countPicturesElsewhere } from './copy-pictures.server'
import type { Picture } from './picture-lists'
import { pictureErrors, storePicture } from './pictures.server'

const admin = { id: 'admin' }
const https = (name: string) => `https://old.example/${name}`

/** The other shop has a picture of its own at each address, but for those that are gone or no pictures. */
function withOtherShop(shop: Store, more: Partial<Deps> = {}) {
  const asked: string[] = []
  const deps: Deps = {
    ...{ ...shop.deps, pictures: fakePictures().pictures },
    fetchPicture: (address) => {
      asked.push(address)
      if (address.endsWith('gone')) return Promise.resolve({ problem: 'It is gone.' })
      return Promise.resolve({ file: address.endsWith('text') ? new File(['x'], 'a') : jpeg(address) })
    },
    ...more,
  }
  return { deps, asked, copyOf: (name: string) => storePicture(deps, jpeg(https(name))) }
}

async function sells(shop: Store, id: string, img: string, pictures: Picture[] = []): Promise<void> {
  await shop.sells({ id, name: `The ${id}` })
  await shop.deps.db.update(instruments).set({ img, pictures }).where(eq(instruments.id, id))
}

const picturesOf = async (shop: Store, id: string) => {
  const [row] = await shop.deps.db.select().from(instruments).where(eq(instruments.id, id))
  return { img: row!.img, pictures: row!.pictures, version: row!.version }
}

const notesOf = async (shop: Store, id: string) =>
  (await shop.auditLogOf(id))
    .filter(({ event }) => event === 'instrument changed')
    .map(({ actor, note }) => [actor, note])

test('copies the pictures of all products, hidden ones too, in their places and with their words', async ({ shop }) => {
  const { deps, asked, copyOf } = withOtherShop(shop)
  const plate = { img: '/plates/oboe.svg', alt: 'The case' }
  await sells(shop, 'a', https('1'), [{ img: https('2'), alt: 'The back' }, plate, { img: https('3'), alt: '' }])
  await sells(shop, 'b', plate.img, [{ img: https('1'), alt: '' }])
  await sells(shop, 'c', plate.img)
  await sells(shop, 'd', https('4'))
  await setHidden(deps, admin, 'd', true)
  await sells(shop, 'e', https('5'))
  await removeInstrument(deps, 'test', 'e')
  const before = shop.invalidated.length
  expect(await countPicturesElsewhere(deps)).toBe(5)
  expect(await copyPictures(deps, admin, '')).toEqual({ copied: 5, failed: [], after: null })
  expect(await countPicturesElsewhere(deps)).toBe(0)
  expect(asked).toEqual(['1', '2', '3', '4'].map(https))
  expect(await picturesOf(shop, 'a')).toEqual({
    img: await copyOf('1'),
    pictures: [{ img: await copyOf('2'), alt: 'The back' }, plate, { img: await copyOf('3'), alt: '' }],
    version: 2,
  })
  expect(await picturesOf(shop, 'b')).toMatchObject({ img: plate.img, pictures: [{ img: await copyOf('1'), alt: '' }] })
  expect(await picturesOf(shop, 'c')).toEqual({ img: plate.img, pictures: [], version: 1 })
  expect((await picturesOf(shop, 'd')).img).toBe(await copyOf('4'))
  expect(await picturesOf(shop, 'e')).toMatchObject({ img: https('5'), version: 1 })
  expect([await notesOf(shop, 'a'), await notesOf(shop, 'b'), await notesOf(shop, 'c')]).toEqual([
    [['admin', '3 pictures copied']],
    [['admin', 'picture copied']],
    [],
  ])
  expect(shop.invalidated.slice(before)).toEqual(['catalogue'])
  expect(await copyPictures(deps, admin, '')).toEqual({ copied: 0, failed: [], after: null })
  expect(shop.invalidated.slice(before)).toEqual(['catalogue'])
})

test('counts no picture of an empty shop', async ({ shop }) => {
  expect(await countPicturesElsewhere(shop.deps)).toBe(0)
})

test('keeps one of two pictures whose addresses lead to the same file', async ({ shop }) => {
  const { deps } = withOtherShop(shop, { fetchPicture: () => Promise.resolve({ file: jpeg('one') }) })
  const img = await storePicture(deps, jpeg('one'))
  await sells(shop, 'a', https('1'), [{ img: https('2'), alt: '' }])
  expect((await copyPictures(deps, admin, '')).copied).toBe(2)
  expect(await picturesOf(shop, 'a')).toMatchObject({ img, pictures: [] })
})

test('leaves a picture that cannot be had where it is, with the reason, and copies the others', async ({ shop }) => {
  const { deps, copyOf } = withOtherShop(shop)
  await sells(shop, 'a', https('gone'), [
    { img: https('1'), alt: '' },
    { img: https('text'), alt: '' },
  ])
  expect(await copyPictures(deps, admin, '')).toEqual({
    copied: 1,
    failed: [
      { id: 'a', name: 'The a', place: 1, why: 'It is gone.' },
      { id: 'a', name: 'The a', place: 3, why: pictureErrors.wrongFormat },
    ],
    after: null,
  })
  expect(await picturesOf(shop, 'a')).toMatchObject({
    img: https('gone'),
    pictures: [{ img: await copyOf('1') }, { img: https('text') }],
  })
  const store = () => Promise.reject(new ProviderError('R2 is away', { final: false }))
  const away = { ...deps, pictures: { ...fakePictures().pictures, store } }
  await sells(shop, 'b', https('2'))
  expect((await copyPictures(away, admin, 'a')).failed).toEqual([
    { id: 'b', name: 'The b', place: 1, why: pictureErrors.notStored },
  ])
})

test.for([
  ['8, 8, 4 and 1', [8, 8, 4, 1], 20, 'p02'],
  ['8, 8 and 5', [8, 8, 5], 16, 'p01'],
  ['as many as there may be', Array.from({ length: maxCopiedPictures }, () => 1), 20, null],
  ['one more', Array.from({ length: maxCopiedPictures + 1 }, () => 1), 20, 'p19'],
] as const)('takes whole products, of %s pictures', async ([, counts, copied, after], { shop }) => {
  const { deps } = withOtherShop(shop)
  for (const [nth, count] of counts.entries()) {
    const [first, ...more] = Array.from({ length: count }, (_, place) => ({ img: https(`${nth}-${place}`), alt: '' }))
    await sells(shop, `p${String(nth).padStart(2, '0')}`, first!.img, more)
  }
  expect(await copyPictures(deps, admin, '')).toEqual({ copied, failed: [], after })
  if (after === null) return
  const left = counts.reduce<number>((sum, count) => sum + count, 0) - copied
  expect(await copyPictures(deps, admin, after)).toEqual({ copied: left, failed: [], after: null })
})

test.for([
  ['changed', (shop: Store) => shop.deps.db.update(instruments).set({ img: '/plates/oboe.svg' })],
  [
    'given other further pictures',
    (shop: Store) => shop.deps.db.update(instruments).set({ pictures: [{ img: '/plates/oboe.svg', alt: '' }] }),
  ],
  ['deleted', (shop: Store) => removeInstrument(shop.deps, 'test', 'a')],
] as const)('leaves a product alone that is %s meanwhile', async ([, change], { shop }) => {
  const fetchPicture = async () => {
    await change(shop)
    return { file: jpeg('') }
  }
  const { deps } = withOtherShop(shop, { fetchPicture })
  await sells(shop, 'a', https('1'))
  expect(await copyPictures(deps, admin, '')).toEqual({ copied: 0, failed: [], after: null })
  expect((await picturesOf(shop, 'a')).img).not.toContain('/pictures/')
  expect(await notesOf(shop, 'a')).toEqual([])
})

test.for([
  [14_999, 5, null],
  [15_000, 4, 'a'],
] as const)(
  'begins after %i ms no other product: copies %i, and goes on after %s',
  async ([wait, copied, after], { shop }) => {
    let now = 0
    const fetchPicture = (address: string) => {
      now = wait
      return Promise.resolve({ file: jpeg(address) })
    }
    const { deps } = withOtherShop(shop, { now: () => now, fetchPicture })
    await sells(
      shop,
      'a',
      https('1'),
      ['2', '3', '4'].map((name) => ({ img: https(name), alt: '' })),
    )
    await sells(shop, 'b', https('5'))
    expect(await copyPictures(deps, admin, '')).toEqual({ copied, failed: [], after })
  },
)

test('copies the pictures of one product also when the database took all the time', async ({ shop }) => {
  let now = 0
  const { deps } = withOtherShop(shop, { now: () => (now += 15_000) })
  for (const id of ['a', 'b']) await sells(shop, id, https(id))
  expect(await copyPictures(deps, admin, '')).toEqual({ copied: 1, failed: [], after: 'a' })
})
