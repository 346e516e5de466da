import { sql } from 'drizzle-orm'
import { at, day, expect, noon, test, type Store } from '../../../tests/support/store'
import { instruments, pages } from '../../db/schema'
import { readInBatches, readNewest, readSitemap, type Range } from './feeds.server'
import { removeInstrument, setHidden } from './manage-instruments.server'

/** The instrument after this one gets this number from the trigger. */
async function skipTo(shop: Store, number: number): Promise<void> {
  await shop.deps.db.run(sql`
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at, search_id, slug)
    VALUES ('skipped', 'Skipped', '/a.svg', 100, 1, 1, ${number - 1}, 'skipped')`)
}

test('splits the sitemap after the numbers 50,000, 100,000 …, without what is not on sale', async ({ shop }) => {
  expect(await readSitemap(shop.deps, 1)).toEqual({ slugs: [], texts: [], files: 0 })
  for (const id of ['a', 'hidden', 'deleted']) await shop.sells({ id, name: id })
  await setHidden(shop.deps, { id: 'test' }, 'hidden', true)
  await removeInstrument(shop.deps, 'test', 'deleted')
  await skipTo(shop, 50_000)
  await shop.sells({ id: 'b', name: 'Böhm Flöte' })
  expect(await readSitemap(shop.deps, 1)).toEqual({ slugs: ['a', 'skipped', 'bohm-flote'], texts: [], files: 1 })
  await shop.sells({ id: 'c', name: 'c' })
  expect(await readSitemap(shop.deps, 1)).toMatchObject({ slugs: ['a', 'skipped', 'bohm-flote'], files: 2 })
  expect(await readSitemap(shop.deps, 2)).toMatchObject({ slugs: ['c'], files: 2 })
  expect(await readSitemap(shop.deps, 3)).toMatchObject({ slugs: [], files: 2 })
})

test('names the published pages in the sitemap, by their addresses', async ({ shop }) => {
  const page = { body: 'x', changedAt: 1, changedBy: (await shop.admin()).id }
  const published = { publishedAt: 1, publishedTitle: 'x', publishedBody: 'x' }
  await shop.deps.db.insert(pages).values([
    { ...page, ...published, id: '1', slug: 'terms', title: 'Terms' },
    { ...page, id: '2', slug: 'draft', title: 'Draft' },
    { ...page, ...published, id: '3', slug: 'about', title: 'About' },
  ])
  expect((await readSitemap(shop.deps, 1)).texts).toEqual(['about', 'terms'])
})

test('reads the newest thirty on sale, with the price of now', async ({ shop }) => {
  const { db } = shop.deps
  for (const id of ['x', 'hidden', 'deleted']) await shop.sells({ id })
  await setHidden(shop.deps, { id: 'test' }, 'hidden', true)
  await removeInstrument(shop.deps, 'test', 'deleted')
  const sale = { saleCents: 800_00, saleFromAt: noon, saleUntilAt: noon + day }
  await db.update(instruments).set({ ...sale, listedAt: 5 })
  await db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 39)
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at) SELECT 'n' || i, 'N', '/a.svg', 100, 1, i / 2 FROM n`)
  const newest = await readNewest(at(shop, noon))
  expect(newest.map(({ id, listedAt }) => [id, listedAt])).toEqual([
    ...Array.from({ length: 28 }, (_, nth) => [`n${39 - nth}`, Math.floor((39 - nth) / 2)]),
    ...[
      ['x', 5],
      ['n11', 5],
    ],
  ])
  expect(newest[28]).toMatchObject({ priceCents: 800_00, regularCents: 1_000_00 })
})

test('reads what is on sale in batches, all or a range of it', async ({ shop }) => {
  for (const id of ['a', 'b', 'deleted', 'c', 'd']) await shop.sells({ id })
  await removeInstrument(shop.deps, 'test', 'deleted')
  const batches = async (range?: Range, size = 2) => {
    const all: string[][] = []
    for await (const batch of readInBatches(shop.deps, range, size)) all.push(batch.map(({ id }) => id))
    return all
  }
  expect(await batches()).toEqual([['a', 'b'], ['c', 'd'], []])
  expect(await batches(undefined, 3)).toEqual([['a', 'b', 'c'], ['d']])
  expect(await batches({ after: 1, through: 4 })).toEqual([['b', 'c'], []])
  expect(await batches({ after: 4, through: null })).toEqual([['d']])
})
