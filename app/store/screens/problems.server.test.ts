import { eq, sql } from 'drizzle-orm'
import { emails, health, unmatchedPayments } from '../../db/schema'
import { aPaidOrder } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { maxAttempts } from '../shared/limits'
import { bounds } from '../operations/health.server'
import { problemsShown, readProblems } from './problems.server'

test('names what waits for somebody, the latest first, and nothing in a shop where all is well', async ({ shop }) => {
  shop.skipInvariants('payments that never were')
  const { db } = shop.deps
  const now = Date.now()
  const deps = { ...shop.deps, now: () => now }
  await db.update(health).set({ cronFinishedAt: now - bounds.cron })
  const nothing = { disputes: [], failedEmails: [], owedRefunds: [], failedRefunds: [], unmatchedPayments: [] }
  expect(await readProblems(deps)).toEqual({ ...nothing, lowStock: 0, lateReaders: [], tasksLastRan: null })

  const order = await aPaidOrder(shop)
  await shop.sells({ stock: 1, minimum: 2 })
  await shop.readLog()
  await db.run(sql`UPDATE log_readers SET read_id = 0 WHERE name = 'sales figures'`)
  await db.update(emails).set({ attempts: maxAttempts, sentAt: null })
  const payment = (at: number) => ({ transactionId: `pi_${at}`, orderId: 'gone', amountCents: 500, foundAt: at })
  for (let at = 1; at <= problemsShown + 1; at++) await db.insert(unmatchedPayments).values(payment(at))
  await db
    .update(unmatchedPayments)
    .set({ refundId: 're_1', refundedAt: 99 })
    .where(eq(unmatchedPayments.transactionId, `pi_${problemsShown}`))
  const late = now + 2 * bounds.log
  await db.update(health).set({ cronFinishedAt: late - bounds.cron - 1 })
  const { failedEmails, unmatchedPayments: unmatched, ...rest } = await readProblems({ ...deps, now: () => late })
  expect(rest).toEqual({
    disputes: [],
    owedRefunds: [],
    failedRefunds: [],
    lowStock: 1,
    lateReaders: ['sales figures'],
    tasksLastRan: late - bounds.cron - 1,
  })
  expect(failedEmails.map(({ order: its }) => its?.id)).toContain(order.id)
  expect(unmatched.map(({ id }) => id)).toEqual([
    `pi_${problemsShown + 1}`,
    ...Array.from({ length: problemsShown - 1 }, (_, nth) => `pi_${problemsShown - 1 - nth}`),
  ])
})
