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
const [batchSize, atOnce] = [20, 5]
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

/**
 * Posts what is due, oldest first, until nothing is left and `again` says no, or the run has taken 18 seconds. The events of one order or product go out in their
 * order: the next one waits until the one before has arrived or is given up. A failed one waits longer each time, for three days; an endpoint
 * to which nothing has arrived for three days is switched off, and the shop gets an email. Safe to run in parallel: each delivery is leased
 * in the statement that reads it, and a result counts only under its own lease.
 */
export async function deliverWebhooks(deps: Deps, again: () => boolean = () => false): Promise<{ delivered: number }> {
  const startedAt = deps.now()
  const failures = new Map<string, number>()
  const isBroken = (endpointId: string) => (failures.get(endpointId) ?? 0) >= maxFailures
  let delivered = 0
  let results: Part[] = []
  for (;;) {
    const claimedAt = deps.now()
    const rows = await claim(deps, claimedAt, results, [...failures.keys()].filter(isBroken))
    results = []
    if (rows.length === 0 && again()) continue
    if (rows.length === 0) return { delivered }
    const turn = async (claimed: Claimed) => {
      if (isBroken(claimed.endpointId) || deps.now() > startedAt + longestRun) {
        results.push(putBack(deps, claimed, claimedAt))
        return
      }
      const answer = await sendSigned(deps, { ...claimed, id: claimed.endpointId }, claimed)
      const sent = { claimed, at: deps.now(), ...answer }
      const hasArrived = isArrived(answer.status)
      failures.set(claimed.endpointId, hasArrived ? 0 : (failures.get(claimed.endpointId) ?? 0) + 1)
      if (hasArrived) delivered += 1
      results.push(...(hasArrived ? arrived(deps, sent, claimedAt) : failed(deps, sent, claimedAt)))
    }
    await inParallel(rows, turn)
    if (deps.now() > startedAt + longestRun) {
      const [first, ...others] = results
      if (first) await deps.db.batch([first, ...others])
      return { delivered }
    }
  }
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const lane = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Leases what is due, one of each order or product; stores the results of those before in the same batch. */
async function claim({ db }: Deps, at: number, results: Part[], broken: string[]) {
  const due = sql`
    SELECT sequence FROM webhook_deliveries AS due
    WHERE state = 'waiting' AND due_at <= ${at} AND lease_until <= ${at}
      AND endpoint_id NOT IN (SELECT value FROM json_each(${JSON.stringify(broken)}))
      AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries AS earlier
        WHERE earlier.state = 'waiting' AND earlier.endpoint_id = due.endpoint_id AND earlier.subject = due.subject
          AND earlier.sequence < due.sequence)
    ORDER BY due_at, sequence LIMIT ${batchSize}`
  const lent = db
    .update(webhookDeliveries)
    .set({
      leaseUntil: at + lease,
      attempts: sql`attempts + 1`,
      firstTriedAt: sql`coalesce(first_tried_at, ${at})`,
    })
    .where(sql`sequence IN (${due})`)
    .returning(columns)
  const [first, ...others] = [...results, lent]
  const rows = (await db.batch([first, ...others])).at(-1)
  if (!Array.isArray(rows)) throw new Error('The last statement returns rows.')
  return rows.sort((one, other) => one.sequence - other.sequence)
}

/** A result counts only while nobody else has leased the delivery, and the endpoint is not off. */
function underLease({ sequence, attempts }: Claimed, claimedAt: number): SQL {
  return sql`sequence = ${sequence} AND attempts = ${attempts} AND lease_until = ${claimedAt + lease}`
}

function putBack({ db }: Deps, claimed: Claimed, claimedAt: number): Part {
  return db.run(sql`
    UPDATE webhook_deliveries SET lease_until = 0, attempts = attempts - 1, due_at = ${claimedAt + minute},
      first_tried_at = iif(attempts = 1, NULL, first_tried_at)
    WHERE ${underLease(claimed, claimedAt)}`)
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
export async function sendWebhookAgain({ db }: Deps, sequence: number): Promise<void> {
  const { rowsAffected } = await db.run(sql`
    UPDATE webhook_deliveries SET state = 'waiting', due_at = 0, first_tried_at = NULL
    WHERE sequence = ${sequence} AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = endpoint_id AND state = 'on')`)
  if (rowsAffected === 0)
    throw new Refusal('conflict', 'Its endpoint is off. Send a test event first: an answer switches it on.')
}

/** For the cron trigger: deletes deliveries that are 14 days old, also those that were held. */
export async function deleteOldDeliveries({ db, now }: Deps): Promise<void> {
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, now() - retention.webhookDeliveries))
}
