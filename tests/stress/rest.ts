import { hours, minutes } from './clock'
import { runScheduledTasks } from './store-commands'
import type { TestEnvironment } from './test-environment'

/** Lets the shop come to rest: the cron trigger runs until every wait, claim and hold is over. */
export async function rest(
  stand: TestEnvironment,
  worker = stand.worker(),
  pauses = [0, 10 * minutes, 3 * hours, stand.holdMs, 10 * minutes, 3 * hours],
): Promise<void> {
  for (const pause of pauses) {
    stand.clock.pass(pause)
    await runScheduledTasks(worker)
    // It takes on so many at a time: the next runs are a few minutes later, for as long as they get something done.
    for (let left = await waiting(stand), idle = false; left > 0 && !idle;) {
      stand.clock.pass(minutes)
      await runScheduledTasks(worker)
      const now = await waiting(stand)
      idle = now >= left
      left = now
    }
  }
}

/** How much there is to do for the cron trigger at this moment. */
async function waiting(stand: TestEnvironment): Promise<number> {
  const now = stand.clock.now()
  const [row] = await stand.query(`SELECT
    (SELECT count(*) FROM emails WHERE sent_at IS NULL AND due_at <= ${now}) +
    (SELECT count(*) FROM orders WHERE state = 'unpaid' AND hold_until <= ${now}) +
    (SELECT count(*) FROM refunds WHERE refund_id IS NULL) AS waiting`)
  return Number(row!.waiting)
}
