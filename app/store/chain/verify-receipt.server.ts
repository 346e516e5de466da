import { sql } from 'drizzle-orm'
import type { Deps } from '../deps'
import { limits } from '../shared/limits'
import { prepareRateLimit } from '../shared/rate-limit.server'
import { codeLength } from './codes'
import { hashLink, sealedColumns, sealedJoins, type SealedEvent } from './links.server'
import { findContradictions } from './order-facts'
import { selectOrderFacts, type OrderRow } from './order-facts.server'

type ShownColumns = 'productName' | 'unitPriceCents' | 'quantity' | 'totalCents' | 'refundedCents' | 'shippedAt'

/** Nothing of a person. Amounts in cents, times in milliseconds since 1970. */
export interface VerifiedReceipt {
  number: number | null
  /** Null if the rows do not match the chain: then nothing of them is worth showing. `payment`: how its id ends. */
  order: (Pick<OrderRow, ShownColumns> & { paidAt: number; payment: string }) | null
  /** Of its link, and of the newest one. */
  position: number
  newest: number
  /** The order has events without a link yet. */
  isWaiting: boolean
}

interface LinkRow extends SealedEvent {
  position: number
  hash: string
  eventId: number
  code: string | null
  previous: string | null
}

/** Links before and after the receipt's, and at the end of the chain. */
const nearby = 2

/**
 * What anybody may know of the order whose receipt has this code, and whether it stands as it was sealed: the links of the order, those
 * beside the receipt's and the newest ones are computed again (decision 35). Null if there is no such code. Refuses too many questions
 * of one IP address. One round trip, whose rows grow with the events of the order only.
 */
export async function verifyReceipt(deps: Deps, code: string): Promise<VerifiedReceipt | null> {
  const { db, ip, report } = deps
  const limit = prepareRateLimit(deps, [{ key: `receipt:ip:${ip}`, ...limits.receiptChecksFromIp }])
  const orderId = sql`SELECT order_id FROM chain_links JOIN audit_log ON audit_log.id = event_id WHERE code = ${code}`
  const [count, links, [order], events, refunds, otherRefunds] = await db.batch([
    limit.statements[0]!,
    selectLinks(deps, code),
    ...selectOrderFacts(db, orderId),
  ])
  limit.requireFree([count])
  const receipt = links.find((link) => link.code === code)
  if (!receipt) return null
  const newest = links.at(-1)!
  const sealed = new Set(links.map(({ eventId }) => eventId))
  const open = events.filter(({ id }) => !sealed.has(id))
  const fits = await Promise.all(links.map(isWhole))
  const isProven =
    order?.orderId === receipt.orderId &&
    fits.every(Boolean) &&
    open.every(({ id }) => id > newest.eventId) &&
    findContradictions({ order, events, refunds, otherRefunds }).length === 0
  if (!isProven) report('receipt does not match', 'A row of its order or of the chain was changed', order?.orderId)
  return {
    number: order?.number ?? null,
    order: isProven ? shown(order) : null,
    position: receipt.position,
    newest: newest.position,
    isWaiting: open.length > 0,
  }
}

function shown(order: OrderRow): VerifiedReceipt['order'] {
  const { productName, unitPriceCents, quantity, totalCents, refundedCents, shippedAt, paidAt, transactionId } = order
  const payment = transactionId!.slice(-6)
  return { productName, unitPriceCents, quantity, totalCents, refundedCents, shippedAt, paidAt: paidAt!, payment }
}

async function isWhole(link: LinkRow): Promise<boolean> {
  const { position, previous, hash, code, eventId, event, id } = link
  if (id !== eventId || position > 1 !== (previous !== null)) return false
  const expected = await hashLink(previous ?? '', link)
  return hash === expected && code === (event === 'order paid' ? hash.slice(0, codeLength) : null)
}

/** In order of their positions. CROSS JOIN fixes the order of the tables: SQLite would read the whole chain. */
function selectLinks({ db }: Deps, code: string) {
  return db.all<LinkRow>(sql`
    WITH receipt AS (SELECT position, event_id FROM chain_links WHERE code = ${code}),
    wanted AS (
      SELECT link.position FROM receipt CROSS JOIN audit_log AS paid ON paid.id = receipt.event_id
        CROSS JOIN audit_log AS event ON event.order_id = paid.order_id
        CROSS JOIN chain_links AS link ON link.event_id = event.id
      UNION SELECT link.position FROM receipt CROSS JOIN chain_links AS link
        ON link.position BETWEEN receipt.position - ${nearby} AND receipt.position + ${nearby}
      UNION SELECT position FROM (SELECT position FROM chain_links ORDER BY position DESC LIMIT ${nearby}))
    SELECT link.position, link.hash, link.code, link.event_id AS eventId, previous.hash AS previous, ${sealedColumns}
    FROM wanted CROSS JOIN chain_links AS link ON link.position = wanted.position
      LEFT JOIN chain_links AS previous ON previous.position = link.position - 1
      LEFT JOIN audit_log AS event ON event.id = link.event_id ${sealedJoins}
    ORDER BY link.position`)
}
