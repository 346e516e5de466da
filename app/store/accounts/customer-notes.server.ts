import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { customerNotes } from '../../db/schema'
import type { Deps } from '../deps'
import { Refusal } from '../shared/refusal'
import { multiLine, optional } from '../shared/validation.server'

export const CustomerNote = z.object({
  note: optional(multiLine({ label: 'Note', required: 'Note must be text', max: 2000 })),
  /** When the note that the form showed was written, in milliseconds since 1970. */
  seen: z.coerce.number().int().optional(),
})

/**
 * Replaces the note of the shop about a customer (decision 52), or removes it where it is null; the audit log has who and when, not what.
 * Idempotent. Refuses a closed account, and a note that somebody has changed since `seen`.
 */
export async function writeCustomerNote(
  { db, now }: Deps,
  admin: { id: string },
  customerId: string,
  { note, seen }: z.output<typeof CustomerNote>,
): Promise<void> {
  const { customerId: id, writtenAt } = customerNotes
  const isSeen = sql`(SELECT written_at FROM ${customerNotes} WHERE customer_id = ${customerId}) IS ${seen ?? null}`
  const isChange = sql`(SELECT note FROM ${customerNotes} WHERE customer_id = ${customerId}) IS NOT ${note}`
  const write =
    note === null
      ? db.delete(customerNotes).where(and(eq(id, customerId), seen === undefined ? sql`false` : eq(writtenAt, seen)))
      : db.run(sql`
          INSERT INTO ${customerNotes} (customer_id, note, written_by, written_at)
          SELECT id, ${note}, ${admin.id}, ${now()} FROM users
          WHERE id = ${customerId} AND closed_at IS NULL AND ${isSeen} AND ${isChange}
          ON CONFLICT (customer_id) DO UPDATE
          SET note = excluded.note, written_by = excluded.written_by, written_at = excluded.written_at`)
  const log = db.run(sql`
    INSERT INTO audit_log (at, event, actor, user_id)
    SELECT ${now()}, 'customer note changed', ${admin.id}, id FROM users
    WHERE id = ${customerId} AND closed_at IS NULL AND ${isSeen} AND ${isChange}`)
  const stored = db.all<{ isStored: number; isClosed: number }>(sql`
    SELECT NOT ${isChange} AS isStored, closed_at IS NOT NULL AS isClosed FROM users WHERE id = ${customerId}`)
  const [, , [customer]] = await db.batch([log, write, stored])
  if (!customer) throw new Refusal('not-found', 'There is no such customer.')
  if (customer.isStored === 1) return
  if (customer.isClosed === 1) throw new Refusal('conflict', 'This account is closed.')
  throw new Refusal('conflict', 'Somebody has changed the note since. It stands above; save again to replace it.')
}
