import { asc, gt, sql } from 'drizzle-orm'
import { auditLog, instruments, pages, reviews, users } from '../../db/schema'
import { pick, publicKeys } from '../catalog/fields'
import { managed } from '../catalog/instruments.server'
import type { Deps } from '../deps'

const batchSize = 500

/** Rows of an export of the whole shop, as texts and numbers; times in ISO 8601. */
export type ExportedRow = Record<string, string | number | null>

const time = (column: unknown) => sql<string | null>`strftime('%Y-%m-%dT%H:%M:%SZ', ${column} / 1000, 'unixepoch')`

/** All users without what proves who they are, by id. */
export function exportCustomers({ db }: Deps): AsyncGenerator<ExportedRow[], void> {
  const { id, email, name, role, address, phone, emailVerifiedAt, createdAt, closedAt } = users
  const columns = { id, email, name, role, address, phone }
  const times = { verified: time(emailVerifiedAt), registered: time(createdAt), closed: time(closedAt) }
  return inBatches((after) =>
    db
      .select({ ...columns, ...times })
      .from(users)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(batchSize),
  )
}

/** All reviews, hidden ones too, by id. */
export function exportReviews({ db }: Deps): AsyncGenerator<ExportedRow[], void> {
  const { id, userId, name, instrumentId, rating, description, reply, hiddenReason, hiddenAt, createdAt } = reviews
  return inBatches((after) =>
    db
      .select({
        id,
        userId,
        name,
        instrumentId,
        rating,
        description,
        reply,
        hiddenReason,
        hidden: time(hiddenAt),
        written: time(createdAt),
      })
      .from(reviews)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(batchSize),
  )
}

/** All products, hidden and deleted ones too, by id. */
export function exportProducts({ db }: Deps): AsyncGenerator<ExportedRow[], void> {
  const { id, slug, priceCents, saleCents, priorCents } = instruments
  return inBatches((after) =>
    db
      .select({
        ...{ id, slug, ...pick(instruments, publicKeys), priceCents, saleCents, priorCents },
        ...{ saleFrom: time(instruments.saleFromAt), saleUntil: time(instruments.saleUntilAt) },
        specification: sql<string>`attributes`,
        listed: time(instruments.listedAt),
        removed: time(instruments.removedAt),
        hidden: instruments.hidden,
      })
      .from(instruments)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(batchSize),
  )
}

/** The texts of the shopkeeper, drafts too, by id. */
export function exportPages({ db }: Deps): AsyncGenerator<ExportedRow[], void> {
  const { id, slug, title, body, footer, publishedTitle, publishedBody, publishedAt } = pages
  return inBatches((after) =>
    db
      .select({ id, slug, title, body, footer, publishedTitle, publishedBody, published: time(publishedAt) })
      .from(pages)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(batchSize),
  )
}

async function* inBatches<Row extends ExportedRow>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<ExportedRow[], void> {
  for (let after = ''; ;) {
    const rows = await read(after)
    yield rows
    if (rows.length < batchSize) return
    after = String(rows.at(-1)!.id)
  }
}

/** Records who took a copy of the whole shop. Refuses nothing: the caller has checked the admin. */
export async function recordExport({ db, now }: Deps, admin: { id: string }): Promise<void> {
  await db.insert(auditLog).values({ at: now(), event: 'shop exported', actor: admin.id })
}

/** The addresses of all uploaded pictures of products that are not deleted; each once. */
export async function listUploads({ db }: Deps): Promise<string[]> {
  const rows = await db.all<{ img: string }>(sql`
    SELECT img FROM instruments WHERE img LIKE '/pictures/%' AND ${managed}
    UNION SELECT value ->> 'img' FROM instruments, json_each(pictures) WHERE value ->> 'img' LIKE '/pictures/%' AND ${managed}`)
  return rows.map(({ img }) => img)
}
