import { eq, lt } from 'drizzle-orm'
import { webhookEvents } from '../../db/schema'
import type { Deps, ProviderEvent } from '../deps'
import { selectAttemptById } from './attempts.server'
import { recordRefunds } from './provider-refunds.server'
import { handlePayment } from './confirm-payment.server'

/**
 * Handles a signed webhook event once. The state comes from the provider's API, not from the event, so the order of
 * events does not matter. Throws when handling fails: the provider then sends it again.
 */
export async function handleWebhookEvent(deps: Deps, event: ProviderEvent): Promise<void> {
  const { db, now } = deps
  const { about } = event
  if (!about) return
  const [seen, [attempt]] = await db.batch([
    db.select({ id: webhookEvents.id }).from(webhookEvents).where(eq(webhookEvents.id, event.id)),
    selectAttemptById(deps, about.id),
  ])
  if (seen.length > 0) return
  if (about.kind === 'refund') {
    const refund = await deps.payments.findRefund(about.id)
    if (refund) await recordRefunds(deps, [refund])
  } else await handlePayment(deps, { kind: about.kind, id: about.id }, attempt ?? null)
  await db.insert(webhookEvents).values({ id: event.id, type: event.type, receivedAt: now() }).onConflictDoNothing()
}

/** 40 days: the provider retries an event for 3 days and lists it for 30. */
export async function deleteExpiredEvents({ db, now }: Deps): Promise<void> {
  await db.delete(webhookEvents).where(lt(webhookEvents.receivedAt, now() - 40 * 24 * 60 * 60 * 1000))
}
