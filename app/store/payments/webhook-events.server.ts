import { eq, lt } from 'drizzle-orm'
import { stripeEvents } from '../../db/schema'
import type { Deps, ProviderEvent } from '../deps'
import { noteUndoneRefund } from './refunds.server'
import { settlePayment } from './confirm-payment.server'

/**
 * Handles a signed event of the provider once. It says where to look; what is true is asked of the provider, so the
 * order and number of events do not matter. Throws when it could not be handled: the provider then sends it again.
 */
export async function receiveEvent(
  deps: Deps,
  event: ProviderEvent,
): Promise<void> {
  const { db, now } = deps
  const seen = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, event.id))
  if (seen.length > 0) return
  const { about } = event
  if (about?.kind === 'refund') await noteUndoneRefund(deps, about.id)
  else if (about) await settlePayment(deps, { kind: about.kind, id: about.id })
  await db.insert(stripeEvents).values({ id: event.id, type: event.type, receivedAt: now() }).onConflictDoNothing()
}

/** Forgets events that are older than the provider sends any again: it tries for 3 days, and lists them for 30. */
export async function forgetOldEvents({ db, now }: Deps): Promise<void> {
  await db.delete(stripeEvents).where(lt(stripeEvents.receivedAt, now() - 40 * 24 * 60 * 60 * 1000))
}
