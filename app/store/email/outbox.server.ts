import { sql, type SQL } from 'drizzle-orm'
import { emails, type storedEmailKinds } from '../../db/schema'
import type { Deps, Email } from '../deps'
import { renderEmail, type EmailContent } from './layout.server'

export interface StoredEmail extends Email {
  kind: (typeof storedEmailKinds)[number]
  /** The contact message, if it is about one. */
  aboutId?: string
}

/** `key`: a repeat produces the same one. */
export function writeEmail(kind: StoredEmail['kind'], key: string, content: Omit<EmailContent, 'id'>): StoredEmail {
  return { kind, ...renderEmail({ id: `${kind}:${key}`, ...content }) }
}

/** A statement for the batch that makes the email true, so that both happen or neither. */
export function enqueueEmail({ db, now }: Deps, email: StoredEmail) {
  const at = now()
  return db
    .insert(emails)
    .values({ ...email, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}

/** The same, only if the SQL condition holds when the statement runs. */
export function enqueueEmailIf(
  { db, now }: Deps,
  { id, kind, aboutId, recipient, subject, text, html }: StoredEmail,
  condition: SQL,
) {
  const at = now()
  return db.run(sql`
    INSERT INTO emails (id, kind, about_id, recipient, subject, text, html, created_at, due_at)
    SELECT ${id}, ${kind}, ${aboutId ?? null}, ${recipient}, ${subject}, ${text}, ${html}, ${at}, ${at} WHERE ${condition}
    ON CONFLICT DO NOTHING`)
}
