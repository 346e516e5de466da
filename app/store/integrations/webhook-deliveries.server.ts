import { desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { webhookDeliveries, webhookEndpoints } from '../../db/schema'
import type { Deps, WebhookAnswer } from '../deps'
import { enqueueEmailIf } from '../email/outbox.server'
import { webhookOffEmail } from '../email/templates.server'
import { retention } from '../shared/limits'
import { rowsFor } from '../shared/pagination'
import { Refusal } from '../shared/refusal'
import { isArrived, sendSigned } from './sign-webhook.server'
import { selectEndpoints, toEndpoint, type WebhookEndpoint } from './webhooks.server'

const minute = 60_000
/** Before another Worker may try the same delivery. Longer than a run and its last answer take. */
const lease = minute
/** No delivery begins later in a run: a Worker may end 30 seconds after its response. */
const longestRun = 18_000
/** Posts under way in a run: a Worker has six connections, and one is for the database. */
const atOnce = 5
/** Milliseconds: who answers within them gets as many as there is room for, others one at a time. */
const quick = 1000
/** Milliseconds until a run that waits for answers looks whether there is more. */
const tick = 100
/** After so many failures of an endpoint in a row, a run leaves it alone. */
const maxFailures = 2
/** Minutes after each failed try; the last one again and again. */
const waits = [1, 5, 15, 60, 180, 360, 720]
export const longestTry = 3 * 24 * 60 * minute

const columns = {
  sequence: webhookDeliveries.sequence,
  id: webhookDeliveries.id,
  endpointId: webhookDeliveries.endpointId,
  payload: webhookDeliveries.payload,
  attempts: webhookDeliveries.attempts,
  firstTriedAt: webhookDeliveries.firstTriedAt,
  url: sql<string>`(SELECT url FROM webhook_endpoints WHERE webhook_endpoints.id = webhook_deliveries.endpoint_id)`,
  secret: sql<string>`(SELECT secret FROM webhook_endpoints WHERE webhook_endpoints.id = webhook_deliveries.endpoint_id)`,
}

type Claimed = Awaited<ReturnType<typeof claim>>[number]
interface Sent extends WebhookAnswer {
  claimed: Claimed
  at: number
  durationMs: number
}
type Part = ReturnType<Deps['db']['run']>

/** Of an endpoint in a run. */
interface Lane {
  underWay: number
  isQuick: boolean
  failures: number
  /** When it was its turn: who has waited longest comes first. */
  turn: number
}

/**
 * Posts what is due until nothing is left and `again` says no, or the run has taken 18 seconds. Each endpoint has a lane, so that none waits for the
 * answers of another: one post at a time, more to who answers quickly. The events of one order or product go out in their order: the next one waits until
 * the one before has arrived or is given up. A failed one waits longer each time, for three days; an endpoint to which nothing has arrived for three days is
 * switched off, and the shop gets an email. Safe to run in parallel: each delivery is leased in the statement that reads it, and a result counts only under
 * its own lease.
 */
export async function deliverWebhooks(deps: Deps, again: () => boolean = () => false): Promise<{ delivered: number }> {
  const startedAt = deps.now()
  const isOver = () => deps.now() > startedAt + longestRun
  const lanes = new Map<string, Lane>()
  const posts = new Set<Promise<void>>()
  let [delivered, turn] = [0, 0]
  const results: Part[] = []
  const post = async (claimed: Claimed, claimedAt: number) => {
    const lane = lanes.get(claimed.endpointId) ?? { underWay: 0, isQuick: false, failures: 0, turn }
    lanes.set(claimed.endpointId, lane)
    lane.turn = turn
    lane.underWay += 1
    const answer = await sendSigned(deps, { ...claimed, id: claimed.endpointId }, claimed)
    const sent = { claimed, at: deps.now(), ...answer }
    const hasArrived = isArrived(answer.status)
    lane.underWay -= 1
    lane.isQuick = hasArrived && answer.durationMs < quick
    lane.failures = hasArrived ? 0 : lane.failures + 1
    if (hasArrived) delivered += 1
    results.push(...(hasArrived ? arrived(deps, sent, claimedAt) : failed(deps, sent, claimedAt)))
  }
  for (let isDue = true; ;) {
    if (isDue && !isOver()) {
      turn += 1
      const claimedAt = deps.now()
      const rows = await claim(deps, claimedAt, results.splice(0), { lanes, room: atOnce - posts.size })
      for (const row of rows) {
        const sending = post(row, claimedAt).finally(() => posts.delete(sending))
        posts.add(sending)
      }
    }
    if (posts.size === 0) {
      isDue = results.length > 0 || again()
      if (isDue && !isOver()) continue
      const [first, ...others] = results
      if (first) await deps.db.batch([first, ...others])
      return { delivered }
    }
    const before = results.length
    await Promise.race([...posts, new Promise((resolve) => setTimeout(resolve, tick))])
    isDue = results.length > before || (posts.size < atOnce && again())
  }
}

/**
 * Leases what is due, one of each order or product, and at most as many as there is room for: one of an endpoint with no post under way, more of a quick one.
 * Stores the results of those before in the same batch.
 */
async function claim(
  { db }: Deps,
  at: number,
  results: Part[],
  { lanes, room }: { lanes: Map<string, Lane>; room: number },
) {
  const rooms = [...lanes].map(([id, { underWay, isQuick, failures, turn }]) => {
    const isBusy = underWay > 0 || failures >= maxFailures
    return { id, room: isBusy ? 0 : isQuick ? atOnce : 1, turn }
  })
  const oldest = (most: number) => sql`(
    SELECT sequence FROM webhook_deliveries AS own
    WHERE state = 'waiting' AND due_at <= ${at} AND lease_until <= ${at} AND own.endpoint_id = e.id
      AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries AS earlier
        WHERE earlier.state = 'waiting' AND earlier.endpoint_id = own.endpoint_id AND earlier.subject = own.subject
          AND earlier.sequence < own.sequence)
    ORDER BY due_at, sequence LIMIT ${most})`
  const due = sql`
    SELECT due.sequence FROM webhook_endpoints AS e
      LEFT JOIN json_each(${JSON.stringify(rooms)}) AS lane ON lane.value ->> 'id' = e.id
      JOIN webhook_deliveries AS due ON due.sequence IN ${oldest(atOnce)}
    WHERE coalesce(lane.value ->> 'room', 1) > 0 AND (lane.value ->> 'room' = ${atOnce} OR due.sequence IN ${oldest(1)})
    ORDER BY coalesce(lane.value ->> 'turn', 0), e.failing_since IS NOT NULL, due.due_at, due.sequence LIMIT ${room}`
  const leased = db
    .update(webhookDeliveries)
    .set({
      leaseUntil: at + lease,
      attempts: sql`attempts + 1`,
      firstTriedAt: sql`coalesce(first_tried_at, ${at})`,
    })
    .where(sql`sequence IN (${due})`)
    .returning(columns)
  const [first, ...others] = [...results, leased]
  const rows = (await db.batch([first, ...others])).at(-1)
  if (!Array.isArray(rows)) throw new Error('The last statement returns rows.')
  return rows.sort((one, other) => one.sequence - other.sequence)
}

/** A result counts only while nobody else has leased the delivery, and the endpoint is not off. */
function underLease({ sequence, attempts }: Claimed, claimedAt: number): SQL {
  return sql`sequence = ${sequence} AND attempts = ${attempts} AND lease_until = ${claimedAt + lease}`
}

function lastTry({ at, status, answer, durationMs }: Sent): SQL {
  return sql`lease_until = 0, tried_at = ${at}, status = ${status}, answer = ${answer}, duration_ms = ${durationMs}`
}

function arrived({ db }: Deps, sent: Sent, claimedAt: number): Part[] {
  const { claimed } = sent
  return [
    db.run(sql`
      UPDATE webhook_deliveries SET state = 'delivered', ${lastTry(sent)} WHERE ${underLease(claimed, claimedAt)}`),
    db.run(sql`
      UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${claimed.endpointId} AND failing_since IS NOT NULL`),
  ]
}

const gone = 410

function failed(deps: Deps, sent: Sent, claimedAt: number): Part[] {
  const { db, shopEmail, origin } = deps
  const { claimed, at, status } = sent
  const until = (claimed.firstTriedAt ?? at) + longestTry
  const wait = waits[Math.min(claimed.attempts, waits.length) - 1]! * minute
  const isGivenUp = at >= until
  // At the end of the three days once more.
  const dueAt = isGivenUp ? at : Math.min(at + wait, until)
  const { endpointId } = claimed
  const reason = status === gone ? 'It answered 410 Gone' : 'Nothing has arrived for three days'
  const isDead = sql`id = ${endpointId} AND state = 'on' AND ${status === gone ? sql`1` : sql`failing_since <= ${at - longestTry}`}`
  const email = webhookOffEmail({ id: `${endpointId}:${at}`, url: claimed.url, reason, origin, shopEmail })
  return [
    db.run(sql`
      UPDATE webhook_deliveries SET state = ${isGivenUp ? sql`'failed'` : sql`state`}, due_at = ${dueAt}, ${lastTry(sent)}
      WHERE ${underLease(claimed, claimedAt)}`),
    db.run(sql`
      UPDATE webhook_endpoints SET failing_since = ${claimedAt} WHERE id = ${endpointId} AND failing_since IS NULL`),
    enqueueEmailIf(deps, email, sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE ${isDead})`),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${at}, 'webhook switched off', 'shop', url FROM webhook_endpoints WHERE ${isDead}`),
    db.run(sql`UPDATE webhook_endpoints SET state = 'off', reason = ${reason} WHERE ${isDead}`),
  ]
}

/** Times in milliseconds since 1970. */
export interface WebhookDelivery {
  sequence: number
  id: string
  url: string
  type: string
  subject: string
  createdAt: number
  /** `held`: its endpoint is off. `failed`: given up after three days. */
  state: 'waiting' | 'held' | 'delivered' | 'failed'
  attempts: number
  dueAt: number
  triedAt: number | null
  /** Of the last try; null: there was no answer. */
  status: number | null
  answer: string
  durationMs: number | null
}

/** For the desk: all endpoints, and a page of deliveries, the newest first; `before` is the cursor. One round trip. */
export async function readWebhooks(
  { db }: Deps,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<{ endpoints: WebhookEndpoint[]; deliveries: WebhookDelivery[]; next: number | null }> {
  const { sequence, id, type, subject, createdAt, state, attempts, dueAt } = webhookDeliveries
  const { triedAt, status, answer, durationMs } = webhookDeliveries
  const shown = { sequence, id, type, subject, createdAt, state, attempts, dueAt, triedAt, status, answer, durationMs }
  const [endpoints, rows] = await db.batch([
    selectEndpoints(db),
    db
      .select({ ...shown, url: webhookEndpoints.url })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      // Always a bound: SQLite then searches from there, rather than scan.
      .where(lt(sequence, before ?? Number.MAX_SAFE_INTEGER))
      .orderBy(desc(sequence))
      .limit(rowsFor(limit)),
  ])
  const deliveries = rows.slice(0, limit)
  return {
    endpoints: endpoints.map(toEndpoint),
    deliveries,
    next: rows.length > limit ? deliveries.at(-1)!.sequence : null,
  }
}

export const WebhookRepeat = z.object({
  act: z.literal('again'),
  sequence: z.coerce.number().int().min(1),
  anchor: z.string().max(100).optional(),
})

/**
 * Sends a delivery again, under its id, or one that waits now; it is tried for three days anew. Safe beside a try that is under way. Refuses
 * what was deleted, and a delivery of an endpoint that is off.
 */
export async function sendWebhookAgain({ db, readLogSoon }: Deps, sequence: number): Promise<void> {
  const { rowsAffected } = await db.run(sql`
    UPDATE webhook_deliveries SET state = 'waiting', due_at = 0, first_tried_at = NULL
    WHERE sequence = ${sequence} AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = endpoint_id AND state = 'on')`)
  readLogSoon()
  if (rowsAffected === 0)
    throw new Refusal('conflict', 'Its endpoint is off. Send a test event first: an answer switches it on.')
}

/** For the cron trigger: deletes deliveries that are 14 days old, also those that were held. */
export async function deleteOldDeliveries({ db, now }: Deps): Promise<void> {
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, now() - retention.webhookDeliveries))
}
