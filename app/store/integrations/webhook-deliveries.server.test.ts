import { eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { webhookDeliveries, webhookEndpoints } from '../../db/schema'
import { inLanguage } from '../../i18n/language.server'
import { parsePayload, WebhookReceiver } from '../../../tests/support/webhook-receiver'
import { at, day, expect, hour, minute, orderInput, test, type Store } from '../../../tests/support/store'
import { cancelOrder } from '../ordering/cancel-order.server'
import { placeOrder } from '../ordering/place-order.server'
import { addReview } from '../reviews/reviews.server'
import { changeStock, InstrumentUpdate, setHidden, updateInstrument } from '../catalog/manage-instruments.server'
import type { Deps } from '../deps'
import { newId } from '../shared/ids.server'
import {
  deleteOldDeliveries,
  deliverWebhooks,
  longestTry,
  readWebhooks,
  sendWebhookAgain,
} from './webhook-deliveries.server'
import { webhookTypes, type WebhookType } from './webhook-types'
import {
  addWebhookEndpoint,
  deleteWebhookEndpoint,
  switchOffWebhookEndpoint,
  testWebhookEndpoint,
} from './webhooks.server'

interface Sent {
  url: string
  headers: Record<string, string>
  body: string
}

/** A sender that records, and answers what `answer` says. */
function fakeSender(answer: (event: Sent) => number | null | Promise<number | null> = () => 204) {
  const sent: Sent[] = []
  const webhooks: Deps['webhooks'] = {
    problemOf: () => null,
    async send(event) {
      sent.push(event)
      return { status: await answer(event), answer: 'words', durationMs: 7 }
    },
  }
  const typesOf = () => sent.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  return { webhooks, sent, typesOf }
}

const url = 'https://warehouse.example/hooks'

async function endpoint(shop: Store, events: readonly WebhookType[] = webhookTypes, { isOn = true } = {}) {
  // What was before is not for it.
  await shop.readLog()
  const deps = { ...shop.deps, webhooks: fakeSender().webhooks }
  const admin = await shop.admin()
  const { id, secret } = await addWebhookEndpoint(deps, admin, { url, events: [...events], submissionId: newId() })
  if (isOn) await testWebhookEndpoint(deps, admin, id)
  return { id, secret, admin }
}

async function order(shop: Store, instrumentId?: string, customer?: { id: string }): Promise<string> {
  const input = orderInput(instrumentId ?? (await shop.sells()))
  const { id } = await placeOrder(shop.deps, customer ?? (await shop.customer()), input)
  await shop.readLog()
  return id
}

/** Each payload is as the API document says. */
async function outbox(shop: Store) {
  await shop.readLog()
  const rows = await shop.deps.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.sequence)
  for (const { type, payload } of rows) parsePayload(type, payload)
  return rows
}

async function pay(shop: Store, id: string) {
  await shop.deps.db.run(
    sql`UPDATE orders SET state = 'paid', paid_at = ${Date.now()}, transaction_id = ${`pi_${id}`}, moved_by = 'stripe' WHERE id = ${id}`,
  )
  await shop.readLog()
}

test('enqueues nothing without an endpoint that is on', async ({ shop }) => {
  shop.skipInvariants('pays behind the provider')
  await order(shop)
  const { id, admin } = await endpoint(shop, webhookTypes, { isOn: false })
  await order(shop)
  expect(await outbox(shop)).toEqual([])
  await testWebhookEndpoint({ ...shop.deps, webhooks: fakeSender().webhooks }, admin, id)
  await switchOffWebhookEndpoint(shop.deps, admin, id)
  await order(shop)
  expect(await outbox(shop)).toEqual([])
})

test('enqueues the events of an order with what the API shows of it, and nobody’s name', async ({ shop }) => {
  shop.skipInvariants('pays behind the provider')
  await endpoint(shop)
  const instrumentId = await shop.sells({ price: 29_99 })
  await outbox(shop)
  await shop.deps.db.delete(webhookDeliveries)
  const id = await order(shop, instrumentId)
  await pay(shop, id)
  for (const [refund, cents] of [
    ['r1', 10_05],
    ['r2', 2_50],
  ])
    await shop.deps.db.run(
      sql`INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, moved_by, created_at, refund_id, made_at)
        VALUES (${refund}, ${id}, ${refund}, ${cents}, 'Dent', 'test', ${Date.now()}, ${`re_${refund}`}, ${Date.now()})`,
    )
  await shop.deps.db.run(
    sql`UPDATE orders SET state = 'shipped', shipped_at = ${Date.now()}, moved_by = 'test', carrier = 'DHL', tracking_number = 'JD014',
      tracking_url = 'https://dhl.example/JD014' WHERE id = ${id}`,
  )
  const ada = await shop.customer()
  const cancelled = await order(shop, instrumentId, ada)
  await cancelOrder(shop.deps, ada, cancelled)
  const rows = await outbox(shop)
  const payloads = rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)
  const terms = { _id: id, instrumentId, productName: 'Concert Violin', orderQuantity: 2, orderPrice: 59.98 }
  const paid = { ...terms, status: 'paid', paid: true, transactionId: `pi_${id}` }
  const parcel = { carrier: 'DHL', trackingNumber: 'JD014', trackingUrl: 'https://dhl.example/JD014' }
  expect(payloads).toEqual(
    [
      { type: 'order.placed', data: { ...terms, status: 'unpaid', paid: false, transactionId: null } },
      { type: 'order.paid', data: paid },
      { type: 'order.refunded', data: { ...paid, refundId: 'r1', refund: 10.05, refunded: 10.05 } },
      { type: 'order.refunded', data: { ...paid, refundId: 'r2', refund: 2.5, refunded: 12.55 } },
      { type: 'order.shipped', data: { ...paid, status: 'shipped', ...parcel } },
      ...(['placed', 'cancelled'] as const).map((event) => ({
        type: `order.${event}`,
        data: {
          ...{ ...terms, _id: cancelled, paid: false, transactionId: null },
          status: event === 'placed' ? 'unpaid' : event,
        },
      })),
    ].map((each) => ({
      ...each,
      version: 1,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string,
    })),
  )
  const timestamp = Date.parse(payloads[0]!.timestamp as string)
  expect(timestamp).toBe(rows[0]!.createdAt)
  expect(JSON.stringify(rows)).not.toMatch(/Ada|example\.com|Bow Lane|07700/)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
})

test('enqueues changes of products, low stock and reviews', async ({ shop }) => {
  const { admin } = await endpoint(shop)
  const types = async () => {
    const rows = await outbox(shop)
    await shop.deps.db.delete(webhookDeliveries)
    return rows.map(({ type, payload }) => {
      const { data } = JSON.parse(payload) as { data: { availableQuantity: number; status: string } }
      return [type, data.availableQuantity, data.status]
    })
  }
  const id = await shop.sells({ stock: 5 })
  expect(await types()).toEqual([['product.changed', 5, 'on sale']])
  await shop.sells({ stock: 0 })
  expect(await types()).toEqual([['product.changed', 0, 'on sale']])
  await changeStock(shop.deps, admin, id, { pieces: 1, direction: 'in', reason: 'Found', submissionId: newId() })
  expect(await types()).toEqual([['product.changed', 6, 'on sale']])
  await setHidden(shop.deps, admin, id, true)
  expect(await types()).toEqual([['product.changed', 6, 'hidden']])
  const open = await shop.sells({ stock: 5 })
  await shop.deps.db.run(sql`UPDATE instruments SET low_stock_threshold = 3 WHERE id = ${open}`)
  await types()
  const customer = await shop.customer()
  await placeOrder(shop.deps, customer, orderInput(open))
  expect(await types()).toEqual([
    ['order.placed', undefined, 'unpaid'],
    ['stock.low', 3, 'on sale'],
  ])
  await addReview(shop.deps, customer, { description: 'Sings', submissionId: newId() })
  const [review] = await outbox(shop)
  expect(JSON.parse(review!.payload)).toMatchObject({ type: 'review.written', data: { description: 'Sings' } })
  expect(review!.payload).not.toContain('Ada')
})

test('enqueues each change of a product once, with what it is then, and none when nothing has changed', async ({
  shop,
}) => {
  const { admin } = await endpoint(shop, ['product.changed'])
  const id = await shop.sells({ stock: 5 })
  await outbox(shop)
  const was = {
    name: 'Viol',
    img: '/plates/oboe.svg',
    description: 'Old',
    price: '900',
    minQuantity: 1,
    stockChange: 0,
  }
  const changes: [Partial<typeof was> & { brand?: string; stockNote?: string }, number][] = [
    ...[
      {},
      { brand: 'Amati' },
      { description: 'New' },
      { price: '800' },
      { minQuantity: 2 },
      { stockChange: 1, stockNote: 'Found' },
    ],
  ].map((change) => [change, 1])
  changes.push([{}, 0])
  let next = was
  for (const [change, count] of changes) {
    await shop.deps.db.delete(webhookDeliveries)
    next = { ...next, stockChange: 0, ...change }
    await updateInstrument(shop.deps, admin, id, InstrumentUpdate.parse(next))
    expect([change, (await outbox(shop)).map(({ type }) => type)]).toEqual([
      change,
      Array(count).fill('product.changed'),
    ])
  }
})

test('signs each delivery as the library of the standard verifies it, which refuses forged ones', async ({ shop }) => {
  const { secret } = await endpoint(shop, ['order.placed'])
  await order(shop)
  const { webhooks, sent } = fakeSender()
  expect(await deliverWebhooks({ ...shop.deps, webhooks })).toEqual({ delivered: 1 })
  const [{ headers, body }] = sent as [Sent]
  const webhook = new Webhook(secret)
  expect(webhook.verify(body, headers)).toMatchObject({ type: 'order.placed' })
  const other = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`)
  for (const [library, text, more] of [
    [other, body, {}],
    [webhook, body.replace('"version":1', '"version":2'), {}],
    [webhook, body, { 'webhook-id': 'order_placed_0' }],
    [webhook, body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
    [webhook, body, { 'webhook-timestamp': '1600000000' }],
  ] as const)
    expect(() => library.verify(text, { ...headers, ...more })).toThrow()
})

test('stores the secret encrypted, and shows it nowhere', async ({ shop }) => {
  const { secret } = await endpoint(shop)
  const [row] = await shop.deps.db.select().from(webhookEndpoints)
  expect(Buffer.from(row!.secret, 'base64url').includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(
    false,
  )
  expect(JSON.stringify(await readWebhooks(shop.deps, { before: undefined, limit: 5 }))).not.toContain(row!.secret)
  const other = { ...shop.deps, encryptionKey: 'another_encryption_key_256_bits_in_base64ur' }
  await order(shop)
  const { webhooks, sent } = fakeSender()
  await deliverWebhooks({ ...other, webhooks })
  expect(sent).toEqual([])
})

test('keeps the order of the events of one order, and lets no order wait for another', async ({ shop }) => {
  shop.skipInvariants('pays behind the provider')
  await endpoint(shop, ['order.placed', 'order.paid'])
  const [first, second] = [await order(shop), await order(shop)]
  await pay(shop, first)
  await pay(shop, second)
  let isDown = true
  const { webhooks, sent } = fakeSender(({ body }) => (isDown && body.includes(first) ? 500 : 204))
  const deps = { ...shop.deps, webhooks }
  const start = Date.now()
  await deliverWebhooks({ ...deps, now: () => start })
  expect(sent.filter(({ body }) => body.includes(first))).toHaveLength(1)
  expect(sent.filter(({ body }) => body.includes(second))).toHaveLength(2)
  isDown = false
  await deliverWebhooks({ ...deps, now: () => start + minute })
  const types = sent
    .filter(({ body }) => body.includes(first))
    .map(({ body }) => (JSON.parse(body) as { type: string }).type)
  expect(types).toEqual(['order.placed', 'order.placed', 'order.paid'])
})

test('delivers each once although two Workers deliver at the same time', async ({ shop }) => {
  await endpoint(shop, ['order.placed'])
  const [instrumentId, customer] = [await shop.sells({ stock: 1000 }), await shop.customer()]
  for (let count = 0; count < 30; count++) await order(shop, instrumentId, customer)
  const { webhooks, sent } = fakeSender(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return 204
  })
  const results = await Promise.all([1, 2, 3].map(() => deliverWebhooks({ ...shop.deps, webhooks })))
  expect(results.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(30)
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
  expect(sent).toHaveLength(30)
})

test('sends again under the same id what a killed Worker had claimed, after its lease', async ({ shop }) => {
  await endpoint(shop, ['order.placed'])
  await order(shop)
  const start = Date.now()
  const killed = fakeSender(() => new Promise(() => undefined))
  void deliverWebhooks({ ...shop.deps, webhooks: killed.webhooks })
  while (killed.sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const { webhooks, sent } = fakeSender()
  await deliverWebhooks({ ...shop.deps, webhooks, now: () => start + 50_000 })
  expect(sent).toEqual([])
  await deliverWebhooks({ ...shop.deps, webhooks, now: () => start + 65_000 })
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([killed.sent[0]!.headers['webhook-id']])
  expect(sent[0]!.body).toBe(killed.sent[0]!.body)
})

test('waits longer after each failure, and after three days switches the endpoint off and tells the shop once', async ({
  shop,
}) => {
  const { id } = await endpoint(shop, ['order.placed'])
  await order(shop)
  const start = Date.now()
  const { webhooks, sent } = fakeSender(() => 500)
  const triedAt: number[] = []
  for (let minutes = 0; minutes <= 80 * 60; minutes += 5) {
    const before = sent.length
    await deliverWebhooks({ ...at(shop, start + minutes * minute), webhooks })
    if (sent.length > before) triedAt.push(minutes)
  }
  expect(triedAt.length).toBeGreaterThan(8)
  const gaps = triedAt.slice(1).map((minutes, index) => minutes - triedAt[index]!)
  expect(gaps.slice(0, -1)).toEqual([...gaps.slice(0, -1)].sort((a, b) => a - b))
  expect(triedAt.at(-1)).toBe(72 * 60)
  const [row] = await shop.deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  expect(row).toMatchObject({ state: 'off', reason: 'Nothing has arrived for three days' })
  const emails = await shop.deps.db.all<{ subject: string }>(
    sql`SELECT subject FROM emails WHERE id LIKE 'webhook-off:%'`,
  )
  expect(emails).toMatchObject([{ subject: 'A webhook is switched off' }])
  expect(await outbox(shop)).toMatchObject([{ state: 'failed', status: 500, answer: 'words', durationMs: 7 }])
})

test('switches off at once an endpoint that is gone', async ({ shop }) => {
  const { id } = await endpoint(shop, ['order.placed'])
  await order(shop)
  // The shop reads English, whoever's request delivers.
  await inLanguage('de', () => deliverWebhooks({ ...shop.deps, webhooks: fakeSender(() => 410).webhooks }))
  const [email] = await shop.deps.db.all<{ text: string; html: string }>(
    sql`SELECT text, html FROM emails WHERE id LIKE 'webhook-off:%'`,
  )
  expect(email!.text).toContain('\n\nCadenza, handcrafted instruments and cases\n')
  expect(email!.html).toContain('<html lang="en">')
  const [row] = await shop.deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  expect(row).toMatchObject({ state: 'off', reason: 'It answered 410 Gone' })
})

test('gives up one event that the receiver never takes, without switching off an endpoint that takes others', async ({
  shop,
}) => {
  await endpoint(shop, ['order.placed'])
  const bad = await order(shop)
  const start = Date.now()
  const { webhooks } = fakeSender(({ body }) => (body.includes(bad) ? 422 : 204))
  for (let time = 0; time <= longestTry + day; time += 6 * hour) {
    await order(shop)
    await deliverWebhooks({ ...at(shop, start + time), webhooks })
  }
  const failed = (await outbox(shop)).filter(({ state }) => state === 'failed')
  expect(failed.map(({ subject }) => subject)).toEqual([`order:${bad}`])
  expect(await shop.deps.db.select().from(webhookEndpoints)).toMatchObject([{ state: 'on' }])
  // Sent again, it is tried for three days anew.
  await sendWebhookAgain(shop.deps, failed[0]!.sequence)
  const again = start + longestTry + 2 * day
  const stateAfter = async (time: number) => {
    await deliverWebhooks({ ...at(shop, again + time), webhooks })
    return (await outbox(shop)).find(({ subject }) => subject === `order:${bad}`)!.state
  }
  expect([await stateAfter(0), await stateAfter(longestTry - 1)]).toEqual(['waiting', 'waiting'])
  expect(await stateAfter(longestTry)).toBe('failed')
})

test('tries at once what an admin sends again, and lists it as arrived when it has arrived', async ({ shop }) => {
  await endpoint(shop, ['order.placed'])
  await order(shop)
  await deliverWebhooks({ ...shop.deps, webhooks: fakeSender(() => 500).webhooks })
  const [waiting] = await outbox(shop)
  expect(waiting!.dueAt).toBeGreaterThan(Date.now())
  const { webhooks, sent } = fakeSender()
  await deliverWebhooks({ ...shop.deps, webhooks })
  expect(sent).toEqual([])
  for (const state of ['waiting', 'failed'] as const) {
    await shop.deps.db.update(webhookDeliveries).set({ state, dueAt: Date.now() + hour, status: 500, answer: 'words' })
    await sendWebhookAgain(shop.deps, waiting!.sequence)
    await deliverWebhooks({ ...shop.deps, webhooks })
    expect(await outbox(shop)).toMatchObject([{ state: 'delivered', status: 204 }])
  }
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([waiting!.id, waiting!.id])
})

test('leaves an endpoint alone after two failures in a run, and still delivers to another', async ({ shop }) => {
  const [dead] = [await endpoint(shop, ['order.placed'])]
  await shop.deps.db.run(sql`UPDATE webhook_endpoints SET url = 'https://dead.example/' WHERE id = ${dead.id}`)
  await endpoint(shop, ['order.placed'])
  const [instrumentId, customer] = [await shop.sells({ stock: 1000 }), await shop.customer()]
  for (let count = 0; count < 40; count++) await order(shop, instrumentId, customer)
  const { webhooks, sent } = fakeSender((event) => (event.url.includes('dead') ? null : 204))
  expect(await deliverWebhooks({ ...shop.deps, webhooks })).toEqual({ delivered: 40 })
  expect(sent.filter((event) => event.url.includes('dead')).length).toBeLessThanOrEqual(6)
})

test('lets no endpoint wait for another that is slow, never answers or refuses', async ({ shop }) => {
  const hosts = ['slow', 'silent', 'refusing', 'swift', 'brisk']
  for (const host of hosts) {
    const { id } = await endpoint(shop, ['order.placed', 'order.paid'])
    await shop.deps.db.run(sql`UPDATE webhook_endpoints SET url = ${`https://${host}.example/`} WHERE id = ${id}`)
  }
  shop.skipInvariants('pays behind the provider')
  const [instrumentId, customer] = [await shop.sells({ stock: 1000 }), await shop.customer()]
  for (let count = 0; count < 12; count++) await pay(shop, await order(shop, instrumentId, customer))
  const startedAt = Date.now()
  const took: Record<string, number[]> = Object.fromEntries(hosts.map((host) => [host, []]))
  const subjects: Record<string, string[]> = Object.fromEntries(hosts.map((host) => [host, []]))
  const underWay: Record<string, number> = {}
  const most: Record<string, number> = {}
  // Slow ones answer once the others have everything.
  let answerSlow: (() => void) | undefined
  const allTaken = new Promise<void>((resolve) => (answerSlow = resolve))
  const send: Deps['webhooks']['send'] = async ({ url, body }) => {
    const host = /\/\/(\w+)/.exec(url)![1]!
    for (const name of [host, 'all']) {
      underWay[name] = (underWay[name] ?? 0) + 1
      most[name] = Math.max(most[name] ?? 0, underWay[name])
    }
    const { type, data } = JSON.parse(body) as { type: string; data: { _id: string } }
    subjects[host]!.push(`${data._id} ${type}`)
    const isSlow = host === 'slow' || host === 'silent'
    if (isSlow) await allTaken
    else await new Promise((resolve) => setImmediate(resolve))
    took[host]!.push(Date.now() - startedAt)
    for (const name of [host, 'all']) underWay[name]! -= 1
    if (took.swift!.length + took.brisk!.length === 48) answerSlow!()
    const status = { silent: null, refusing: 500 }[host] ?? 200
    return { status: host === 'silent' ? null : status, answer: '', durationMs: isSlow ? 9000 : 3 }
  }
  const { delivered } = await deliverWebhooks({ ...shop.deps, webhooks: { problemOf: () => null, send } })
  expect([took.swift!.length, took.brisk!.length, took.refusing!.length, took.silent!.length]).toEqual([24, 24, 2, 2])
  expect(delivered).toBe(48 + took.slow!.length)
  expect(most.all).toBeLessThanOrEqual(5)
  expect([most.slow, most.silent]).toEqual([1, 1])
  for (const seen of [subjects.swift!, subjects.brisk!])
    for (const [index, each] of seen.entries())
      if (each.endsWith('paid')) expect(seen.indexOf(each.replace('paid', 'placed'))).toBeLessThan(index)
})

test('takes what comes while a slow endpoint has not answered', async ({ shop }) => {
  const slow = await endpoint(shop, ['order.placed'])
  await shop.deps.db.run(sql`UPDATE webhook_endpoints SET url = 'https://slow.example/' WHERE id = ${slow.id}`)
  await order(shop)
  let [isMore, taken] = [false, 0]
  let answerSlow: (() => void) | undefined
  const isTaken = new Promise<void>((resolve) => (answerSlow = resolve))
  const { webhooks } = fakeSender(async ({ url: to }) => {
    if (to === url) {
      taken += 1
      answerSlow!()
      return 204
    }
    if (taken === 0) {
      await endpoint(shop, ['order.placed'])
      await order(shop)
      isMore = true
      await isTaken
    }
    return 204
  })
  const again = () => {
    const was = isMore
    isMore = false
    return was
  }
  expect(await deliverWebhooks({ ...shop.deps, webhooks }, again)).toEqual({ delivered: 3 })
  expect(taken).toBe(1)
})

test('holds what waits for an endpoint that is off, releases it when it is verified again, and deletes it with the endpoint', async ({
  shop,
}) => {
  const { id, admin } = await endpoint(shop, ['order.placed'])
  await order(shop)
  await switchOffWebhookEndpoint(shop.deps, admin, id)
  const { webhooks, sent } = fakeSender()
  const deps = { ...shop.deps, webhooks }
  await deliverWebhooks(deps)
  expect(sent).toEqual([])
  const [row] = await outbox(shop)
  expect(row).toMatchObject({ state: 'held' })
  // It was tried before, and would be given up at its next failure.
  await shop.deps.db.update(webhookDeliveries).set({ firstTriedAt: Date.now() - longestTry })
  await expect(sendWebhookAgain(deps, row!.sequence)).rejects.toMatchObject({ code: 'conflict' })
  await testWebhookEndpoint(deps, admin, id)
  await deliverWebhooks({ ...shop.deps, webhooks: fakeSender(() => 500).webhooks })
  expect(await outbox(shop)).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await shop.deps.db.update(webhookDeliveries).set({ dueAt: 0 })
  await deliverWebhooks(deps)
  expect(sent.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(['webhook.test', 'order.placed'])
  await sendWebhookAgain(deps, row!.sequence)
  await deliverWebhooks(deps)
  expect(sent.at(-1)!.headers['webhook-id']).toBe(row!.id)
  expect(sent).toHaveLength(3)
  await deleteWebhookEndpoint(deps, admin, id)
  expect(await outbox(shop)).toEqual([])
})

test('has no next page after a last one that is full', async ({ shop }) => {
  await endpoint(shop, ['order.placed'])
  for (let nth = 0; nth < 4; nth++) await order(shop)
  const page = async (limit: number, before?: number) => readWebhooks(shop.deps, { before, limit })
  const first = await page(2)
  const second = await page(2, first.next!)
  expect([first.deliveries.length, second.deliveries.length, second.next]).toEqual([2, 2, null])
  expect((await page(4)).next).toBeNull()
})

test('deletes deliveries after 14 days', async ({ shop }) => {
  await endpoint(shop, ['order.placed'])
  await order(shop)
  await deleteOldDeliveries(at(shop, Date.now() + 14 * day - minute))
  expect(await outbox(shop)).toHaveLength(1)
  await deleteOldDeliveries(at(shop, Date.now() + 14 * day + minute))
  expect(await outbox(shop)).toEqual([])
})

test('loses no event and repeats no effect while receivers fail and Workers are killed', async ({ shop }) => {
  const receiver = await WebhookReceiver.open()
  try {
    const { id, secret } = await endpoint(shop, ['order.placed'])
    receiver.secret = secret
    await shop.deps.db.update(webhookEndpoints).set({ url: receiver.url }).where(eq(webhookEndpoints.id, id))
    const [instrumentId, customer] = [await shop.sells({ stock: 1000 }), await shop.customer()]
    for (let count = 0; count < 60; count++) await order(shop, instrumentId, customer)
    let count = 0
    receiver.behaviour = (_request, response) => {
      count += 1
      if (count % 7 === 3) return void response.destroy()
      if (count % 11 === 5) return void response.writeHead(301, { location: receiver.url }).end()
      if (count % 13 === 6) return void response.writeHead(500).end()
      return true
    }
    let time = Date.now()
    const killAfter = (calls: number): Deps => {
      let left = calls
      const batch: Deps['db']['batch'] = (...parts) =>
        left-- > 0 ? shop.deps.db.batch(...parts) : Promise.reject(new Error('killed'))
      const now = time
      return { ...shop.deps, now: () => now, db: Object.assign(Object.create(shop.deps.db) as Deps['db'], { batch }) }
    }
    for (let round = 0; receiver.effects.size < 60 && round < 100; round++) {
      await deliverWebhooks(killAfter(1 + (round % 3))).catch(() => undefined)
      // As if the wait and the lease were over.
      await shop.deps.db.update(webhookDeliveries).set({ dueAt: 0, leaseUntil: 0 })
      time += 1000
    }
    await deliverWebhooks(shop.deps)
    expect(receiver.effects.size).toBe(60)
    expect(receiver.forged).toBe(0)
    expect(receiver.taken.length).toBeGreaterThan(60)
    expect(new Set((await outbox(shop)).map((row) => row.id))).toEqual(new Set(receiver.effects.keys()))
  } finally {
    await receiver.close()
  }
})

test('a late answer to a Worker whose lease is over changes nothing of what another has delivered since', async ({
  shop,
}) => {
  await endpoint(shop, ['order.placed'])
  await order(shop)
  await shop.deps.db.update(webhookDeliveries).set({ dueAt: 0, leaseUntil: 0 })
  let now = Date.now() + minute
  const other = { ...shop.deps, now: () => now, webhooks: fakeSender().webhooks }
  const slow = fakeSender(async () => {
    now += 2 * minute
    await deliverWebhooks(other)
    return 500
  })
  await deliverWebhooks({ ...other, webhooks: slow.webhooks })
  expect(slow.sent).toHaveLength(1)
  expect((await outbox(shop)).at(-1)).toMatchObject({ state: 'delivered', status: 204, attempts: 2 })
})
