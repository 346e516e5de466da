import { eq, lt, sql, type SQL } from 'drizzle-orm'
import { webhookEvents } from '../../db/schema'
import type { Deps, ProviderEvent } from '../deps'
import { selectAttemptById } from './attempts.server'
import { handleDispute } from './disputes.server'
import { recordRefunds } from './provider-refunds.server'
import { recordUnmatchedRefunds } from './unmatched-payments.server'
import { handlePayment } from './confirm-payment.server'

/**
 * Handles a signed webhook event once. The state comes from the provider's API, not from the event, so the order of
 * events does not matter. Throws when handling fails: the provider then sends it again.
 */
export async function handleWebhookEvent(deps: Deps, event: ProviderEvent): Promise<void> {
  const { db, now } = deps
  const { about } = event
  if (!about) return
  const store = (condition: SQL) =>
    db.run(sql`
      INSERT INTO webhook_events (id, type, received_at) SELECT ${event.id}, ${event.type}, ${now()} WHERE ${condition}
      ON CONFLICT DO NOTHING`)
  const [, seen, [attempt]] = await db.batch([
    // Nothing is left to do for a payment that has paid its order.
    store(sql`EXISTS (SELECT 1 FROM orders WHERE transaction_id = ${about.id})`),
    db.select({ id: webhookEvents.id }).from(webhookEvents).where(eq(webhookEvents.id, event.id)),
    selectAttemptById(deps, about.id),
  ])
  if (seen.length > 0) return
  if (about.kind === 'refund') {
    const refund = await deps.payments.findRefund(about.id)
    if (refund) await recordRefunds(deps, [refund])
    if (refund) await recordUnmatchedRefunds(deps, [refund])
  } else if (about.kind === 'dispute') {
    await handleDispute(deps, about.id)
  } else if (await handlePayment(deps, { kind: about.kind, id: about.id }, attempt ?? null, store)) return
  await store(sql`true`)
}

/** 40 days: the provider retries an event for 3 days and lists it for 30. */
export async function deleteExpiredEvents({ db, now }: Deps): Promise<void> {
  await db.delete(webhookEvents).where(lt(webhookEvents.receivedAt, now() - 40 * 24 * 60 * 60 * 1000))
}
