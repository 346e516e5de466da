import { forgetOldTokens } from './accounts/access-tokens.server'
import { forgetOldMailTokens } from './accounts/users.server'
import type { Deps } from './deps'
import { releaseExpiredHolds } from './ordering/holds.server'
import { sendWaitingMail } from './deliver-email.server'
import { forgetOldEvents } from './payments/webhook-events.server'
import { makeOwedRefunds } from './payments/refunds.server'
import { forgetOldSessions } from './accounts/sessions.server'
import { reconcilePayments } from './payments/confirm-payment.server'
import { Silence } from './circuit-breaker'
import { forgetOldTries } from './rate-limit.server'

/** How many of each the cron trigger takes on at a time: a Worker may make a thousand calls in one run. */
const most = 40

/** What the cron trigger does every few minutes: each thing also when another one fails. Throws what failed, at the end. */
export async function keepHouse(
  deps: Deps,
): Promise<void> {
  const failed: unknown[] = []
  const [provider, database] = [new Silence(deps.now), new Silence(deps.now)]
  const tasks = [
    // Before what may wait long for the payment service, and again after it for what that wrote.
    () => sendWaitingMail(deps),
    () => reconcilePayments(deps, most, provider),
    () => releaseExpiredHolds(deps, most, provider),
    () => makeOwedRefunds(deps, most, provider),
    () => sendWaitingMail(deps),
    () => forgetOldSessions(deps),
    () => forgetOldTokens(deps),
    () => forgetOldTries(deps),
    () => forgetOldMailTokens(deps),
    () => forgetOldEvents(deps),
  ]
  for (const task of tasks) {
    if (database.isTaken) break
    const begun = deps.now()
    await task().catch((error: unknown) => {
      // What a provider does not answer is dealt with in the tasks: this one has waited for the database, or has a bug.
      database.note(begun)
      failed.push(error)
    })
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Housekeeping was not all done')
}
