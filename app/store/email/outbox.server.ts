import { sql, type SQL } from 'drizzle-orm'
import { emails } from '../../db/schema'
import type { Deps, Email } from '../deps'

/** A statement for the batch that makes the email true, so that both happen or neither. */
export function enqueueEmail({ db, now }: Deps, email: Email) {
  const at = now()
  return db
    .insert(emails)
    .values({ ...email, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}

/** The same, only if the SQL condition holds when the statement runs. */
export function enqueueEmailIf({ db, now }: Deps, { id, recipient, subject, text, html }: Email, condition: SQL) {
  const at = now()
  return db.run(sql`
    INSERT INTO emails (id, recipient, subject, text, html, created_at, due_at)
    SELECT ${id}, ${recipient}, ${subject}, ${text}, ${html}, ${at}, ${at} WHERE ${condition}
    ON CONFLICT DO NOTHING`)
}
