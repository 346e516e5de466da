import { sql } from 'drizzle-orm'
import { anOrder } from '../../../tests/support/payments'
import { expect, test, type Store } from '../../../tests/support/store'
import journal from '../../../migrations/meta/_journal.json'
import { openDatabase } from '../../db/open.server'
import { auditLog, emails, health, orderRefunds, refunds } from '../../db/schema'
import { maxAttempts } from '../shared/limits'
import { bounds, checkDeeply, isHealthy } from './health.server'

test('reports a reachable database as healthy, and an unreachable one as unhealthy', async ({ shop }) => {
  expect(await isHealthy(shop.deps)).toBe(true)
  expect(await isHealthy({ ...shop.deps, db: openDatabase({ url: 'http://127.0.0.1:9' }) })).toBe(false)
})

async function migrated({ deps: { db } }: Store) {
  await db.run(sql`CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT, created_at NUMERIC)`)
  for (const { when } of journal.entries) {
    await db.run(sql`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('', ${when})`)
  }
}

const failedOf = async (deps: Store['deps']) =>
  Object.entries((await checkDeeply(deps)).checks).flatMap(([name, { ok }]) => (ok ? [] : [name]))

test('finds an old schema, and accepts one that is ahead of the code', async ({ shop }) => {
  await migrated(shop)
  const { db } = shop.deps
  expect(await failedOf(shop.deps)).toEqual([])
  await db.run(sql`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('', 9e15)`)
  expect(await failedOf(shop.deps)).toEqual([])
  const known = journal.entries.at(-1)!.when
  expect((await checkDeeply(shop.deps)).checks.schema).toMatchObject({ known, found: 9e15 })
  await db.run(sql`DELETE FROM __drizzle_migrations WHERE created_at >= ${known}`)
  expect(await failedOf(shop.deps)).toEqual(['schema'])
})

test('finds the event, the email, the refund and the cron run that are too old', async ({ shop }) => {
  await migrated(shop)
  const { db } = shop.deps
  shop.skipInvariants('the rows are the test’s own')
  const { id: orderId } = await anOrder(shop)
  await shop.readLog()
  await db.delete(emails)
  const start = Date.now()
  await db.insert(auditLog).values({ at: start, event: 'note changed', actor: 'test' })
  await db.update(health).set({ cronFinishedAt: start })
  const failedAfter = (ms: number) => failedOf({ ...shop.deps, now: () => start + ms })
  expect(await failedAfter(bounds.cron)).toEqual([])
  expect(await failedAfter(bounds.cron + 1)).toEqual(['log', 'cron'])
  await shop.readLog()
  expect(await failedAfter(bounds.cron + 1)).toEqual(['cron'])

  await db.update(health).set({ cronFinishedAt: start + 9 * bounds.refund })
  const email = {
    kind: 'test' as const,
    recipient: 'ada@example.com',
    subject: '',
    text: '',
    html: '',
    createdAt: start,
    dueAt: 9e15,
  }
  const old = { ...email, createdAt: 0 }
  await db.insert(emails).values([
    { ...email, id: 'waits' },
    { ...old, id: 'given up', attempts: maxAttempts },
    { ...old, id: 'sent', sentAt: 1 },
  ])
  expect(await failedAfter(bounds.email)).toEqual([])
  expect(await failedAfter(bounds.email + 1)).toEqual(['email'])
  const agesAfter = async (ms: number) => {
    const { checks } = await checkDeeply({ ...shop.deps, now: () => start + ms })
    return [checks.email!.oldestSeconds, checks.refund!.oldestSeconds]
  }
  expect([await agesAfter(1499), await agesAfter(1500), await agesAfter(-9000)]).toEqual([
    [1, null],
    [2, null],
    [0, null],
  ])

  await db.delete(emails)
  await db.insert(refunds).values({ transactionId: 'pi_made', orderId, amountCents: 1, createdAt: 0, refundId: 're_1' })
  await db.insert(refunds).values({ transactionId: 'pi_owed', orderId, amountCents: 1, createdAt: start })
  expect(await failedAfter(bounds.refund)).toEqual([])
  expect(await failedAfter(bounds.refund + 1)).toEqual(['refund'])
  expect(await db.select().from(orderRefunds)).toEqual([])
})

test('reports a write that the database refuses, and a database that is away', async ({ shop }) => {
  await migrated(shop)
  await shop.deps.db.run(sql`CREATE TRIGGER full BEFORE UPDATE ON health BEGIN SELECT RAISE(ABORT, 'full'); END`)
  const { checks, error } = await checkDeeply(shop.deps)
  expect([checks.write!.ok, checks.cron!.ok, (error as Error).cause]).toMatchObject([false, true, { message: /full/ }])
  let clock = 0
  const away = { ...shop.deps, db: openDatabase({ url: 'http://127.0.0.1:9' }), now: () => (clock += 100) }
  expect(await failedOf(away)).toEqual(['schema', 'write', 'log', 'email', 'refund', 'cron'])
  const { durationMs } = (await checkDeeply(away)).checks.cron!
  expect(durationMs).toBeGreaterThanOrEqual(100)
  expect(durationMs).toBeLessThan(1000 + 100)
})

test('takes a database for a replica that answers with an older value than was written', async ({ shop }) => {
  await migrated(shop)
  await shop.deps.db.run(sql`CREATE TRIGGER behind AFTER UPDATE ON health BEGIN UPDATE health SET checked_at = 1; END`)
  expect(await failedOf(shop.deps)).toEqual(['write'])
})
