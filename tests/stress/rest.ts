import { hours, minutes } from './clock'
import { runScheduledTasks } from './store-commands'
import type { TestEnvironment } from './test-environment'

export async function rest(
  env: TestEnvironment,
  worker = env.worker(),
  pauses = [0, 10 * minutes, 3 * hours, env.holdMs, 10 * minutes, 3 * hours],
): Promise<void> {
  for (const pause of pauses) {
    env.clock.advance(pause)
    await runScheduledTasks(worker)
    // Tasks run in batches, so the next runs follow some minutes later.
    for (let left = await waiting(env), idle = false; left > 0 && !idle;) {
      env.clock.advance(minutes)
      await runScheduledTasks(worker)
      const now = await waiting(env)
      idle = now >= left
      left = now
    }
  }
}

async function waiting(env: TestEnvironment): Promise<number> {
  const now = env.clock.now()
  const [row] = await env.query(`SELECT
    (SELECT count(*) FROM emails WHERE sent_at IS NULL AND due_at <= ${now}) +
    (SELECT count(*) FROM orders WHERE state = 'unpaid' AND hold_until <= ${now}) +
    (SELECT count(*) FROM refunds WHERE refund_id IS NULL) +
    (SELECT count(*) FROM order_refunds WHERE refund_id IS NULL AND failed_at IS NULL) AS waiting`)
  return Number(row!.waiting)
}
