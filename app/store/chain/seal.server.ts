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
 * statement appends to the links that it knows, or nothing; then this reads again. Two round trips for each batch, one if all have links.
 */
export async function sealEvents(deps: Deps, batches = 1): Promise<void> {
  for (let [left, tries] = [batches, maxTries]; left > 0 && tries > 0;) {
    const events = await selectUnsealed(deps.db)
    if (events.length === 0) return
    const { insertion } = await makeLinks(events)
    const { rowsAffected } = await deps.db.run(insertion)
    if (rowsAffected === 0) tries--
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

export interface NewLinks {
  /** Appends those that nobody has appended since, or none if the newest link is not one of these. */
  insertion: SQL
  /** What the receipts of these payments print, by the id of the event. */
  codes: Map<number, string>
  lastEvent: number
}

/** The links of events in order. Their hashes follow from the events alone: whoever seals them gets the same. */
export async function makeLinks(events: UnsealedEvent[]): Promise<NewLinks> {
  let [position, hash] = [events[0]?.headPosition ?? 0, events[0]?.headHash ?? '']
  const hashes = [hash]
  const links: [position: number, eventId: number, hash: string, code: string | null][] = []
  const codes = new Map<number, string>()
  for (const event of events) {
    hash = await hashLink(hash, event)
    const code = event.event === 'order paid' ? hash.slice(0, codeLength) : null
    if (code) codes.set(event.id, code)
    hashes.push(hash)
    links.push([++position, event.id, hash, code])
  }
  const insertion = sql`
    INSERT INTO chain_links (position, event_id, hash, code)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(links)})
    WHERE value ->> 0 > (SELECT coalesce(max(position), 0) FROM chain_links)
      AND coalesce((SELECT hash FROM chain_links ORDER BY position DESC LIMIT 1), '') IN (
        SELECT value FROM json_each(${JSON.stringify(hashes)}))
    ORDER BY key`
  return { insertion, codes, lastEvent: events.at(-1)?.id ?? 0 }
}

/** Of those of these events that are sealed. */
export async function readCodes({ db }: Deps, eventIds: number[]): Promise<Map<number, string>> {
  const rows = await db.all<{ id: number; code: string }>(
    sql`SELECT event_id AS id, code FROM chain_links WHERE code IS NOT NULL AND event_id IN ${eventIds}`,
  )
  return new Map(rows.map(({ id, code }) => [id, code]))
}
