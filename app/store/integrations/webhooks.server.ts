import { asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { webhookEndpoints } from '../../db/schema'
import type { Deps } from '../deps'
import { encrypt } from '../shared/encryption.server'
import { newId } from '../shared/ids.server'
import { maxWebhookEndpoints } from '../shared/limits'
import { Refusal } from '../shared/refusal'
import { checkbox, submissionId } from '../shared/validation.server'
import { isArrived, sendSigned } from './sign-webhook.server'
import { payloadVersion, testType, webhookFields, webhookTypes, type WebhookType } from './webhook-types'

export const webhookUrl = z
  .string({ error: 'Address is Required' })
  .trim()
  .min(1, { error: 'Address is Required' })
  .max(500, { error: 'The address must have at most 500 characters' })

const chooseEvents = 'Choose at least one event'

type Box = (typeof webhookFields)[WebhookType]['field']
const boxes = Object.fromEntries(webhookTypes.map((type) => [webhookFields[type].field, checkbox]))

export const NewWebhookEndpointForm = z
  .object({
    ...{ act: z.literal('register'), submissionId, url: webhookUrl },
    ...(boxes as Record<Box, typeof checkbox>),
  })
  .transform(({ act, submissionId, url, ...boxes }) => ({
    act,
    submissionId,
    url,
    events: webhookTypes.filter((type) => boxes[webhookFields[type].field]),
  }))
  .refine(({ events }) => events.length > 0, { path: ['orderPlaced'], error: chooseEvents })

export interface NewWebhookEndpoint {
  url: string
  events: WebhookType[]
  submissionId: string
}

/**
 * Registers where events are posted to, and returns the only copy of the secret that signs them. It gets none before it has answered a test
 * event (`testWebhookEndpoint`). Recorded in the audit log. Refuses what is no public https address, a repeated form, whose secret was shown
 * already, and more than `maxWebhookEndpoints`.
 */
export async function addWebhookEndpoint(
  deps: Deps,
  admin: { id: string },
  { url, events, submissionId }: NewWebhookEndpoint,
): Promise<{ id: string; secret: string }> {
  const { db, now, webhooks } = deps
  const problem = webhooks.problemOf(url)
  if (problem) throw new Refusal('invalid', '', { fields: { url: [problem] } })
  const id = newId()
  const key = crypto.getRandomValues(new Uint8Array(32))
  const secret = await encrypt(deps, key, id)
  const at = now()
  const address = new URL(url).href
  const mayAdd = sql`(SELECT count(*) FROM webhook_endpoints) < ${maxWebhookEndpoints}`
  try {
    const [, added] = await db.batch([
      db.run(sql`
        INSERT INTO audit_log (at, event, actor, note, submission_id)
        SELECT ${at}, 'webhook registered', ${admin.id}, ${`${address}: ${events.join(' ')}`}, ${`webhook:${admin.id}:${submissionId}`}
        WHERE ${mayAdd}`),
      db.run(sql`
        INSERT INTO webhook_endpoints (id, url, secret, events, created_at)
        SELECT ${id}, ${address}, ${secret}, ${` ${events.join(' ')} `}, ${at} WHERE ${mayAdd}`),
    ])
    if (added.rowsAffected === 0)
      throw new Refusal('conflict', `The shop has ${maxWebhookEndpoints} endpoints. Delete one first.`)
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    const message =
      'This endpoint was registered already, and its secret shown. If you did not see it, delete the endpoint and register it again.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  return { id, secret: `whsec_${Buffer.from(key).toString('base64')}` }
}

/** Times in milliseconds since 1970. */
export interface WebhookEndpoint {
  id: string
  url: string
  events: WebhookType[]
  /** `new`: it has not answered a test event yet. */
  state: 'new' | 'on' | 'off'
  /** Why it is off. */
  reason: string
  createdAt: number
  /** Null while its deliveries arrive. */
  failingSince: number | null
}

/** All endpoints of the shop, oldest first. */
export async function listWebhookEndpoints({ db }: Pick<Deps, 'db'>): Promise<WebhookEndpoint[]> {
  const rows = await selectEndpoints(db)
  return rows.map(toEndpoint)
}

export function selectEndpoints(db: Deps['db']) {
  const { id, url, events, state, reason, createdAt, failingSince } = webhookEndpoints
  return db
    .select({ id, url, events, state, reason, createdAt, failingSince })
    .from(webhookEndpoints)
    .orderBy(asc(createdAt), asc(id))
    .limit(maxWebhookEndpoints)
}

export function toEndpoint({ events, ...row }: Awaited<ReturnType<typeof selectEndpoints>>[number]): WebhookEndpoint {
  const wanted = events.split(' ')
  return { ...row, events: webhookTypes.filter((type) => wanted.includes(type)) }
}

/**
 * Posts a signed test event, and waits for the answer. A status of 2xx switches the endpoint on, which releases what was held for it. Null:
 * there is no such endpoint.
 */
export async function testWebhookEndpoint(
  deps: Deps,
  admin: { id: string },
  endpointId: string,
): Promise<{ isOn: boolean; status: number | null; answer: string } | null> {
  const { db, now } = deps
  const { id, url, secret } = webhookEndpoints
  const [endpoint] = await db.select({ id, url, secret }).from(webhookEndpoints).where(eq(id, endpointId))
  if (!endpoint) return null
  const at = now()
  const payload = { type: testType, timestamp: new Date(at).toISOString(), version: payloadVersion, data: {} }
  const { status, answer } = await sendSigned(deps, endpoint, {
    id: `${testType.replace('.', '_')}_${newId()}`,
    payload: JSON.stringify(payload),
  })
  if (!isArrived(status)) return { isOn: false, status, answer }
  await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${at}, 'webhook verified', ${admin.id}, url FROM webhook_endpoints WHERE id = ${endpointId} AND state <> 'on'`),
    db.update(webhookEndpoints).set({ state: 'on', reason: '', failingSince: null }).where(eq(id, endpointId)),
  ])
  deps.readLogSoon()
  return { isOn: true, status, answer }
}

/** No more events; what waits for the endpoint is held. Recorded. Idempotent; false: there is none that is on. */
export async function switchOffWebhookEndpoint({ db, now }: Deps, admin: { id: string }, id: string): Promise<boolean> {
  const isOn = sql`id = ${id} AND state = 'on'`
  const [, changed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${now()}, 'webhook switched off', ${admin.id}, url FROM webhook_endpoints WHERE ${isOn}`),
    db.run(sql`UPDATE webhook_endpoints SET state = 'off', reason = 'Switched off by an admin' WHERE ${isOn}`),
  ])
  return changed.rowsAffected === 1
}

/** With its deliveries, at once. Recorded. Idempotent; false: there is no such endpoint. */
export async function deleteWebhookEndpoint({ db, now }: Deps, admin: { id: string }, id: string): Promise<boolean> {
  const [, deleted] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${now()}, 'webhook deleted', ${admin.id}, url FROM webhook_endpoints WHERE id = ${id}`),
    db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id)),
  ])
  return deleted.rowsAffected === 1
}
