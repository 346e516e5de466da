import { lt, sql } from 'drizzle-orm'
import { dailySales, dailyVisits, instrumentViews, monthlySales, orders } from '../../db/schema'
import type { Deps } from '../deps'
import { day as dayLength, monthStart, monthOf, readMonth } from '../shared/dates'
import { selectManagedInstrument } from './instruments.server'
import { visitMonths } from '../shared/limits'
import { daysShown, type DayOfInstrument, type DayOfShop, type ViewedInstrument } from './visits'

/** Of a day, since they were written last. */
export interface Visits {
  /** Days since 1970 (UTC). */
  day: number
  views: number
  searches: number
  /** By the slug of the instrument. */
  viewsOf: Map<string, number>
}

/** The day (UTC) of a time in milliseconds, as days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / dayLength)
}

/** Adds them in one transaction. A slug that no instrument has makes no row. Repeating it counts them twice. */
export async function recordVisits({ db }: Pick<Deps, 'db'>, { day, views, searches, viewsOf }: Visits): Promise<void> {
  await db.batch([
    db
      .insert(dailyVisits)
      .values({ day, views, searches })
      .onConflictDoUpdate({
        target: dailyVisits.day,
        set: { views: sql`views + excluded.views`, searches: sql`searches + excluded.searches` },
      }),
    db.run(sql`
      INSERT INTO instrument_views (day, instrument_id, views)
      SELECT ${day}, instruments.id, viewed.value FROM json_each(${JSON.stringify(Object.fromEntries(viewsOf))}) AS viewed
      JOIN instruments ON instruments.slug = viewed.key WHERE true
      ON CONFLICT (day, instrument_id) DO UPDATE SET views = views + excluded.views`),
  ])
}

/** Of the last 30 days (UTC), today included, those on which the instrument was viewed or an order of it was paid, the newest first. */
export function selectDaysOf({ db, now }: Pick<Deps, 'db' | 'now'>, instrumentId: string) {
  const today = dayOf(now())
  const first = today - daysShown + 1
  const days = Array.from({ length: daysShown }, (_, index) => first + index)
  return db.all<DayOfInstrument>(sql`
    SELECT day, sum(views) AS views, sum(orders) AS orders, sum(pieces) AS pieces FROM (
      SELECT day, views, 0 AS orders, 0 AS pieces FROM ${instrumentViews} WHERE day IN ${days} AND instrument_id = ${instrumentId}
      UNION ALL
      SELECT paid_at / ${sql.raw(String(dayLength))}, 0, 1, quantity FROM ${orders}
      WHERE instrument_id = ${instrumentId} AND paid_at >= ${first * dayLength}
    ) GROUP BY day ORDER BY day DESC`)
}

/** For admins: also of a hidden one. Null if there is none. */
export async function readInstrumentWithDays(deps: Deps, id: string) {
  const [[instrument], days] = await deps.db.batch([selectManagedInstrument(deps, id), selectDaysOf(deps, id)])
  return instrument ? { instrument, days } : null
}

/** The days of the month (such as `2026-11`) with a visit or a paid order, the newest first. */
export function selectDays({ db }: Pick<Deps, 'db'>, month: string) {
  const [first, end] = daysIn(month)
  return db.all<DayOfShop>(sql`
    SELECT day, sum(views) AS views, sum(searches) AS searches, sum(orders) AS orders FROM (
      SELECT day, views, searches, 0 AS orders FROM ${dailyVisits} WHERE day >= ${first} AND day < ${end}
      UNION ALL
      SELECT day, 0, 0, orders FROM ${dailySales} WHERE day >= ${first} AND day < ${end} AND orders > 0
    ) GROUP BY day ORDER BY day DESC`)
}

/** The instruments that were viewed in the month, the most viewed first, with what was sold of them in it. */
export function selectMostViewed({ db }: Pick<Deps, 'db'>, month: string, limit = -1) {
  const [first, end] = daysIn(month)
  return db.all<ViewedInstrument>(sql`
    SELECT viewed.id, instruments.name, viewed.views, coalesce(sold.orders, 0) AS orders, coalesce(sold.pieces, 0) AS pieces
    FROM (
      SELECT instrument_id AS id, sum(views) AS views FROM ${instrumentViews} WHERE day >= ${first} AND day < ${end} GROUP BY 1
    ) AS viewed
    JOIN instruments ON instruments.id = viewed.id
    LEFT JOIN ${monthlySales} AS sold ON sold.month = ${month} AND sold.instrument_id = viewed.id
    ORDER BY viewed.views DESC, instruments.name, viewed.id LIMIT ${limit}`)
}

/** The first day of the month, and that of the next one, as days since 1970. */
function daysIn(month: string): [first: number, end: number] {
  const read = readMonth(month) ?? 0
  return [dayOf(monthStart(read)), dayOf(monthStart(read + 1))]
}

/** For the cron trigger. */
export async function forgetVisits({ db, now }: Deps): Promise<void> {
  const first = dayOf(monthStart(monthOf(now()) - visitMonths + 1))
  await db.batch([
    db.delete(dailyVisits).where(lt(dailyVisits.day, first)),
    db.delete(instrumentViews).where(lt(instrumentViews.day, first)),
  ])
}
