import { sql } from 'drizzle-orm'
import { expect, orderInput, test, type Store } from '../../../tests/support/store'
import { auditLog, dailySales, emails, logReaders } from '../../db/schema'
import { placeOrder } from '../ordering/place-order.server'
import { readers, runReaders, selectNews } from './run-readers.server'

const order = async (shop: Store) => placeOrder(shop.deps, await shop.customer(), orderInput(await shop.sells()))

const isBehind = async ({ deps }: Store) => (await selectNews(deps.db, deps.now()))[0]!.isBehind

test('has a cursor for each reader', async ({ shop }) => {
  const rows = await shop.deps.db.select().from(logReaders)
  expect(rows.map(({ name }) => name).sort()).toEqual(readers.map(({ name }) => name).sort())
})

test('reads 500 events at a time until there are no more, and each once by readers at the same time', async ({
  shop,
}) => {
  shop.skipInvariants('events of nothing')
  const { db } = shop.deps
  await order(shop)
  const event = { at: 1, event: 'note changed' as const, actor: 'test' }
  await db.insert(auditLog).values(Array.from({ length: 1_100 }, () => event))
  const newest = (await db.select().from(auditLog)).at(-1)!.id
  await runReaders(shop.deps, [selectNews(db, 1)])
  expect((await db.select().from(logReaders)).map(({ readId }) => readId)).toEqual(readers.map(() => 500))
  expect(await isBehind(shop)).toBe(1)
  await Promise.all([shop.readLog(), shop.readLog(), shop.readLog()])
  expect((await db.select().from(logReaders)).map(({ readId }) => readId)).toEqual(readers.map(() => newest))
  expect([await isBehind(shop), await db.$count(emails)]).toEqual([0, 1])
})

test('a reader that fails is reported, delays no other, and reads what it missed when it is mended', async ({
  shop,
}) => {
  shop.skipInvariants('payments that never were')
  const { db } = shop.deps
  await db.run(sql`CREATE TRIGGER broken BEFORE INSERT ON daily_sales BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  const { id } = await order(shop)
  await db.run(
    sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_1', moved_by = 'stripe' WHERE id = ${id}`,
  )
  for (let round = 1; round <= 2; round++) {
    await shop.readLog()
    expect([await db.$count(emails), await db.$count(dailySales), await isBehind(shop)]).toEqual([2, 0, 1])
  }
  expect(new Set(shop.reported)).toEqual(new Set(['reader of the log failed: sales figures']))
  await db.run(sql`DROP TRIGGER broken`)
  await shop.readLog()
  expect([await db.$count(emails), await db.select().from(dailySales), await isBehind(shop)]).toMatchObject([
    ...[2, [{ orders: 1 }], 0],
  ])
})

test('a reader whose cursor is set back reads the log again, and repeats nothing that has an id of its event', async ({
  shop,
}) => {
  await order(shop)
  await shop.readLog()
  const before = await shop.deps.db.select().from(emails)
  await shop.deps.db.run(sql`UPDATE log_readers SET read_id = 0`)
  await shop.readLog()
  expect(await shop.deps.db.select().from(emails)).toEqual(before)
})

test('throws what the database throws when it is away, without running each reader by itself', async ({ shop }) => {
  const { deps } = shop
  let calls = 0
  const batch = () => {
    calls += 1
    return Promise.reject(new Error('away'))
  }
  const away = { ...deps, db: Object.assign(Object.create(deps.db) as typeof deps.db, { batch }) }
  await expect(runReaders(away, [selectNews(deps.db, 1)])).rejects.toThrow('away')
  expect(calls).toBe(1)
})

test('begins with the few new events, however many orders and events there are', async ({ shop }) => {
  shop.skipInvariants('an EXPLAIN stays open on the connection')
  const { db } = shop.deps
  for (const { name, statements } of readers) {
    for (const statement of statements) {
      const plan = (await db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`)).map(({ detail }) => detail)
      const scans = plan.filter((line) =>
        /^SCAN (orders|instruments|audit_log|users|wishes|reviews|quotes|refund|later|paid)\b|AUTOMATIC/.test(line),
      )
      expect([name, scans]).toEqual([name, []])
    }
  }
})
