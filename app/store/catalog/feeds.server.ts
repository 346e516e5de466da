import { and, asc, desc, gt, isNotNull, lte, max, sql } from 'drizzle-orm'
import { instruments, pages } from '../../db/schema'
import type { Deps } from '../deps'
import { maxImportBytes, maxImportLines } from '../shared/limits'
import { fieldOf, publicKeys } from './fields'
import type { Instrument } from './instruments'
import { instrumentColumns, onSale } from './instruments.server'

/** What sitemaps.org allows in one file. */
const sitemapSize = 50_000

/**
 * The slugs of one sitemap, by `search_id`, and of the shopkeeper's pages; `files` counts the sitemaps. `page` from 1.
 */
export async function readSitemap(
  { db }: Deps,
  page: number,
): Promise<{ slugs: string[]; texts: string[]; files: number }> {
  const [rows, [last], texts] = await db.batch([
    db
      .select({ slug: instruments.slug })
      .from(instruments)
      .where(
        and(onSale, gt(instruments.searchId, (page - 1) * sitemapSize), lte(instruments.searchId, page * sitemapSize)),
      )
      .orderBy(asc(instruments.searchId)),
    db.select({ searchId: max(instruments.searchId) }).from(instruments),
    db.select({ slug: pages.slug }).from(pages).where(isNotNull(pages.publishedAt)).orderBy(asc(pages.slug)),
  ])
  return {
    slugs: rows.map(({ slug }) => slug),
    texts: texts.map(({ slug }) => slug),
    files: Math.ceil((last?.searchId ?? 0) / sitemapSize),
  }
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

/** Numbers that triggers give, in the order of listing: after the one, through the other or to the end. */
export interface Range {
  after: number
  through: number | null
}

/** All instruments on sale, or those of a range, in batches that fit into memory. */
export async function* readInBatches(
  { db, now }: Deps,
  { after, through }: Range = { after: 0, through: null },
  size = 500,
): AsyncGenerator<Instrument[]> {
  let last: number | null = after
  while (last !== null) {
    const rows = await db
      .select({ ...instrumentColumns(now()), searchId: instruments.searchId })
      .from(instruments)
      .where(
        and(onSale, gt(instruments.searchId, last), through === null ? undefined : lte(instruments.searchId, through)),
      )
      .orderBy(asc(instruments.searchId))
      .limit(size)
    yield rows
    last = rows.length < size ? null : rows.at(-1)!.searchId
  }
}

/** A file that the import takes. `first` and `last` count the products on sale, from 1. */
export interface ExportPart extends Range {
  first: number
  last: number
}

/** Products in one row of the answer: a part ends between two of them. */
const blockSize = 100
/** Edits in a spreadsheet, and apostrophes before formulas, take some more. */
const partBytes = 0.75 * maxImportBytes
/** Of a line, beside its texts: numbers, separators, quotes. */
const otherBytes = 120

/**
 * The parts of an export of all instruments on sale: each has at most `maxImportLines` products and about three quarters of
 * `maxImportBytes` (decision 26). The parts are ranges, so that a product which is added or deleted meanwhile moves no other one into another
 * part. Empty without products. One round trip.
 */
export async function listExportParts({ db }: Deps): Promise<ExportPart[]> {
  // A quote is doubled.
  const texts = publicKeys.filter((key) => fieldOf(key).type !== 'count')
  const size = (['id', ...texts, 'attributes', 'alt', 'pictures'] as const)
    .map((key) => instruments[key].name)
    .map((name) => `coalesce(length(CAST(${name} AS BLOB)) + length(${name}) - length(replace(${name}, '"', '')), 0)`)
    .join(' + ')
  const blocks = await db.all<{ through: number; products: number; bytes: number }>(sql`
    SELECT max(search_id) AS through, count(*) AS products, sum(bytes) AS bytes FROM (
      SELECT search_id, ${sql.raw(size)} + ${otherBytes} AS bytes,
        (row_number() OVER (ORDER BY search_id) - 1) / ${blockSize} AS block
      FROM instruments WHERE removed_at IS NULL)
    GROUP BY block ORDER BY block`)
  const parts: ExportPart[] = []
  let bytes = 0
  for (const block of blocks) {
    const part = parts.at(-1)
    const isFull =
      !part || part.last - part.first + 1 + block.products > maxImportLines || bytes + block.bytes > partBytes
    const last = (part?.last ?? 0) + block.products
    if (isFull) parts.push({ first: (part?.last ?? 0) + 1, last, after: part?.through ?? 0, through: block.through })
    else Object.assign(part, { last, through: block.through })
    bytes = (isFull ? 0 : bytes) + block.bytes
  }
  const end = parts.at(-1)
  if (end) end.through = null
  return parts
}
