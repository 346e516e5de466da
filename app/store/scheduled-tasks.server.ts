import { deleteExpiredTokens } from './accounts/access-tokens.server'
import { deleteExpiredEmailTokens } from './accounts/users.server'
import { deleteOldMessages } from './contact.server'
import type { Deps } from './deps'
import { forgetIps } from './ordering/order-limits.server'
import { releaseExpiredHolds } from './ordering/holds.server'
import { deliverPendingEmails, forgetOldEmails } from './deliver-email.server'
import { deleteExpiredEvents } from './payments/webhook-events.server'
import { checkRefunds } from './payments/provider-refunds.server'
import { retryOrderRefunds } from './payments/order-refunds.server'
import { retryRefunds } from './payments/refunds.server'
import { deleteExpiredSessions } from './accounts/sessions.server'
import { reconcilePayments } from './payments/confirm-payment.server'
import { enqueueDailySummary } from './shop-emails.server'
import { CircuitBreaker } from './circuit-breaker'
import { deleteExpiredRateLimits } from './rate-limit.server'

/** A Worker may make a thousand subrequests in one run. */
const batchSize = 40

/** For the cron trigger. Continues after a failed task, and throws the errors at the end. */
export async function runScheduledTasks(deps: Deps): Promise<void> {
  const errors: unknown[] = []
  const [provider, database] = [new CircuitBreaker(deps.now), new CircuitBreaker(deps.now)]
  const tasks = [
    // First, because the payment tasks may be slow, and again below for the emails that they enqueue.
    () => deliverPendingEmails(deps),
    () => reconcilePayments(deps, batchSize, provider),
    () => releaseExpiredHolds(deps, batchSize, provider),
    () => retryRefunds(deps, batchSize, provider),
    () => checkRefunds(deps, provider),
    () => retryOrderRefunds(deps, batchSize, provider),
    () => enqueueDailySummary(deps),
    () => deliverPendingEmails(deps),
    () => deleteExpiredSessions(deps),
    () => deleteExpiredTokens(deps),
    () => deleteExpiredRateLimits(deps),
    () => deleteExpiredEmailTokens(deps),
    () => deleteExpiredEvents(deps),
    () => forgetIps(deps),
    () => forgetOldEmails(deps),
    () => deleteOldMessages(deps),
  ]
  for (const task of tasks) {
    if (database.isOpen) break
    const startedAt = deps.now()
    await task().catch((error: unknown) => {
      // Tasks handle provider errors themselves: this is a database timeout or a bug.
      database.record(startedAt)
      errors.push(error)
    })
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some scheduled tasks failed')
}
