import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { paymentAttempts } from '../../db/schema'
import type { Deps, PaymentKind } from '../deps'
import { Refusal } from '../refusal'

/** How long a hosted checkout stays open, in milliseconds: the provider takes 30 minutes to 24 hours. */
const checkoutTtl = 2 * 60 * 60 * 1000
/** An attempt that the provider never answered for is given up while it could still be opened as it was asked for. */
const openingTtl = 60 * 60 * 1000
/** When the cron trigger looks at an attempt that nothing was heard of: first after this, then later each time. */
const firstCheck = 5 * 60 * 1000
const maxInterval = 6 * 60 * 60 * 1000

/** Moments in milliseconds since 1970. */
export interface Attempt {
  orderId: string
  attempt: number
  kind: PaymentKind
  state: 'opening' | 'open' | 'closed'
  providerId: string | null
  url: string | null
  createdAt: number
  expiresAt: number
}

const attemptColumns = {
  orderId: paymentAttempts.orderId,
  attempt: paymentAttempts.attempt,
  kind: paymentAttempts.kind,
  state: paymentAttempts.state,
  providerId: paymentAttempts.providerId,
  url: paymentAttempts.url,
  createdAt: paymentAttempts.createdAt,
  expiresAt: paymentAttempts.expiresAt,
}

/** The order's attempt that is not closed, else its last one, or null. */
export async function findAttempt({ db }: Deps, orderId: string): Promise<Attempt | null> {
  const rows = await db
    .select(attemptColumns)
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(desc(paymentAttempts.attempt))
    .limit(1)
  return rows[0] ?? null
}

/** The attempt that the provider knows by this id, or null. */
export async function findAttemptById({ db }: Deps, providerId: string): Promise<Attempt | null> {
  const rows = await db.select(attemptColumns).from(paymentAttempts).where(eq(paymentAttempts.providerId, providerId))
  return rows[0] ?? null
}

/**
 * Begins an attempt, or joins the one that another tab has just begun: both then ask the provider for the same thing. Null when
 * another tab has just begun to pay in the other way. Refuses when the order can no longer be paid.
 */
export async function beginAttempt({ db, now }: Deps, orderId: string, kind: PaymentKind): Promise<Attempt | null> {
  const at = now()
  await db.run(sql`
    INSERT INTO payment_attempts (order_id, attempt, kind, created_at, expires_at, ask_at)
    SELECT o.id, 1 + (SELECT count(*) FROM payment_attempts WHERE order_id = o.id), ${kind}, ${at}, ${at + checkoutTtl},
      ${at + firstCheck}
    FROM orders o
    WHERE o.id = ${orderId} AND o.state = 'unpaid'
      AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = o.id AND state <> 'closed')`)
  const rows = await db
    .select(attemptColumns)
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), ne(paymentAttempts.state, 'closed')))
  const begun = rows[0]
  if (!begun) throw new Refusal('conflict', 'This order can no longer be paid.')
  return begun.kind === kind ? begun : null
}

/** Writes down what the provider has opened, unless the attempt was given up meanwhile; answers whether it stands. */
export async function markOpened(
  { db }: Deps,
  attempt: Attempt,
  opened: { id: string; url?: string },
): Promise<boolean> {
  await db
    .update(paymentAttempts)
    .set({ state: 'open', providerId: opened.id, url: opened.url })
    .where(and(isAttempt(attempt), eq(paymentAttempts.state, 'opening')))
  const rows = await db
    .select({ state: paymentAttempts.state })
    .from(paymentAttempts)
    .where(and(isAttempt(attempt), eq(paymentAttempts.providerId, opened.id)))
  return rows[0]?.state === 'open'
}

/** Closes an attempt: one that is `opening` only if nobody has opened it meanwhile. */
export async function closeAttempt({ db }: Deps, attempt: Attempt): Promise<void> {
  const unopened = attempt.state === 'opening' ? eq(paymentAttempts.state, 'opening') : undefined
  await db
    .update(paymentAttempts)
    .set({ state: 'closed' })
    .where(and(isAttempt(attempt), unopened))
}

/** True of an attempt that began so long ago that whoever began it is gone. */
export function isAbandoned({ now }: Deps, { createdAt }: Attempt): boolean {
  return now() > createdAt + openingTtl
}

/**
 * At most `limit` orders with an open attempt that it is time to ask the provider about. Each then waits for half the time
 * that it has been open, at least 5 minutes and at most 6 hours: a new one is looked at often, and old ones do not keep
 * others from being looked at.
 */
export async function claimAttemptsToCheck({ db, now }: Deps, limit: number): Promise<string[]> {
  const at = now()
  const rows = await db.all<{ order_id: string }>(sql`
    UPDATE payment_attempts
    SET ask_at = ${at} + max(${firstCheck}, min(${maxInterval}, CAST((${at} - created_at) / 2 AS INTEGER)))
    WHERE state = 'open' AND (order_id, attempt) IN (
      SELECT order_id, attempt FROM payment_attempts WHERE state = 'open' AND ask_at <= ${at} ORDER BY ask_at LIMIT ${limit}
    )
    RETURNING order_id`)
  return rows.map(({ order_id }) => order_id)
}

function isAttempt({ orderId, attempt }: Attempt) {
  return and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.attempt, attempt))
}
