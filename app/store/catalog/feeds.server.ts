import { and, asc, desc, gt, lte, max } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import type { Instrument } from './instruments'
import { instrumentColumns, onSale } from './instruments.server'

/** What sitemaps.org allows in one file. */
const sitemapSize = 50_000

/** The slugs of one sitemap, by the numbers that triggers give; `files` counts the sitemaps. Pages from 1. */
export async function readSitemap({ db }: Deps, page: number): Promise<{ slugs: string[]; files: number }> {
  const [rows, [last]] = await db.batch([
    db
      .select({ slug: instruments.slug })
      .from(instruments)
      .where(
        and(onSale, gt(instruments.searchId, (page - 1) * sitemapSize), lte(instruments.searchId, page * sitemapSize)),
      )
      .orderBy(asc(instruments.searchId)),
    db.select({ searchId: max(instruments.searchId) }).from(instruments),
  ])
  return { slugs: rows.map(({ slug }) => slug!), files: Math.ceil((last?.searchId ?? 0) / sitemapSize) }
}

/** The newest 30 on sale; `listedAt` in milliseconds since 1970. */
export async function readNewest({ db, now }: Deps): Promise<(Instrument & { listedAt: number })[]> {
  return db
    .select({ ...instrumentColumns(now()), listedAt: instruments.listedAt })
    .from(instruments)
    .where(onSale)
    .orderBy(desc(instruments.listedAt), desc(instruments.id))
    .limit(30)
}

/** All instruments on sale, in batches of `size`. */
export async function* readInBatches({ db, now }: Deps, size = 500): AsyncGenerator<Instrument[]> {
  let last: number | null = 0
  while (last !== null) {
    const rows = await db
      .select({ ...instrumentColumns(now()), searchId: instruments.searchId })
      .from(instruments)
      .where(and(onSale, gt(instruments.searchId, last)))
      .orderBy(asc(instruments.searchId))
      .limit(size)
    yield rows
    last = rows.length < size ? null : rows.at(-1)!.searchId
  }
}
