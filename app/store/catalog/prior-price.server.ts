import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import { dayIn } from '../shared/dates.server'

/** Decision 54: a sale shows the lowest price of so many days before it. */
const days = 30

const [news, now] = ['news', 'instruments'].map((table) =>
  ['price_cents', 'sale_cents', 'sale_from_at', 'sale_until_at'].map((column) => `${table}.${column}`),
) as [string[], string[]]
const isChange = sql.raw(`(${news.join(', ')}) IS NOT (${now.join(', ')})`)
const isNewSale = sql.raw(
  '(news.sale_cents, news.sale_from_at) IS NOT (instruments.sale_cents, instruments.sale_from_at)',
)

/**
 * For the batch, before the UPDATE: keeps the prices that end with it. `changed` is SQL for FROM: the rows with `id`, and price and sale as they
 * will be. If the UPDATE is then refused, the prices kept are still those of that day.
 */
export function keepPrices({ db }: Pick<Deps, 'db'>, at: number, changed: SQL) {
  const from = sql`FROM ${changed} AS news CROSS JOIN instruments ON instruments.id = news.id`
  const today = dayIn(String(at))
  return [
    db.run(sql`
      INSERT INTO former_prices (instrument_id, day, price_cents)
      SELECT instruments.id, ${dayIn(`min(${at}, instruments.sale_until_at - 1)`)}, instruments.sale_cents ${from}
        WHERE instruments.sale_from_at <= ${at} AND ${isChange} AND (${isNewSale} OR instruments.sale_until_at <= ${at})
      UNION ALL SELECT instruments.id, ${today}, instruments.price_cents ${from} WHERE news.price_cents <> instruments.price_cents
      ON CONFLICT DO UPDATE SET price_cents = min(price_cents, excluded.price_cents)`),
    db.run(sql`
      DELETE FROM former_prices WHERE day < ${today} - ${days} AND instrument_id IN (SELECT news.id ${from} WHERE ${isChange})`),
  ] as const
}

/** SQL for the UPDATE that `keepPrices` stands before: the price to show beside the sale. */
export function priorCents(at: number, changed: SQL): SQL<number | null> {
  return sql<number | null>`(
    SELECT CASE
      WHEN NOT (${isChange} AND (${isNewSale} OR news.sale_from_at > ${at} OR instruments.sale_until_at <= ${at}))
        THEN instruments.prior_cents
      WHEN news.sale_cents IS NOT NULL THEN min(
        iif(news.sale_from_at > ${at}, news.price_cents, instruments.price_cents),
        coalesce((
          SELECT min(former.price_cents) FROM former_prices AS former
          WHERE former.instrument_id = news.id AND former.day >= ${dayIn(`max(news.sale_from_at, ${at})`)} - ${days}
        ), 99999999))
      END
    FROM ${changed} AS news WHERE news.id = instruments.id)`
}

/** A sale that begins later than its new instrument; one that begins with it has no price before it. */
export function firstPriorCents(
  { priceCents, saleFromAt }: { priceCents: number; saleFromAt: number | null },
  at: number,
) {
  return saleFromAt !== null && saleFromAt > at ? priceCents : null
}
