import { and, asc, inArray, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import { indexInstruments } from './search/index-instruments.server'
import type { Deps } from '../deps'
import { idOf } from '../shared/ids.server'
import { formatCents } from '../shared/money'
import type { ManagedInstrument } from './instruments'
import { availableAt, managed, managedColumns } from './instruments.server'
import { byName } from './order-by-name.server'
import { keepPrices, priorCents } from './prior-price.server'
import { fitsStock, stockErrors } from './manage-instruments.server'

/** For admins: those of these products that are on sale or hidden, by name. */
export async function findSeveral({ db, now }: Deps, ids: string[]): Promise<ManagedInstrument[]> {
  return db
    .select(managedColumns(now()))
    .from(instruments)
    .where(and(inArray(instruments.id, ids), managed))
    .orderBy(asc(byName), asc(instruments.id))
}

/** What is left out stays as it is. */
export interface BulkChange {
  instrumentId: string
  /** What the product must be for price and picture to change. */
  version?: number | undefined
  priceCents?: number | undefined
  /** In place of the first picture. */
  img?: string | undefined
  isHidden?: boolean | undefined
  /** Pieces more or fewer. */
  stockChange?: number | undefined
  /** What the stock must be before it changes. */
  expected?: number | undefined
  /** Of the change of the stock. */
  reason?: string | undefined
}

/** What has an event of its own; a price also stands for its picture. */
type Part = 'price' | 'hidden' | 'stock'

/** Why something of a change was not done; empty: all of it is as wanted. */
export type BulkErrors = Partial<Record<'instrument' | 'price' | 'stock', string>>

/** Rows of one transaction: other writers wait no longer than for a few orders. */
const rowsAtOnce = 100

interface Row extends BulkChange {
  keys: Record<Part, string>
}

/**
 * Changes price, first picture, stock and whether they are hidden of many products, and records each in the audit log. What cannot be done of a row is left out and
 * returned, in the order of `changes`; everything else is done. Of rows with the same product the first counts. Idempotent by `submissionId` and row. One round trip
 * for each 100 rows, and one before.
 */
export async function changeMany(
  deps: Deps,
  admin: { id: string },
  changes: BulkChange[],
  submissionId: string,
): Promise<BulkErrors[]> {
  const firstRows = new Map<string, number>()
  const rows: (Row | number)[] = await Promise.all(
    changes.map(async (change, index) => {
      const first = firstRows.get(change.instrumentId)
      if (first !== undefined) return first
      firstRows.set(change.instrumentId, index)
      const { priceCents, img, isHidden, stockChange, expected } = change
      const key = await idOf(JSON.stringify(['bulk', admin.id, submissionId, change.instrumentId]))
      const keyOf = (part: Part, ...values: unknown[]) => [key, part, ...values].join(' ')
      const keys = {
        price: keyOf('price', priceCents, img),
        hidden: keyOf('hidden', isHidden),
        stock: keyOf('stock', stockChange, expected),
      }
      return { ...change, keys }
    }),
  )
  const own = rows.filter((row) => typeof row !== 'number')
  const errors = new Map<Row, BulkErrors>()
  for (let start = 0; start < own.length; start += rowsAtOnce) {
    const part = own.slice(start, start + rowsAtOnce)
    for (const [index, each] of (await changePart(deps, admin, part)).entries()) errors.set(part[index]!, each)
  }
  if (own.length > 0) deps.invalidate('catalogue')
  return rows.map((row) =>
    typeof row === 'number' ? { instrument: `Row ${row + 1} has the same product.` } : errors.get(row)!,
  )
}

/** In one transaction, with one statement for all rows of each kind. */
async function changePart({ db, now }: Deps, { id: actor }: { id: string }, rows: Row[]): Promise<BulkErrors[]> {
  const at = now()
  const sent = sql`json_each(${JSON.stringify(rows)}) r`
  const isOf = sql`instruments.id = r.value ->> 'instrumentId'`
  const [price, img, isHidden, change] = [
    sql`coalesce(r.value ->> 'priceCents', price_cents)`,
    sql`coalesce(r.value ->> 'img', img)`,
    sql`r.value ->> 'isHidden'`,
    sql`r.value ->> 'stockChange'`,
  ]
  const isNew = sql`(price_cents, img) IS NOT (${price}, ${img})`
  const log = (what: Part, { event, delta, note, where }: Record<'event' | 'delta' | 'note' | 'where', SQL>) =>
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note, submission_id)
      SELECT ${at}, ${event}, ${actor}, instruments.id, ${delta}, ${note}, ${keyOf(what)}
      FROM ${sent} CROSS JOIN instruments ON ${isOf} AND ${managed}
      WHERE ${where} AND NOT EXISTS (SELECT 1 FROM audit_log WHERE submission_id = ${keyOf(what)})`)
  // By this request: an earlier one with the same key was at another time.
  const isLogged = (what: Part) =>
    sql`${isOf} AND EXISTS (SELECT 1 FROM audit_log WHERE submission_id = ${keyOf(what)} AND at = ${at})`
  const priced = sql`(SELECT instruments.id, ${price} AS price_cents, sale_cents, sale_from_at, sale_until_at
    FROM ${sent} CROSS JOIN instruments WHERE ${isLogged('price')})`
  const hideable = rows.filter((row) => row.isHidden !== undefined).map(({ instrumentId }) => instrumentId)
  const results: unknown[] = await db.batch([
    log('price', {
      event: sql`'instrument changed'`,
      delta: sql`0`,
      note: sql`concat_ws('; ', iif(price_cents <> ${price}, 'price ' || ${dollars(sql`price_cents`)} || ' → ' || ${dollars(price)}, NULL),
        iif(img <> ${img}, 'picture', NULL))`,
      where: sql`${isNew} AND ${lowestBreak} < ${price} AND version = coalesce(r.value ->> 'version', version)`,
    }),
    ...keepPrices({ db }, at, priced),
    db.run(sql`
      UPDATE instruments SET price_cents = ${price}, img = ${img}, prior_cents = ${priorCents(at, priced)}, version = version + 1
      FROM ${sent} WHERE ${isLogged('price')} AND ${isNew}`),
    log('hidden', {
      event: sql`iif(${isHidden}, 'instrument hidden', 'instrument shown')`,
      delta: sql`0`,
      note: sql`''`,
      where: sql`hidden <> ${isHidden}`,
    }),
    db.run(sql`
      UPDATE instruments SET hidden = ${isHidden}, removed_at = iif(${isHidden}, ${at}, NULL)
      FROM ${sent} WHERE ${isLogged('hidden')}`),
    ...(hideable.length > 0 ? indexInstruments(db, inArray(instruments.id, hideable)) : []),
    log('stock', {
      event: sql`'stock counted'`,
      delta: change,
      note: sql`r.value ->> 'reason'`,
      where: sql`${change} <> 0 AND available_quantity + ${change} >= 0 AND (${change} < 0 OR ${fitsStock(change)})
        AND coalesce(${availableAt(at)} = r.value ->> 'expected', TRUE)`,
    }),
    db.all<After>(sql`
      SELECT instruments.id, price_cents AS priceCents, img, available_quantity AS stock, ${availableAt(at)} AS available, ${lowestBreak} AS lowestBreak
      FROM ${sent} CROSS JOIN instruments ON ${isOf} AND ${managed}`),
    db.all<{ key: string }>(sql`
      SELECT submission_id AS key FROM ${sent} CROSS JOIN audit_log ON submission_id IN (${keyOf('price')}, ${keyOf('stock')})`),
  ])
  const [products, logged] = results.slice(-2) as [After[], { key: string }[]]
  const after = new Map(products.map((product) => [product.id, product]))
  const done = new Set(logged.map(({ key }) => key))
  return rows.map((row) => errorsOf(row, after.get(row.instrumentId), (part) => done.has(row.keys[part])))
}

const keyOf = (what: Part) => sql`r.value ->> ${sql.raw(`'$.keys.${what}'`)}`
const dollars = (cents: SQL) => sql`printf('$%,d.%02d', ${cents} / 100, ${cents} % 100)`
const lowestBreak = sql.raw(`coalesce(json_extract(price_breaks, '$[0].priceCents'), 0)`)

interface After {
  id: string
  priceCents: number
  img: string
  stock: number
  /** With the pieces of expired holds. */
  available: number
  lowestBreak: number
}

function errorsOf(row: Row, product: After | undefined, isDone: (part: Part) => boolean): BulkErrors {
  if (!product) return { instrument: 'This product is no longer on sale.' }
  const { priceCents = product.priceCents, img = product.img, stockChange, expected } = row
  const errors: BulkErrors = {}
  if ((priceCents !== product.priceCents || img !== product.img) && !isDone('price'))
    errors.price =
      product.lowestBreak >= priceCents
        ? `The price must be above ${formatCents(product.lowestBreak)}, that of its price breaks.`
        : `Somebody has changed it since: it costs ${formatCents(product.priceCents)}.`
  if (stockChange === undefined || isDone('stock')) return errors
  if (expected !== undefined && expected !== product.available) errors.stock = `The stock is ${product.available} now.`
  else if (stockChange < 0) errors.stock = stockErrors.tooFew(product.stock)
  else if (stockChange > 0) errors.stock = stockErrors.tooMany
  return errors
}
