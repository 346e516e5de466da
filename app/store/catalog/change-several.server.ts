import { and, asc, inArray, sql } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { idOf } from '../shared/ids.server'
import { formatCents } from '../shared/money'
import type { ManagedInstrument } from './instruments'
import { managed, managedColumns } from './instruments.server'
import { keepPrices, priorCents } from './prior-price.server'
import { fitsStock } from './manage-instruments.server'
import { byName } from './order-by-name.server'

/** For admins: those of these products that are on sale or hidden, by name. */
export async function findSeveral({ db, now }: Deps, ids: string[]): Promise<ManagedInstrument[]> {
  return db
    .select(managedColumns(now()))
    .from(instruments)
    .where(and(inArray(instruments.id, ids), managed))
    .orderBy(asc(byName), asc(instruments.id))
}

export interface QuickChange {
  id: string
  /** Of the product when the form was opened. */
  version: number
  priceCents: number
  /** Pieces more or fewer: what others have changed since stays. */
  stockChange: number
  /** In place of the first picture. */
  img?: string | undefined
}

/** Why a product is not as wanted, by its name. */
export interface NotChanged {
  name: string
  why: string
}

/**
 * Changes price, stock and picture of several products in one batch, and records each in the audit log. A price or picture of a product that
 * was changed since its `version`, a price that is not above that of its price breaks, and a stock below zero or above 1,000,000 pieces
 * are left out and returned; everything else is done. Idempotent by `submissionId`.
 */
export async function changeSeveral(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  changes: QuickChange[],
  submissionId: string,
): Promise<NotChanged[]> {
  if (changes.length === 0) return []
  const at = now()
  const keyed = await Promise.all(
    changes.map(async (change) => ({
      ...change,
      key: await idOf(JSON.stringify(['several', admin.id, submissionId, change.id, change.stockChange])),
    })),
  )
  const statements = keyed.flatMap(({ id, version, priceCents, stockChange, img = null, key }) => {
    const isPriceNew = sql`price_cents <> ${priceCents}`
    const isPictureNew = sql`(${img} IS NOT NULL AND img <> ${img})`
    const isOpen = sql`id = ${id} AND ${managed} AND version = ${version} AND (${isPriceNew} OR ${isPictureNew})
      AND ${lowestBreak} < ${priceCents}`
    const priced = sql`(SELECT id, ${priceCents} AS price_cents, sale_cents, sale_from_at, sale_until_at FROM instruments WHERE ${isOpen})`
    return [
      db.run(sql`
        INSERT INTO audit_log (at, event, actor, instrument_id, note)
        SELECT ${at}, 'instrument changed', ${admin.id}, id, concat_ws('; ',
          iif(${isPriceNew}, 'price ' || printf('$%,d.%02d', price_cents / 100, price_cents % 100) || ' → ' || ${formatCents(priceCents)}, NULL),
          iif(${isPictureNew}, 'picture', NULL))
        FROM instruments WHERE ${isOpen}`),
      ...keepPrices({ db }, at, priced),
      db.run(sql`
        UPDATE instruments SET price_cents = ${priceCents}, prior_cents = ${priorCents(at, priced)}, img = coalesce(${img}, img),
          version = version + 1 WHERE ${isOpen}`),
      ...(stockChange === 0
        ? []
        : [
            db.run(sql`
              INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note, submission_id)
              SELECT ${at}, 'stock counted', ${admin.id}, id, ${stockChange}, 'in the list', ${key} FROM instruments
              WHERE id = ${id} AND ${managed} AND available_quantity + ${stockChange} >= 0 AND (${stockChange} < 0 OR ${fitsStock(stockChange)})
                AND NOT EXISTS (SELECT 1 FROM audit_log WHERE submission_id = ${key})`),
          ]),
    ]
  })
  const after = db.all<After>(sql`
    SELECT id, name, price_cents AS priceCents, img, available_quantity AS stock, ${lowestBreak} AS lowestBreak
    FROM instruments WHERE ${inArray(
      instruments.id,
      keyed.map(({ id }) => id),
    )} AND ${managed}`)
  const counted = db.all<{ key: string }>(sql`
    SELECT submission_id AS key FROM audit_log WHERE submission_id IN (${sql.join(
      keyed.map(({ key }) => sql`${key}`),
      sql`, `,
    )})`)
  const [first, ...others] = statements
  const results: unknown[] = await db.batch([first!, ...others, after, counted])
  const [products, stored] = results.slice(-2) as [After[], { key: string }[]]
  invalidate('catalogue')
  return keyed.flatMap((change) => {
    const product = products.find(({ id }) => id === change.id)
    const why = whyNot(
      change,
      product,
      stored.some(({ key }) => key === change.key),
    )
    return why === null ? [] : [{ name: product?.name ?? change.id, why }]
  })
}

const lowestBreak = sql.raw(`coalesce(json_extract(price_breaks, '$[0].priceCents'), 0)`)

interface After {
  id: string
  name: string
  priceCents: number
  img: string
  stock: number
  lowestBreak: number
}

function whyNot(
  { priceCents, stockChange, img }: QuickChange,
  product: After | undefined,
  isCounted: boolean,
): string | null {
  if (!product) return 'It is deleted.'
  const reasons: string[] = []
  if (product.priceCents !== priceCents || (img !== undefined && product.img !== img))
    reasons.push(
      product.lowestBreak >= priceCents
        ? `The price must be above ${formatCents(product.lowestBreak)}, that of its price breaks.`
        : `Somebody has changed it since: it costs ${formatCents(product.priceCents)}.`,
    )
  if (stockChange !== 0 && !isCounted) reasons.push(`Its stock is ${product.stock}.`)
  return reasons.length > 0 ? reasons.join(' ') : null
}
