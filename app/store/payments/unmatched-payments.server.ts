import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { unmatchedPayments, users } from '../../db/schema'
import type { Deps, Payment, ProviderRefund } from '../deps'
import { unmatchedPaymentEmail } from '../email/templates.server'
import { enqueueEmail } from '../email/outbox.server'
import { formatAmount } from '../shared/money'
import { Refusal } from '../shared/refusal'

/** Other shops and systems may use the same account: their payments have another shop in the metadata, or not what ours have. */
export function isOfThisShop({ origin }: Deps, { orderId, customerId, shop }: Payment): boolean {
  return orderId !== null && customerId !== null && (shop === null || shop === origin)
}

/**
 * Records a payment of this shop whose order it does not have, as owed to the customer, and emails the shop: once for each payment.
 * Nothing is refunded: the customer may want the instrument. Amounts in cents. Idempotent.
 */
export async function recordUnmatched(deps: Deps, payment: Payment): Promise<void> {
  const { db, now, report } = deps
  const { transactionId, orderId, amountCents } = payment
  const at = now()
  const [, inserted] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note) SELECT ${at}, 'payment without order', 'stripe', ${transactionId}
      WHERE NOT EXISTS (SELECT 1 FROM unmatched_payments WHERE transaction_id = ${transactionId})`),
    db
      .insert(unmatchedPayments)
      .values({ transactionId, orderId: orderId!, amountCents, foundAt: at })
      .onConflictDoNothing(),
    enqueueEmail(deps, await emailAbout(deps, payment)),
  ])
  if (inserted.rowsAffected === 0) return
  report('payment without order', `${transactionId} paid for the order ${orderId}, which the shop does not have.`)
}

/** Emails the shop about a payment that paid nothing after a restore. Once for each payment. */
export async function tellShop(deps: Deps, payment: Payment): Promise<void> {
  await enqueueEmail(deps, await emailAbout(deps, payment, true))
}

async function emailAbout({ db, origin, shopEmail }: Deps, payment: Payment, hasOrder = false) {
  const { transactionId, orderId, customerId, amountCents, currency } = payment
  const [customer] = await db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, customerId ?? ''))
  return unmatchedPaymentEmail({
    transactionId,
    amount: formatAmount(amountCents, currency),
    customerEmail: payment.customerEmail ?? customer?.email ?? null,
    orderId: orderId!,
    page: hasOrder ? `${origin}/dashboard/manageOrders/${orderId}` : `${origin}/dashboard`,
    hasOrder,
    shopEmail,
  })
}

/**
 * Refunds a recorded payment as a whole, when the shopkeeper has decided to. Idempotent: one that was refunded at the provider's site is
 * recorded. Refuses a payment that is not recorded as owed. Throws `ProviderError`.
 */
export async function refundUnmatched(deps: Deps, transactionId: string): Promise<{ refundId: string }> {
  const [row] = await deps.db.select().from(unmatchedPayments).where(eq(unmatchedPayments.transactionId, transactionId))
  if (!row) throw new Refusal('not-found', `${transactionId} is not a payment without an order.`)
  if (row.refundId !== null) return { refundId: row.refundId }
  const { refundId } = await deps.payments.refund(row)
  await recordRefunded(deps, transactionId, refundId, 'reconcile')
  return { refundId }
}

/** Records refunds that were made at the provider's site. A part leaves the rest owed. */
export async function recordUnmatchedRefunds(deps: Deps, found: ProviderRefund[]): Promise<void> {
  const made = found.filter(({ isFailed }) => !isFailed)
  const rows = await deps.db
    .select()
    .from(unmatchedPayments)
    .where(
      and(
        isNull(unmatchedPayments.refundId),
        inArray(
          unmatchedPayments.transactionId,
          made.map(({ transactionId }) => transactionId),
        ),
      ),
    )
  for (const { transactionId, amountCents } of rows) {
    const whole = made.find((refund) => refund.transactionId === transactionId && refund.amountCents === amountCents)
    if (whole) await recordRefunded(deps, transactionId, whole.refundId, 'stripe')
  }
}

async function recordRefunded(
  { db, now }: Deps,
  transactionId: string,
  refundId: string,
  actor: string,
): Promise<void> {
  const at = now()
  await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${at}, 'payment without order refunded', ${actor}, transaction_id FROM unmatched_payments
      WHERE transaction_id = ${transactionId} AND refund_id IS NULL`),
    db
      .update(unmatchedPayments)
      .set({ refundId, refundedAt: at })
      .where(and(eq(unmatchedPayments.transactionId, transactionId), isNull(unmatchedPayments.refundId))),
  ])
}
