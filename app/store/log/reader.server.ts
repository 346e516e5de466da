import { sql, type SQL } from 'drizzle-orm'
import type { auditLog } from '../../db/schema'

/**
 * Makes something of the events of the audit log, each once and in their order, after the response (`runReaders`). A new one needs a row in
 * `log_readers`, in the migration that brings it: `read_id` says where it starts.
 */
export interface LogReader {
  name: string
  /** In one transaction with the step of its cursor. */
  statements: SQL[]
}

/**
 * `make` gets what stands after FROM, `event` being the rows of the audit log that this reader has not read. What it joins, it CROSS JOINs: SQLite
 * then begins with the few events, whatever its statistics say.
 */
export function logReader(name: string, make: (events: SQL) => SQL[]): LogReader {
  return {
    name,
    statements: make(
      sql`log_readers AS reader CROSS JOIN audit_log AS event
        ON reader.name = ${name} AND event.id > reader.read_id AND event.id <= reader.until_id`,
    ),
  }
}

/** SQL: `event` is one of these. The plus keeps SQLite from an index of its own over the whole log. */
export const isOne = (...names: (typeof auditLog.$inferSelect)['event'][]) => sql`+event.event IN ${names}`

/** So many events at a time, so that nobody waits long for the only writer. */
const eventsAtOnce = 500

/** SQL: some readers, or all; for the batch that reads. */
export const beginReading = (which: SQL) => sql`
  UPDATE log_readers SET until_id = coalesce(
    (SELECT max(id) FROM (SELECT id FROM audit_log WHERE id > read_id ORDER BY id LIMIT ${eventsAtOnce})), read_id)
  WHERE ${which}`

export const endReading = (which: SQL) => sql`UPDATE log_readers SET read_id = until_id WHERE ${which}`

/** SQL: a reader has not read the newest event. */
export const isBehind = sql`(SELECT min(read_id) FROM log_readers) < (SELECT max(id) FROM audit_log)`

interface EmailsOf {
  /** A repeat produces the same one. */
  id: SQL
  kind: SQL
  recipient: SQL
  aboutId?: SQL
  dueAt?: SQL
  /** Null: the email is not about it. */
  auditLogId?: SQL
  /** What stands after FROM, to the condition: one of its tables is `event`. */
  from: SQL
}

/** For a reader of the log: SQL that enqueues an email for each row of `from`. Its writer has the words when it is sent. */
export function emailsOf({
  id,
  kind,
  recipient,
  aboutId = sql`event.about_id`,
  dueAt = sql`event.at`,
  auditLogId = sql`event.id`,
  from,
}: EmailsOf): SQL {
  return sql`INSERT INTO emails (id, kind, recipient, subject, text, html, created_at, due_at, audit_log_id, about_id)
    SELECT ${id}, ${kind}, ${recipient}, '', '', '', event.at, ${dueAt}, ${auditLogId}, ${aboutId} FROM ${from} ON CONFLICT DO NOTHING`
}
