import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.server'
import type { Deps } from '../deps'
import { codeLength } from './codes'
import { hashLink, sealedColumns, sealedJoins, type SealedEvent } from './links.server'

export interface Head {
  position: number
  hash: string
}

/** Events of one statement. */
const batchSize = 500
/** Others may append at the same time. */
const maxTries = 5

/**
 * Appends links for the events that have none, in order of their ids: at most `batches` times 500. Safe to run in parallel: a
 * statement appends to the link that was read, or nothing; then this reads again. Two round trips for each batch, one if all have links.
 */
export async function sealEvents(deps: Deps, batches = 1): Promise<void> {
  for (let [left, tries] = [batches, maxTries]; left > 0 && tries > 0;) {
    const events = await selectUnsealed(deps.db)
    if (events.length === 0) return
    if (!(await append(deps, events))) tries--
    else if (events.length < batchSize) return
    else left--
  }
}

/** The newest link; null if there is none yet. */
export async function findHead({ db }: Deps): Promise<Head | null> {
  const [head] = await db.all<Head>(sql`SELECT position, hash FROM chain_links ORDER BY position DESC LIMIT 1`)
  return head ?? null
}

/** What the receipt of an order prints; no row before its payment has a link. */
export function selectCode(db: Db, orderId: string) {
  return db.all<{ code: string }>(sql`
    SELECT code FROM chain_links
    WHERE event_id IN (SELECT id FROM audit_log WHERE order_id = ${orderId} AND event = 'order paid')`)
}

interface UnsealedEvent extends SealedEvent {
  headPosition: number | null
  headHash: string | null
}

/** At most 500 events without a link, in order, each with the newest link. */
export function selectUnsealed(db: Db) {
  const head = (column: string) => sql`(SELECT ${sql.raw(column)} FROM chain_links ORDER BY position DESC LIMIT 1)`
  return db.all<UnsealedEvent>(sql`
    SELECT ${head('position')} AS headPosition, ${head('hash')} AS headHash, ${sealedColumns}
    FROM (SELECT * FROM audit_log WHERE id > coalesce(${head('event_id')}, 0) ORDER BY id LIMIT ${batchSize}) AS event
    ${sealedJoins} ORDER BY event.id`)
}

/**
 * Seals these events, which the batch of a delivery has read, and reads the codes of those with these ids. One round trip, and two more each
 * time that another Worker has sealed since.
 */
export async function sealAndReadCodes(
  { db }: Deps,
  unsealed: UnsealedEvent[],
  eventIds: number[],
): Promise<Map<number, string>> {
  for (let [events, tries] = [unsealed, maxTries]; ; events = await selectUnsealed(db), tries--) {
    const insert = events.length > 0 ? await insertLinks(events) : sql`SELECT 1`
    const [{ rowsAffected }, rows] = await db.batch([
      db.run(insert),
      db.all<{ id: number; code: string }>(
        sql`SELECT event_id AS id, code FROM chain_links WHERE code IS NOT NULL AND event_id IN ${eventIds}`,
      ),
    ])
    const isLost = rowsAffected === 0 && rows.length < eventIds.length
    if (!isLost || tries === 1) return new Map(rows.map(({ id, code }) => [id, code]))
  }
}

async function append({ db }: Deps, events: UnsealedEvent[]): Promise<boolean> {
  const { rowsAffected } = await db.run(await insertLinks(events))
  return rowsAffected > 0
}

async function insertLinks(events: UnsealedEvent[]): Promise<SQL> {
  const { headPosition, headHash } = events[0]!
  let [position, hash] = [headPosition ?? 0, headHash ?? '']
  const links: [position: number, eventId: number, hash: string, code: string | null][] = []
  for (const event of events) {
    hash = await hashLink(hash, event)
    links.push([++position, event.id, hash, event.event === 'order paid' ? hash.slice(0, codeLength) : null])
  }
  return sql`
    INSERT INTO chain_links (position, event_id, hash, code)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(links)})
    WHERE (SELECT hash FROM chain_links ORDER BY position DESC LIMIT 1) IS ${headHash}
    ORDER BY key`
}
