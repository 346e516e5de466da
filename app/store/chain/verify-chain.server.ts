import { sql } from 'drizzle-orm'
import type { Deps } from '../deps'
import { codeLength } from './codes'
import { hashLink, sealedColumns, sealedJoins, type SealedEvent } from './links.server'
import { findContradictions } from './order-facts'
import { selectOrderFacts } from './order-facts.server'
import type { Head } from './seal.server'

const pageSize = 1000
/** Ids of one finding. */
const mostIds = 20

export interface ChainReport {
  links: number
  orders: number
  /** Events without a link yet. */
  waiting: number
  head: Head | null
  /** Of the link that `head` begins; null if none is given, or if no link has it. */
  foundAt: number | null
}

/**
 * Computes every link again and compares every order with its events; calls `find` for each row that was changed, is missing or too
 * many. `head`: how the hash of a link begins that somebody wrote down. Reads in pages; the shop may be open.
 */
export async function verifyChain(
  deps: Deps,
  find: (finding: string) => void,
  head: string | null = null,
): Promise<ChainReport> {
  const links = await verifyLinks(deps, find, head)
  const orders = await verifyOrders(deps, find)
  return { ...links, orders }
}

/** Its event is null if it is gone. */
interface LinkRow extends Omit<SealedEvent, 'id' | 'event'> {
  id: number | null
  event: string | null
  position: number
  hash: string
  code: string | null
  eventId: number
  /** Ids of events between this link and the one before it. */
  skipped: string | null
}

async function verifyLinks({ db }: Deps, find: (finding: string) => void, wanted: string | null) {
  let [links, foundAt, head]: [number, number | null, Head | null] = [0, null, null]
  let lastEvent = 0
  for (;;) {
    const rows: LinkRow[] = await db.all<LinkRow>(sql`
      SELECT link.position, link.hash, link.code, link.event_id AS eventId, ${sealedColumns}, (
        SELECT group_concat(id, ', ') FROM (
          SELECT id FROM audit_log WHERE id < link.event_id AND id > coalesce(
            (SELECT event_id FROM chain_links AS earlier WHERE earlier.position < link.position ORDER BY position DESC LIMIT 1), 0)
          ORDER BY id LIMIT ${mostIds})) AS skipped
      FROM (SELECT * FROM chain_links WHERE position > ${head?.position ?? 0} ORDER BY position LIMIT ${pageSize}) AS link
        LEFT JOIN audit_log AS event ON event.id = link.event_id ${sealedJoins}
      ORDER BY link.position`)
    const previous: (Head | null)[] = [head, ...rows]
    const hashes = await Promise.all(
      rows.map((row, index) => hashLink(previous[index]?.hash ?? '', row as SealedEvent)),
    )
    for (const [index, row] of rows.entries()) {
      const before = previous[index]?.position ?? 0
      if (row.position !== before + 1) find(`links ${before + 1} to ${row.position - 1} are gone`)
      if (row.skipped !== null) find(`before ${nameOf(row)}: events without a link: ${row.skipped}`)
      if (row.eventId <= lastEvent) find(`${nameOf(row)}: its event is older than the one before it`)
      const code = row.event === 'order paid' ? row.hash.slice(0, codeLength) : null
      if (row.id === null) find(`${nameOf(row)}: its event is gone`)
      else if (row.hash !== hashes[index]) find(`${nameOf(row)}: its rows, or the link before it, were changed`)
      else if (row.code !== code) find(`${nameOf(row)}: its code was changed`)
      if (wanted !== null && row.hash.startsWith(wanted)) foundAt = row.position
      lastEvent = row.eventId
    }
    links += rows.length
    const last = rows.at(-1)
    if (last) head = { position: last.position, hash: last.hash }
    if (rows.length < pageSize) break
  }
  const [left] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM audit_log WHERE id > ${lastEvent}`)
  return { links, foundAt, head, waiting: left!.count }
}

function nameOf({ position, eventId, event, number, orderId, note, amountCents }: LinkRow): string {
  const order = number === null ? (orderId ?? '') : `C-${number} (${orderId})`
  const refund = amountCents === null ? '' : `, refund ${note}`
  return `link ${position}, event ${eventId} "${event ?? '?'}"${order && `, order ${order}`}${refund}`
}

async function verifyOrders({ db }: Deps, find: (finding: string) => void): Promise<number> {
  let orders = 0
  for (let after = 0; ;) {
    const [last] = await db.all<{ rowid: number }>(sql`
      SELECT max(rowid) AS rowid FROM (SELECT rowid FROM orders WHERE rowid > ${after} ORDER BY rowid LIMIT ${pageSize})`)
    if (!last?.rowid) return orders
    const [rows, ...others] = await db.batch(
      selectOrderFacts(db, sql`SELECT id FROM orders WHERE rowid > ${after} AND rowid <= ${last.rowid}`),
    )
    const [events, refunds, otherRefunds] = [byOrder(others[0]), byOrder(others[1]), byOrder(others[2])]
    for (const order of rows) {
      const of = <T>(groups: Map<string, T[]>) => groups.get(order.orderId) ?? []
      const facts = { order, events: of(events), refunds: of(refunds), otherRefunds: of(otherRefunds) }
      for (const wrong of findContradictions(facts)) find(`order C-${order.number} (${order.orderId}): ${wrong}`)
    }
    orders += rows.length
    after = last.rowid
  }
}

function byOrder<T extends { orderId: string }>(rows: T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(row.orderId)
    if (group) group.push(row)
    else groups.set(row.orderId, [row])
  }
  return groups
}
