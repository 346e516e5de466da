import { eq, inArray, sql } from 'drizzle-orm'
import { disputes, orders } from '../../db/schema'
import { CircuitBreaker } from '../shared/circuit-breaker'
import type { Deps, ProviderDispute } from '../deps'
import { disputeEmail } from '../email/templates.server'
import { enqueueEmail } from '../email/outbox.server'
import { formatTime } from '../shared/dates'
import { formatCents } from '../shared/money'
import { handlePayment } from './confirm-payment.server'
import { orderNumber } from '../orders/orders'
import { askUnlessAway, lookBack } from './payments.server'

/** For the cron trigger: learns of disputes whose events were lost. Asks once, for two weeks and for as long as one is undecided. */
export async function checkDisputes(deps: Deps, breaker = new CircuitBreaker(deps.now)): Promise<void> {
  const askedAt = deps.now()
  const [oldest] = await deps.db.all<{ since: number | null }>(
    sql`SELECT min(created_at) AS since FROM disputes WHERE state IN ('inquiry', 'open')`,
  )
  const since = Math.min(askedAt - lookBack, oldest?.since ?? askedAt)
  const ask = () => deps.payments.listDisputes(since)
  await recordDisputes(deps, await askUnlessAway(deps, breaker, 'disputes not checked', ask), askedAt)
}

/** For a webhook event about a dispute. The payment may not be recorded yet: events come in any order. Throws `ProviderError`. */
export async function handleDispute(deps: Deps, disputeId: string): Promise<void> {
  const askedAt = deps.now()
  const dispute = await deps.payments.findDispute(disputeId)
  if (!dispute) return
  const { transactionId } = dispute
  const [order] = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.transactionId, transactionId))
  if (!order) await handlePayment(deps, { kind: 'intent', id: transactionId })
  await recordDisputes(deps, [dispute], askedAt)
}

const events = {
  inquiry: 'inquiry opened',
  open: 'dispute opened',
  won: 'dispute won',
  lost: 'dispute lost',
  closed: 'dispute closed',
} as const

/**
 * Records what the provider says about disputes of orders, asked for it at `askedAt` (milliseconds): what it said to a later question stays.
 * The shop gets one email about an inquiry and one about a dispute. A lost one ends refunds that are still owed: the bank has paid the
 * customer. Idempotent. Disputes of payments that paid for no order are ignored: other shops may use the same account.
 */
export async function recordDisputes(deps: Deps, found: ProviderDispute[], askedAt: number): Promise<void> {
  if (found.length === 0) return
  const [paid, known] = await deps.db.batch([
    deps.db
      .select({ id: orders.id, number: orders.number, transactionId: orders.transactionId })
      .from(orders)
      .where(inArray(orders.transactionId, [...new Set(found.map(({ transactionId }) => transactionId))])),
    deps.db
      .select()
      .from(disputes)
      .where(
        inArray(
          disputes.id,
          found.map(({ disputeId }) => disputeId),
        ),
      ),
  ])
  for (const dispute of found) {
    const order = paid.find(({ transactionId }) => transactionId === dispute.transactionId)
    const before = known.find(({ id }) => id === dispute.disputeId)
    if (order && isNews(dispute, before)) await record(deps, order, dispute, askedAt)
  }
}

function isNews(dispute: ProviderDispute, before: typeof disputes.$inferSelect | undefined): boolean {
  const { disputeId: _, transactionId: __, ...said } = dispute
  return !before || Object.entries(said).some(([name, value]) => before[name as keyof typeof before] !== value)
}

async function record(
  deps: Deps,
  order: { id: string; number: number },
  { disputeId: id, transactionId: _, ...said }: ProviderDispute,
  askedAt: number,
): Promise<void> {
  const { db, now } = deps
  const row = { ...said, askedAt }
  const { state, dueBy } = said
  const [amount, reason] = [formatCents(said.amountCents), said.reason.replaceAll('_', ' ')]
  const isLatest = sql`NOT EXISTS (SELECT 1 FROM disputes WHERE id = ${id} AND asked_at > ${askedAt})`
  const of = sql`SELECT 1 FROM disputes WHERE order_id = ${order.id} AND state`
  await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, order_id, note) SELECT ${now()}, ${events[state]}, 'stripe', ${order.id}, ${`${amount}, ${reason}`}
      WHERE ${isLatest} AND NOT EXISTS (SELECT 1 FROM disputes WHERE id = ${id} AND state = ${state})`),
    db
      .insert(disputes)
      .values({ id, orderId: order.id, ...row })
      .onConflictDoUpdate({ target: disputes.id, set: row, setWhere: sql`${disputes.askedAt} <= ${askedAt}` }),
    db.run(sql`
      UPDATE orders SET dispute = CASE WHEN EXISTS (${of} = 'open') THEN 'open' WHEN EXISTS (${of} = 'lost') THEN 'lost'
        WHEN EXISTS (${of} = 'inquiry') THEN 'inquiry' WHEN EXISTS (${of} = 'won') THEN 'won' END
      WHERE id = ${order.id}`),
    db.run(sql`
      UPDATE order_refunds SET failed_at = ${now()}
      WHERE order_id = ${order.id} AND refund_id IS NULL AND failed_at IS NULL
        AND (SELECT dispute FROM orders WHERE id = ${order.id}) = 'lost'`),
    ...(state === 'won' || state === 'closed'
      ? []
      : [
          enqueueEmail(
            deps,
            disputeEmail({
              ...{ disputeId: id, state, number: orderNumber(order), amount, reason },
              dueBy: dueBy === null ? null : formatTime(dueBy),
              page: `${deps.origin}/dashboard/manageOrders/${order.id}`,
              shopEmail: deps.shopEmail,
            }),
          ),
        ]),
  ])
}
