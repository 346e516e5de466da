import { deleteExpiredTokens } from './accounts/access-tokens.server'
import { deleteExpiredEmailTokens } from './accounts/users.server'
import type { Deps } from './deps'
import { releaseExpiredHolds } from './ordering/holds.server'
import { deliverPendingEmails } from './deliver-email.server'
import { deleteExpiredEvents } from './payments/webhook-events.server'
import { retryRefunds } from './payments/refunds.server'
import { deleteExpiredSessions } from './accounts/sessions.server'
import { reconcilePayments } from './payments/confirm-payment.server'
import { CircuitBreaker } from './circuit-breaker'
import { deleteExpiredRateLimits } from './rate-limit.server'

/** How many of each the cron trigger takes on at a time: a Worker may make a thousand calls in one run. */
const batchSize = 40

/** What the cron trigger does every few minutes: each thing also when another one fails. Throws what failed, at the end. */
export async function runScheduledTasks(deps: Deps): Promise<void> {
  const failed: unknown[] = []
  const [provider, database] = [new CircuitBreaker(deps.now), new CircuitBreaker(deps.now)]
  const tasks = [
    // Before what may wait long for the payment service, and again after it for what that wrote.
    () => deliverPendingEmails(deps),
    () => reconcilePayments(deps, batchSize, provider),
    () => releaseExpiredHolds(deps, batchSize, provider),
    () => retryRefunds(deps, batchSize, provider),
    () => deliverPendingEmails(deps),
    () => deleteExpiredSessions(deps),
    () => deleteExpiredTokens(deps),
    () => deleteExpiredRateLimits(deps),
    () => deleteExpiredEmailTokens(deps),
    () => deleteExpiredEvents(deps),
  ]
  for (const task of tasks) {
    if (database.isOpen) break
    const begun = deps.now()
    await task().catch((error: unknown) => {
      // What a provider does not answer is dealt with in the tasks: this one has waited for the database, or has a bug.
      database.note(begun)
      failed.push(error)
    })
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Housekeeping was not all done')
}
