import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../../db/schema'
import type { Deps } from '../../deps'
import { hasWords } from '../../shared/full-text.server'
import { rowsFor } from '../../shared/pagination'
import { pick, searchedKeys } from '../fields'
import type { ManagedInstrument } from '../instruments'
import { managed, managedColumns } from '../instruments.server'
import { byName } from '../order-by-name.server'
import { managedWindow, type ProductQuery, type ProductState } from './managed-search'

/**
 * For admins, by words of the name, the brand, the id and the specification, which has the article number: a page of the products on sale and hidden ones that match. Without an index of the hidden ones, it looks at the first
 * `managedWindow` that were listed. `size` rows a page; `hasMore` says whether another follows.
 */
export async function searchManaged(
  deps: Deps,
  { q, family, state, sort, page }: ProductQuery,
  size: number,
): Promise<{ instruments: ManagedInstrument[]; hasMore: boolean }> {
  const at = deps.now()
  const columns = Object.values(pick(instruments, ['name', ...searchedKeys, 'id', 'attributes']))
  const texts = sql`concat_ws(' ', ${sql.join(columns, sql`, `)})`
  const rows = await deps.db
    .select(managedColumns(at))
    .from(instruments)
    .where(
      and(
        sql`instruments.rowid IN (SELECT number FROM (
          SELECT rowid AS number FROM instruments WHERE ${managed} ORDER BY listed_at, id LIMIT ${managedWindow}) AS "search_window")`,
        q === '' ? undefined : hasWords(texts, q),
        family ? eq(instruments.family, family) : undefined,
        state ? states[state](at) : undefined,
      ),
    )
    .orderBy(...orders[sort || 'listed'])
    .limit(rowsFor(size))
    .offset((page - 1) * size)
  return { instruments: rows.slice(0, size), hasMore: rows.length > size }
}

const available = (at: number) => managedColumns(at).availableQuantity

const states: Record<ProductState, (at: number) => SQL> = {
  'on-sale': () => sql`${instruments.hidden} = 0`,
  hidden: () => sql`${instruments.hidden} = 1`,
  'sold-out': (at) => sql`${available(at)} = 0`,
  // As on the overview.
  low: (at) =>
    sql`${instruments.hidden} = 0 AND ${available(at)} < coalesce(${instruments.lowStock} + 1, ${instruments.minQuantity})`,
}

const id = asc(instruments.id)
const orders: Record<'listed' | 'name' | 'price' | 'stock', SQL[]> = {
  listed: [asc(sql`+${instruments.listedAt}`), id],
  name: [asc(byName), id],
  price: [desc(instruments.priceCents), id],
  stock: [asc(instruments.availableQuantity), id],
}
