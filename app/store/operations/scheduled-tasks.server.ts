import { and, eq, lte } from 'drizzle-orm'
import { health } from '../../db/schema'
import { deleteExpiredTokens } from '../accounts/access-tokens.server'
import { deleteExpiredDrafts } from '../accounts/drafts.server'
import { deleteExpiredEmailTokens } from '../accounts/users.server'
import { forgetEmptySearches } from '../catalog/empty-searches.server'
import { forgetOldWishes } from '../catalog/wishes.server'
import { eraseOldOrders } from '../privacy/close-account.server'
import { deleteOldMessages } from '../email/contact.server'
import type { Deps } from '../deps'
import { forgetIps } from '../ordering/order-limits.server'
import { releaseExpiredHolds } from '../ordering/holds.server'
import { remindOfHolds } from '../ordering/remind-of-holds.server'
import { askForReviews } from '../reviews/review-emails.server'
import { readLog } from './run-readers.server'
import { deliverPendingEmails, forgetOldEmails } from './deliver-email.server'
import { deleteExpiredEvents } from '../payments/stripe-events.server'
import { storeSeller } from '../orders/receipts/invoices.server'
import { checkDisputes } from '../payments/disputes.server'
import { checkRefunds } from '../payments/provider-refunds.server'
import { retryOrderRefunds } from '../payments/order-refunds.server'
import { retryRefunds } from '../payments/stray-refunds.server'
import { deleteExpiredSessions } from '../accounts/sessions.server'
import { checkOpenPayments } from '../payments/confirm-payment.server'
import { enqueueDailySummary } from './shop-emails.server'
import { CircuitBreaker } from '../shared/circuit-breaker'
import { newId } from '../shared/ids.server'
import { deleteExpiredRateLimits } from '../shared/rate-limit.server'
import { forgetSubmissions } from '../shared/submissions.server'
import { deleteOldDeliveries, deliverWebhooks } from '../integrations/webhook-deliveries.server'

/** A Worker may make a thousand subrequests in one run. */
const batchSize = 40

/** In milliseconds. Cloudflare ends a run after 15 minutes, so a dead one has let go by then. */
const lease = 15 * 60_000

/**
 * For the cron trigger. Continues after a failed task, reports each, and throws their errors at the end. False if an
 * earlier run is still under way: then it does nothing.
 */
export async function runScheduledTasks(deps: Deps): Promise<boolean> {
  const run = newId()
  const reportTask = (name: string) => (error: unknown) => {
    deps.report('cron task failed', error, name)
    throw error
  }
  if (!(await begin(deps, run).catch(reportTask('begin')))) return false
  const errors: unknown[] = []
  const [provider, mail, database] = [
    new CircuitBreaker(deps.now),
    new CircuitBreaker(deps.now),
    new CircuitBreaker(deps.now),
  ]
  const tasks: [name: string, task: () => Promise<unknown>][] = [
    // First, because the payment tasks may be slow, and again below for the emails that they enqueue.
    ['deliver emails', () => deliverPendingEmails(deps, { breaker: mail })],
    ['check payments', () => checkOpenPayments(deps, batchSize, provider)],
    ['release holds', () => releaseExpiredHolds(deps, batchSize, provider)],
    ['refund payments', () => retryRefunds(deps, batchSize, provider)],
    ['check refunds', () => checkRefunds(deps, provider)],
    // Before the refunds of orders, of which a dispute may stop one.
    ['check disputes', () => checkDisputes(deps, provider)],
    ['refund orders', () => retryOrderRefunds(deps, batchSize, provider)],
    // After the payments and the holds: of what is paid or cancelled by now nobody is told.
    ['remind of holds', () => remindOfHolds(deps)],
    ['ask for reviews', () => askForReviews(deps)],
    // Also while the mail server is away.
    ['read the log', () => readLog(deps)],
    ['daily summary', () => enqueueDailySummary(deps)],
    ['deliver webhooks', () => deliverWebhooks(deps)],
    ['deliver emails again', () => deliverPendingEmails(deps, { breaker: mail })],
    // For the invoices of orders that were paid before there was a seller, as in the demo.
    ['store the seller', () => storeSeller(deps)],
    ['forget sessions', () => deleteExpiredSessions(deps)],
    ['forget drafts', () => deleteExpiredDrafts(deps)],
    ['forget tokens', () => deleteExpiredTokens(deps)],
    ['forget limits', () => deleteExpiredRateLimits(deps)],
    ['forget email tokens', () => deleteExpiredEmailTokens(deps)],
    ['forget events', () => deleteExpiredEvents(deps)],
    ['forget addresses', () => forgetIps(deps)],
    ['forget emails', () => forgetOldEmails(deps)],
    ['forget wishes', () => forgetOldWishes(deps)],
    ['forget submissions', () => forgetSubmissions(deps)],
    ['forget searches', () => forgetEmptySearches(deps)],
    ['forget webhooks', () => deleteOldDeliveries(deps)],
    ['forget messages', () => deleteOldMessages(deps)],
    ['forget customers', () => eraseOldOrders(deps)],
  ]
  for (const [name, task] of tasks) {
    if (database.isOpen) break
    const startedAt = deps.now()
    await task()
      .catch(reportTask(name))
      .catch((error: unknown) => {
        // Tasks handle provider errors themselves: this is a database timeout or a bug.
        database.record(startedAt)
        errors.push(error)
      })
  }
  await end(deps, run, errors.length === 0).catch(reportTask('end'))
  if (errors.length > 0) throw new AggregateError(errors, 'Some scheduled tasks failed')
  return true
}

/** One statement, so that of two runs at once only one begins. */
async function begin({ db, now }: Deps, run: string): Promise<boolean> {
  const at = now()
  const { rowsAffected } = await db
    .update(health)
    .set({ cronRun: run, cronStartedAt: at, cronLeaseUntil: at + lease })
    .where(and(eq(health.id, 1), lte(health.cronLeaseUntil, at)))
  return rowsAffected === 1
}

async function end({ db, now }: Deps, run: string, isWhole: boolean): Promise<void> {
  await db
    .update(health)
    .set({ cronLeaseUntil: 0, ...(isWhole && { cronFinishedAt: now() }) })
    .where(and(eq(health.id, 1), eq(health.cronRun, run)))
}
