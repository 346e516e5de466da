import { eq, sql } from 'drizzle-orm'
import { users } from '../../db/schema'
import { day } from '../shared/dates'
import type { Deps } from '../deps'
import { decrypt, encrypt } from '../shared/encryption.server'
import { maxEmailsPerRun, reviewEmails } from '../shared/limits'
import type { Language } from '../../i18n/language'

/** SQL: `orders` is shipped and kept, and `users`, who bought it, may be asked for a review of it at `at`. */
const mayAsk = (at: number) => sql`orders.state = 'shipped' AND orders.refunded_cents = 0
  AND users.review_email_after <= ${at} AND users.email_verified_at IS NOT NULL AND users.closed_at IS NULL
  AND (SELECT hidden FROM instruments WHERE id = orders.instrument_id) = 0
  AND NOT EXISTS (SELECT 1 FROM reviews WHERE user_id = users.id AND instrument_id = orders.instrument_id)`

/**
 * For the cron trigger, if the shop wants it: asks for a review `reviewDays` after an order was shipped, once for an order, and one
 * customer once in `reviewEmails.apart`; at most `maxEmailsPerRun`. The statement that writes the emails decides. Orders that were shipped
 * `reviewEmails.window` earlier are left alone: who switches this on does not write to everybody.
 */
export async function askForReviews({ db, now, reviewDays }: Pick<Deps, 'db' | 'now' | 'reviewDays'>): Promise<void> {
  if (reviewDays === 0) return
  const at = now()
  const until = at - reviewDays * day
  await db.batch([
    db.run(sql`
      INSERT INTO emails (id, kind, recipient, subject, text, html, created_at, due_at, about_id)
      SELECT 'review wanted:' || id, 'review wanted', email, '', '', '', ${at}, ${at}, id FROM (
        SELECT orders.id, users.email, min(orders.shipped_at) AS first
        FROM orders CROSS JOIN users ON users.id = orders.customer_id
        WHERE orders.shipped_at > ${until - reviewEmails.window} AND orders.shipped_at <= ${until} AND ${mayAsk(at)}
          AND NOT EXISTS (SELECT 1 FROM emails WHERE id = 'review wanted:' || orders.id)
        GROUP BY orders.customer_id)
      WHERE true ORDER BY first LIMIT ${maxEmailsPerRun}
      ON CONFLICT DO NOTHING`),
    // Those of the statement before.
    db.run(sql`
      UPDATE users SET review_email_after = ${at + reviewEmails.apart}
      WHERE review_email_after IS NOT NULL AND id IN (
        SELECT orders.customer_id FROM emails JOIN orders ON orders.id = emails.about_id
        WHERE emails.sent_at IS NULL AND emails.due_at = ${at} AND emails.kind = 'review wanted')`),
  ])
}

/** The order that an email asks for a review of; null if there is no reason to any more, or the shop wants no such emails. */
export async function findReviewable({ db, now, reviewDays }: Deps, orderId: string) {
  if (reviewDays === 0) return null
  // The email itself has put the next one off.
  const [order] = await db.all<
    Record<'customerId' | 'customerName' | 'productName' | 'instrumentId', string> & { language: Language }
  >(sql`
    SELECT customer_id AS customerId, customer_name AS customerName, product_name AS productName, instrument_id AS instrumentId, language
    FROM orders JOIN users ON users.id = orders.customer_id
    WHERE orders.id = ${orderId} AND ${mayAsk(now() + reviewEmails.apart)}`)
  return order ?? null
}

const tokenPurpose = 'review emails'

/** The link in the email, which ends such emails to a customer without a login. */
export async function reviewUnsubscribeLink(deps: Deps, customer: { id: string }): Promise<string> {
  const token = await encrypt(deps, new TextEncoder().encode(customer.id), tokenPurpose)
  return `${deps.origin}/unsubscribe?token=${token}`
}

const readToken = async (deps: Deps, token: string) => (await decrypt(deps, token, tokenPurpose))?.toString() ?? null

/** Whether the reader of the link still gets such emails; null if it is not one of ours. Changes nothing. */
export async function readReviewEmails(deps: Deps, token: string): Promise<{ areOn: boolean } | null> {
  const id = await readToken(deps, token)
  if (id === null) return null
  const [user] = await deps.db.select({ after: users.reviewEmailAfter }).from(users).where(eq(users.id, id))
  return user ? { areOn: user.after !== null } : null
}

/** Idempotent; false if the link is not one of ours. */
export async function endReviewEmails(deps: Deps, token: string): Promise<boolean> {
  const id = await readToken(deps, token)
  if (id === null) return false
  await deps.db.update(users).set({ reviewEmailAfter: null }).where(eq(users.id, id))
  return true
}
