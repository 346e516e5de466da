import { sql, type SQL } from 'drizzle-orm'
import { inLanguage } from '../../i18n/language.server'
import { emails } from '../../db/schema'
import type { Deps, Email } from '../deps'
import { renderEmail, type EmailContent } from './layout.server'
import type { EmailKindName } from './words.server'

export interface StoredEmail extends Email {
  kind: StoredKind
  /** The contact message, if it is about one. */
  aboutId?: string
}

/** To the shop, which reads English, whoever's order or request they are about. */
const toShop = [
  'account-closed-shop',
  'contact',
  'daily summary',
  'refund-undone',
  'unmatched-payment',
  'webhook-off',
] as const

type StoredKind = EmailKindName | (typeof toShop)[number] | 'dispute' | 'test'

/** `key`: a repeat produces the same one. */
export function writeEmail(kind: StoredEmail['kind'], key: string, content: Omit<EmailContent, 'id'>): StoredEmail {
  const render = () => renderEmail({ id: `${kind}:${key}`, ...content })
  return { kind, ...(toShop.some((each) => each === kind) ? inLanguage('en', render) : render()) }
}

/** A statement for the batch that makes the email true, so that both happen or neither. Sent after the response. */
export function enqueueEmail({ db, now, readLogSoon }: Deps, email: StoredEmail) {
  const at = now()
  readLogSoon()
  return db
    .insert(emails)
    .values({ ...email, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}

/** The same, only if the SQL condition holds when the statement runs. */
export function enqueueEmailIf(
  { db, now, readLogSoon }: Deps,
  { id, kind, aboutId, recipient, subject, text, html }: StoredEmail,
  condition: SQL,
) {
  const at = now()
  readLogSoon()
  return db.run(sql`
    INSERT INTO emails (id, kind, about_id, recipient, subject, text, html, created_at, due_at)
    SELECT ${id}, ${kind}, ${aboutId ?? null}, ${recipient}, ${subject}, ${text}, ${html}, ${at}, ${at} WHERE ${condition}
    ON CONFLICT DO NOTHING`)
}
