import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { orders, paymentAttempts } from '../../db/schema'
import type { Deps, PaymentKind } from '../deps'
import { maxPaymentAttempts } from '../shared/limits'
import { Refusal } from '../shared/refusal'

/** Milliseconds; Stripe allows 30 minutes to 24 hours. */
const checkoutTtl = 2 * 60 * 60 * 1000
/** Less than `checkoutTtl`, so that an abandoned attempt closes while its checkout could still open. */
const openingTtl = 60 * 60 * 1000
/** When the cron trigger first checks an open attempt, in milliseconds; each later check waits longer. */
const firstCheck = 5 * 60 * 1000
const maxInterval = 6 * 60 * 60 * 1000

/** Times in milliseconds since 1970. */
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

export async function findAttempt(deps: Deps, orderId: string): Promise<Attempt | null> {
  const rows = await selectAttempt(deps, orderId)
  return rows[0] ?? null
}

/** The latest one of the order. */
export function selectAttempt({ db }: Deps, orderId: string) {
  return db
    .select(attemptColumns)
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(desc(paymentAttempts.attempt))
    .limit(1)
}

export function selectAttemptById({ db }: Deps, providerId: string) {
  return db.select(attemptColumns).from(paymentAttempts).where(eq(paymentAttempts.providerId, providerId))
}

export async function findAttemptById(deps: Deps, providerId: string): Promise<Attempt | null> {
  const rows = await selectAttemptById(deps, providerId)
  return rows[0] ?? null
}

/**
 * Starts an attempt, or joins the open one of another tab: both then send the provider the same request. Null when the
 * open attempt is of the other kind. Refuses an order that can no longer be paid.
 */
export async function beginAttempt(deps: Deps, orderId: string, kind: PaymentKind): Promise<Attempt | null> {
  const [, [current], [order]] = await deps.db.batch([
    insertAttempt(deps, orderId, kind),
    selectAttempt(deps, orderId),
    deps.db.select({ state: orders.state }).from(orders).where(eq(orders.id, orderId)),
  ])
  if (current && current.state !== 'closed') return current.kind === kind ? current : null
  if (order?.state === 'unpaid') throw tooManyAttempts()
  throw new Refusal('conflict', 'This order can no longer be paid.')
}

/** For a batch: starts an attempt of an unpaid order unless one is not closed, or it has had too many. */
export function insertAttempt({ db, now }: Deps, orderId: string, kind: PaymentKind, condition: SQL = sql`true`) {
  const at = now()
  return db.run(sql`
    INSERT INTO payment_attempts (order_id, attempt, kind, created_at, expires_at, ask_at)
    SELECT orders.id, 1 + (SELECT count(*) FROM payment_attempts WHERE order_id = orders.id), ${kind}, ${at}, ${at + checkoutTtl},
      ${at + firstCheck}
    FROM orders
    WHERE orders.id = ${orderId} AND orders.state = 'unpaid' AND ${condition}
      AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = orders.id AND state <> 'closed')
      AND (SELECT count(*) FROM payment_attempts WHERE order_id = orders.id) < ${maxPaymentAttempts}`)
}

export function tooManyAttempts(): Refusal {
  const message = 'You have tried to pay for this order too many times. Cancel it and order again.'
  return new Refusal('conflict', message)
}

/** Stores the provider's id; false when the attempt was closed in the meantime. */
export async function markOpened(
  { db }: Deps,
  attempt: Attempt,
  opened: { id: string; url?: string },
): Promise<boolean> {
  const [, rows] = await db.batch([
    db
      .update(paymentAttempts)
      .set({ state: 'open', providerId: opened.id, url: opened.url })
      .where(and(isAttempt(attempt), eq(paymentAttempts.state, 'opening'))),
    db
      .select({ state: paymentAttempts.state })
      .from(paymentAttempts)
      .where(and(isAttempt(attempt), eq(paymentAttempts.providerId, opened.id))),
  ])
  return rows[0]?.state === 'open'
}

/** Closes an attempt; one that was `opening` when read stays open if another tab has opened it since. */
export async function closeAttempt(deps: Deps, attempt: Attempt): Promise<void> {
  await updateClosed(deps, attempt)
}

export function updateClosed({ db }: Deps, attempt: Attempt, condition?: SQL) {
  const unopened = attempt.state === 'opening' ? eq(paymentAttempts.state, 'opening') : undefined
  return db
    .update(paymentAttempts)
    .set({ state: 'closed' })
    .where(and(isAttempt(attempt), unopened, condition))
}

export function isAbandoned({ now }: Deps, { createdAt }: Attempt): boolean {
  return now() > createdAt + openingTtl
}

/**
 * Claims at most `limit` orders whose open attempt is due for a check. The next check is after half of the attempt's
 * age, from 5 minutes to 6 hours, so that old attempts do not delay new ones.
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
