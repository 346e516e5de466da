import { eq, sql } from 'drizzle-orm'
import { dailyVisits, instruments, instrumentViews, orders } from '../../db/schema'
import { at, expect, orderInput, test } from '../../../tests/support/store'
import { placeOrder } from '../ordering/place-order.server'
import {
  dayOf,
  forgetVisits,
  readInstrumentWithDays,
  recordVisits,
  selectDays,
  selectMostViewed,
  type Visits,
} from './visits.server'

const noon = Date.UTC(2026, 10, 25, 12)
const today = dayOf(noon)

const visits = (viewsOf: Record<string, number>, { day = today, searches = 0 } = {}): Visits => ({
  ...{ day, searches, viewsOf: new Map(Object.entries(viewsOf)) },
  views: Object.values(viewsOf).reduce((sum, views) => sum + views, 0),
})

test('adds up the visits of a day, and makes no row for what is no instrument', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin' })
  const oboe = await shop.sells({ name: 'Oboe' })
  await recordVisits(shop.deps, visits({ violin: 2, kazoo: 1 }, { searches: 3 }))
  await recordVisits(shop.deps, visits({ violin: 1, oboe: 4 }))
  await recordVisits(shop.deps, visits({ oboe: 1 }, { day: today - 1 }))
  expect(await shop.deps.db.select().from(dailyVisits)).toEqual([
    { day: today - 1, views: 1, searches: 0 },
    { day: today, views: 8, searches: 3 },
  ])
  const rows = await shop.deps.db.select().from(instrumentViews)
  expect(new Set(rows)).toEqual(
    new Set([
      { day: today, instrumentId: violin, views: 3 },
      { day: today, instrumentId: oboe, views: 4 },
      { day: today - 1, instrumentId: oboe, views: 1 },
    ]),
  )
})

test('keeps the thousand most viewed instruments of a day', async ({ shop }) => {
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
    INSERT INTO instruments (id, name, slug, img, price_cents, min_quantity, listed_at)
    SELECT 'i' || i, 'Flute ' || i, 'flute-' || i, '/plates/flute-c.svg', 10000, 1, i FROM n`)
  const flutes = (from: number, to: number, views: number) =>
    Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [`flute-${from + index}`, views]))
  await recordVisits(shop.deps, visits(flutes(1, 900, 3)))
  await recordVisits(shop.deps, visits(flutes(901, 1300, 1), { day: today - 1 }))
  await recordVisits(shop.deps, visits(flutes(901, 1300, 1)))
  const rows = await shop.deps.db.select().from(instrumentViews).where(eq(instrumentViews.day, today))
  expect([rows.length, rows.filter(({ views }) => views === 3).length]).toEqual([1000, 900])
  expect((await selectDays(shop.deps, '2026-11'))[0]).toMatchObject({ day: today, views: 900 * 3 + 400 })
})

test('shows an instrument with its views and paid orders of 30 days, as an independent count does', async ({
  shop,
}) => {
  shop.skipInvariants('payments that never were')
  const [violin, oboe] = [
    await shop.sells({ name: 'Violin', stock: 100 }),
    await shop.sells({ name: 'Oboe', stock: 9 }),
  ]
  const begin = Date.UTC(2026, 9, 27)
  const paid: [id: string, paidAt: number | null, quantity: number][] = [
    [violin, begin - 1, 1],
    [violin, begin, 2],
    [violin, noon - 1, 3],
    [violin, noon - 2, 4],
    [violin, null, 5],
    [oboe, noon, 6],
  ]
  for (const [instrument, paidAt, quantity] of paid) {
    const { id } = await placeOrder(shop.deps, await shop.customer(), orderInput(instrument, quantity))
    if (paidAt !== null)
      await shop.deps.db
        .update(orders)
        .set({ state: 'paid', paidAt, transactionId: `pi_${id}`, movedBy: 'stripe' })
        .where(eq(orders.id, id))
  }
  for (const [day, views] of [
    [dayOf(begin) - 1, 100],
    [dayOf(begin), 10],
    [today - 3, 7],
    [today, 1],
  ] as const)
    await recordVisits(shop.deps, visits({ violin: views, oboe: 1 }, { day }))
  const found = await readInstrumentWithDays(at(shop, noon), violin)
  expect(found?.instrument.name).toBe('Violin')
  expect(found?.days).toEqual([
    { day: today, views: 1, orders: 2, pieces: 7 },
    { day: today - 3, views: 7, orders: 0, pieces: 0 },
    { day: dayOf(begin), views: 10, orders: 1, pieces: 2 },
  ])
  expect(await readInstrumentWithDays(at(shop, noon), 'kazoo')).toBeNull()
  // The report of the month: both ends of it, and what was sold beside what was seen.
  expect(await selectMostViewed(shop.deps, '2026-11')).toEqual([
    { id: violin, name: 'Violin', views: 8, orders: 2, pieces: 7 },
    { id: oboe, name: 'Oboe', views: 2, orders: 1, pieces: 6 },
  ])
  expect(await selectMostViewed(shop.deps, '2026-10', 1)).toMatchObject([
    { id: violin, views: 110, orders: 2, pieces: 3 },
  ])
  expect(await selectDays(shop.deps, '2026-11')).toEqual([
    { day: today, views: 2, searches: 0, orders: 3 },
    { day: today - 3, views: 8, searches: 0, orders: 0 },
  ])
})

test('forgets visits after twelve months, this one included', async ({ shop }) => {
  await shop.sells({ name: 'Violin' })
  const kept = dayOf(Date.UTC(2025, 11, 1))
  for (const day of [kept - 1, kept, today]) await recordVisits(shop.deps, visits({ violin: 1 }, { day }))
  await forgetVisits(at(shop, noon))
  for (const table of [dailyVisits, instrumentViews])
    expect((await shop.deps.db.select({ day: table.day }).from(table)).map(({ day }) => day).sort()).toEqual([
      kept,
      today,
    ])
  expect(await shop.deps.db.$count(instruments)).toBe(1)
})
