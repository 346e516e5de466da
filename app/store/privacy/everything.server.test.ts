import { eq } from 'drizzle-orm'
import { expect, noon, test, type Store } from '../../../tests/support/store'
import { auditLog, instruments, pages, reviews, users } from '../../db/schema'
import {
  exportCustomers,
  exportPages,
  exportProducts,
  exportReviews,
  listUploads,
  recordExport,
  type ExportedRow,
} from './everything.server'

async function batchesOf(rows: AsyncGenerator<ExportedRow[], void>): Promise<ExportedRow[][]> {
  const batches: ExportedRow[][] = []
  for await (const batch of rows) batches.push(batch)
  return batches
}

const rowsOf = async (rows: AsyncGenerator<ExportedRow[], void>) => (await batchesOf(rows)).flat()

const time = '2026-11-24T12:00:00Z'

function insertUser({ deps: { db } }: Store, user: Partial<typeof users.$inferInsert> & { id: string }) {
  return db.insert(users).values({ name: 'Ada', email: `${user.id}@example.com`, createdAt: noon, ...user })
}

test('copies all customers by id, with times that a person can read', async ({ shop }) => {
  const more = { address: '1 Bow Lane', phone: '07700', role: 'admin' as const, emailVerifiedAt: noon + 999 }
  await insertUser(shop, { id: 'user-b' })
  await insertUser(shop, { id: 'user-a', ...more })
  await insertUser(shop, { id: 'user-c', name: 'Closed account', email: 'closed account user-c', closedAt: noon })
  const nothing = { role: 'customer', address: null, phone: null, verified: null, registered: time, closed: null }
  expect(await rowsOf(exportCustomers(shop.deps))).toEqual([
    {
      ...{ ...nothing, id: 'user-a', name: 'Ada', email: 'user-a@example.com', role: 'admin' },
      ...{ address: '1 Bow Lane', phone: '07700', verified: time },
    },
    { ...nothing, id: 'user-b', name: 'Ada', email: 'user-b@example.com' },
    { ...nothing, id: 'user-c', name: 'Closed account', email: 'closed account user-c', closed: time },
  ])
})

test.for([
  [499, [499]],
  [500, [500, 0]],
  [501, [500, 1]],
] as const)('copies %d reviews in batches of %j, hidden ones too', async ([count, sizes], { shop }) => {
  await insertUser(shop, { id: 'user-a' })
  const review = { userId: 'user-a', name: 'Ada', img: '/me.png', description: 'Warm.', createdAt: noon }
  const ids = Array.from({ length: count }, (_, nth) => String(nth).padStart(3, '0'))
  const hidden = { hiddenAt: noon, hiddenReason: 'Spam', reply: 'Thanks', rating: 4 }
  await shop.deps.db.insert(reviews).values(ids.map((id) => ({ ...review, id, ...(id === '001' && hidden) })))
  const batches = await batchesOf(exportReviews(shop.deps))
  expect(batches.map((batch) => batch.length)).toEqual(sizes)
  expect(batches.flat().map(({ id }) => id)).toEqual(ids)
  expect(batches[0]![1]).toEqual({
    ...{ id: '001', userId: 'user-a', name: 'Ada', instrumentId: null, rating: 4, description: 'Warm.' },
    ...{ reply: 'Thanks', hiddenReason: 'Spam', hidden: time, written: time },
  })
})

test('copies all products by id, hidden and deleted ones too, with their specification', async ({ shop }) => {
  for (const id of ['viola', 'cello', 'bass']) await shop.sells({ id, name: id, price: 10_00, minimum: 2, stock: 5 })
  const { db } = shop.deps
  const sale = { saleCents: 900, priorCents: 1000, saleFromAt: noon, saleUntilAt: noon + 86_400_000 }
  await db.update(instruments).set({ listedAt: noon, brand: 'Amati', attributes: [['Wood', 'Spruce']] })
  await db
    .update(instruments)
    .set({ ...sale, description: 'Warm.' })
    .where(eq(instruments.id, 'viola'))
  await db.update(instruments).set({ hidden: 1, removedAt: noon }).where(eq(instruments.id, 'cello'))
  await db.update(instruments).set({ removedAt: noon }).where(eq(instruments.id, 'bass'))
  const row = {
    ...{ family: null, brand: 'Amati', img: '/plates/violin-4-4.svg', description: '', priceCents: 1000 },
    ...{ minQuantity: 2, availableQuantity: 5, saleCents: null, priorCents: null, saleFrom: null, saleUntil: null },
    ...{ specification: '[["Wood","Spruce"]]', listed: time, removed: null, hidden: 0, level: null, ages: null },
  }
  const saleTimes = { saleFrom: time, saleUntil: '2026-11-25T12:00:00Z' }
  expect(await rowsOf(exportProducts(shop.deps))).toEqual([
    { ...row, id: 'bass', slug: 'bass', name: 'bass', removed: time },
    { ...row, id: 'cello', slug: 'cello', name: 'cello', removed: time, hidden: 1 },
    {
      ...{ ...row, id: 'viola', slug: 'viola', name: 'viola', description: 'Warm.' },
      ...{ saleCents: 900, priorCents: 1000, ...saleTimes },
    },
  ])
})

test('copies all pages by id, drafts too', async ({ shop }) => {
  const { id: changedBy } = await shop.admin()
  const page = { title: 'Draft', body: 'New', footer: '', changedAt: 1, changedBy }
  const published = { publishedTitle: 'Terms', publishedBody: 'Old', publishedAt: noon }
  await shop.deps.db.insert(pages).values([
    { ...page, id: 'b', slug: 'terms', ...published },
    { ...page, id: 'a', slug: 'jobs' },
  ])
  const row = { title: 'Draft', body: 'New', footer: '' }
  expect(await rowsOf(exportPages(shop.deps))).toEqual([
    { ...row, id: 'a', slug: 'jobs', publishedTitle: null, publishedBody: null, published: null },
    { ...row, id: 'b', slug: 'terms', publishedTitle: 'Terms', publishedBody: 'Old', published: time },
  ])
})

test('lists each uploaded picture once, also the further ones, and none of a deleted product', async ({ shop }) => {
  const ids: string[] = []
  for (let nth = 0; nth < 4; nth++) ids.push(await shop.sells())
  const set = (nth: number, values: object) =>
    shop.deps.db.update(instruments).set(values).where(eq(instruments.id, ids[nth]!))
  const pictures = (...imgs: string[]) => ({ pictures: imgs.map((img) => ({ img, alt: '' })) })
  await set(0, { img: '/pictures/a', ...pictures('/pictures/b', '/plates/x.svg') })
  await set(1, { img: '/pictures/b', hidden: 1, removedAt: 1 })
  await set(2, { img: '/pictures/c', ...pictures('/pictures/d'), removedAt: 1 })
  expect((await listUploads(shop.deps)).sort()).toEqual(['/pictures/a', '/pictures/b'])
})

test('records who took a copy of the shop, and when', async ({ shop }) => {
  await recordExport({ ...shop.deps, now: () => noon }, { id: 'me' })
  expect(await shop.deps.db.select().from(auditLog)).toMatchObject([{ at: noon, event: 'shop exported', actor: 'me' }])
})
