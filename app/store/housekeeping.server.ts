import { forgetOldTokens } from './access-tokens.server'
import { forgetOldMailTokens } from './customers.server'
import type { Deps } from './deps'
import { releaseExpiredHolds } from './holds.server'
import { sendWaitingMail } from './outbox.server'
import { forgetOldEvents } from './provider-events.server'
import { makeOwedRefunds } from './refunds.server'
import { forgetOldSessions } from './sessions.server'
import { reconcilePayments } from './settling.server'
import { forgetOldTries } from './throttle.server'

/** How many of each the cron trigger takes on at a time: a Worker may make a thousand calls in one run. */
const most = 40

/** A task that fails after so many milliseconds has waited for something that does not answer: after two, the others would only wait as well. */
const silence = 5_000
const mostSilences = 2

/** What the cron trigger does every few minutes: each thing also when another one fails. Throws what failed, at the end. */
export async function keepHouse(
  deps: Pick<Deps, 'db' | 'now' | 'mail' | 'payments' | 'origin' | 'report' | 'changed'>,
): Promise<void> {
  const failed: unknown[] = []
  const tasks = [
    // Before what may wait long for the payment service, and again after it for what that wrote.
    () => sendWaitingMail(deps),
    () => reconcilePayments(deps, most),
    () => releaseExpiredHolds(deps, most),
    () => makeOwedRefunds(deps, most),
    () => sendWaitingMail(deps),
    () => forgetOldSessions(deps),
    () => forgetOldTokens(deps),
    () => forgetOldTries(deps),
    () => forgetOldMailTokens(deps),
    () => forgetOldEvents(deps),
  ]
  let silences = 0
  for (const task of tasks) {
    const begun = deps.now()
    try {
      await task()
    } catch (error) {
      failed.push(error)
      if (deps.now() - begun >= silence) silences += 1
    }
    if (silences === mostSilences) break
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Housekeeping was not all done')
}
