import { sql } from 'drizzle-orm'
import { expect as check } from 'vitest'
import { webhookDeliveries, webhookEndpoints } from '../../app/db/schema'
import { Program, programOf } from '../support/api-client'
import { expect, orderInput, test as base, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'
import { WebhookReceiver } from '../support/webhook-receiver'

const path = '/dashboard/settings/webhooks'

const test = base.extend<{ receiver: WebhookReceiver }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixture's needs from this pattern
  receiver: async ({}, use) => {
    const receiver = await WebhookReceiver.open()
    await use(receiver)
    await receiver.close()
  },
})

const text = ({ page }: { page: { querySelector: (selector: string) => { text: string } | null } }) =>
  page.querySelector('main')!.text

async function add(admin: TestBrowser, receiver: WebhookReceiver, events: Record<string, string>) {
  const made = await admin.press(await admin.get(path), 'Add the endpoint', { url: receiver.url, ...events })
  receiver.secret = made.page.querySelector('main code')!.text
  return made
}

const verify = async (admin: TestBrowser) => admin.press(await admin.get(path), 'Send a test event')

async function order(shop: Shop, browser: TestBrowser, instrumentId: string) {
  const { submissionId, ...input } = orderInput(instrumentId)
  const headers = { 'content-type': 'application/json', 'idempotency-key': submissionId, origin: shop.deps.origin }
  const response = await browser.fetch('/order', { method: 'POST', headers, body: JSON.stringify(input) })
  expect(response.status).toBe(200)
}

/** Waits until the receiver has had an effect for each event. */
const arrived = (receiver: WebhookReceiver, types: string[]) =>
  check.poll(() => receiver.types(), { timeout: 5000 }).toEqual(types)

test('an endpoint gets signed events at once after it has answered a test event', async ({ shop, receiver }) => {
  const admin = await shop.signedIn(await shop.admin())
  const customer = await shop.signedIn(await shop.customer())
  const instrument = await shop.sells()
  const made = await add(admin, receiver, { orderPlaced: 'on' })
  expect(receiver.secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(text(made)).toContain('no page shows it again')
  const list = await admin.get(path)
  expect(text(list)).toContain('Not verified')
  expect(text(list)).not.toContain(receiver.secret)
  await order(shop, customer, instrument)
  expect(receiver.requests).toBe(0)

  const verified = await verify(admin)
  expect(verified.text).toContain('It answered 204, and gets events.')
  await arrived(receiver, ['webhook.test'])
  await order(shop, customer, instrument)
  await arrived(receiver, ['webhook.test', 'order.placed'])
  expect(receiver.forged).toBe(0)
  await check.poll(async () => text(await admin.get(path))).toContain('Delivered 204')

  await admin.press(await admin.get(path), 'Send again')
  await check.poll(() => receiver.taken.length).toBe(3)
  expect(receiver.effects.size).toBe(2)
})

test('an endpoint that does not answer 2xx gets no events: it redirects, refuses, resets or is down', async ({
  shop,
  receiver,
}) => {
  const admin = await shop.signedIn(await shop.admin())
  await add(admin, receiver, { orderPlaced: 'on' })
  const tried: string[] = []
  for (const behaviour of [
    (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    (_request, response) => void response.writeHead(500).end('<b>Oops</b>'),
    (request) => void request.socket.destroy(),
  ] satisfies WebhookReceiver['behaviour'][]) {
    receiver.behaviour = behaviour
    tried.push(/It answered \d+|The address cannot be reached/.exec((await verify(admin)).text)![0])
  }
  expect(tried).toEqual(['It answered 302', 'It answered 500', 'The address cannot be reached'])
  expect(receiver.requests).toBe(3)
  expect(await shop.deps.db.select().from(webhookEndpoints)).toMatchObject([{ state: 'new' }])
})

test('reads little of an answer, however long it is or slow its end', async ({ shop, receiver }) => {
  const admin = await shop.signedIn(await shop.admin())
  await add(admin, receiver, { orderPlaced: 'on' })
  await verify(admin)
  receiver.behaviour = (_request, response) => {
    response.writeHead(500, { 'content-length': 1e12 })
    response.write(`<script>alert(1)</script>\n${'x'.repeat(5000)}`)
  }
  await order(shop, await shop.signedIn(await shop.customer()), await shop.sells())
  await check.poll(async () => (await shop.deps.db.select().from(webhookDeliveries))[0]?.status).toBe(500)
  const [row] = await shop.deps.db.select().from(webhookDeliveries)
  expect(row!.answer).toMatch(/^<script>alert\(1\)<\/script> x+$/)
  expect(row!.answer).toHaveLength(200)
  const page = await admin.get(path)
  expect(text(page)).toContain('<script>alert(1)</script> x')
  expect(page.page.querySelector('main script')).toBeNull()
  expect(text(page)).toContain('Nothing has arrived since')
  expect(text(page)).toContain('Answer 500, ')
  expect(text(page)).toContain('Next try')
})

test('the cron trigger delivers what failed, in the order of its order', async ({ shop, receiver }) => {
  shop.skipInvariants('pays behind the provider')
  const admin = await shop.signedIn(await shop.admin())
  await add(admin, receiver, { orderPlaced: 'on', orderPaid: 'on' })
  await verify(admin)
  receiver.behaviour = (_request, response) => void response.writeHead(503).end()
  await order(shop, await shop.signedIn(await shop.customer()), await shop.sells())
  await check.poll(() => receiver.requests).toBe(2)
  await check.poll(async () => (await shop.deps.db.select().from(webhookDeliveries))[0]?.status).toBe(503)
  await shop.deps.db.run(
    sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_x', moved_by = 'stripe'`,
  )
  await shop.deps.db.update(webhookDeliveries).set({ dueAt: 0 })
  receiver.behaviour = () => true
  await shop.cron()
  await arrived(receiver, ['webhook.test', 'order.placed', 'order.paid'])
})

test('refuses private addresses, also of an endpoint that has one by now', async ({ shop }) => {
  await shop.configure({})
  const admin = await shop.signedIn(await shop.admin())
  for (const url of [
    ...['http://example.com/', 'https://10.0.0.1/', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/'],
    ...[
      'https://192.168.1.1/',
      'https://db.internal/',
      'https://0x7f.1/',
      'https://user@example.com/',
      'ftp://a.example',
    ],
    ...['https://example.com:8443/', 'javascript:alert(1)', 'http://169.254.169.254/'],
  ]) {
    const refused = await admin.press(await admin.get(path), 'Add the endpoint', { url, orderPaid: 'on' })
    expect([url, refused.status]).toEqual([url, 422])
    expect(text(refused)).toContain('The address must begin with https:// and a public host name.')
  }
  const own = await admin.press(await admin.get(path), 'Add the endpoint', {
    url: `${shop.deps.origin}/order`,
    orderPaid: 'on',
  })
  expect(text(own)).toContain('This is the address of the shop itself.')
  await admin.press(await admin.get(path), 'Add the endpoint', { url: 'https://warehouse.example/', orderPaid: 'on' })
  await shop.deps.db.update(webhookEndpoints).set({ url: 'https://10.0.0.1/' })
  expect((await verify(admin)).text).toContain('The address must begin with https:// and a public host name.')
})

test('adds one endpoint of a form that is sent twice, and none without events', async ({ shop, receiver }) => {
  const admin = await shop.signedIn(await shop.admin())
  const page = await admin.get(path)
  const nothing = await admin.press(page, 'Add the endpoint', { url: receiver.url })
  expect([nothing.status, text(nothing)]).toEqual([422, expect.stringContaining('Choose at least one event')])
  await admin.press(page, 'Add the endpoint', { url: receiver.url, orderPaid: 'on' })
  const again = await admin.press(page, 'Add the endpoint', { url: receiver.url, orderPaid: 'on' })
  expect([again.status, text(again)]).toEqual([409, expect.stringContaining('registered already')])
  expect(await shop.deps.db.$count(webhookEndpoints)).toBe(1)
})

test('an admin’s program registers, tests and deletes an endpoint, an API key cannot', async ({ shop, receiver }) => {
  const shopkeeper = await shop.admin()
  const program = await programOf(shop, shopkeeper)
  const added = await program.call<{ insertedId: string; secret: string }>('POST', '/webhook-endpoints', {
    url: receiver.url,
    events: ['review.written'],
  })
  receiver.secret = added.body.secret
  const { insertedId } = added.body
  expect(await program.call('POST', `/webhook-endpoints/${insertedId}/test`)).toMatchObject({
    status: 200,
    body: { isOn: true, status: 204, answer: '' },
  })
  expect(await program.call('GET', '/webhook-endpoints')).toMatchObject({
    body: [{ _id: insertedId, url: receiver.url, events: ['review.written'], status: 'on' }],
  })
  expect(await program.call('DELETE', `/webhook-endpoints/${insertedId}`)).toMatchObject({ body: { deletedCount: 1 } })
  const browser = await shop.signedIn(shopkeeper)
  const keys = await browser.get('/dashboard/settings/keys')
  const made = await browser.press(keys, 'Make the key', { name: 'Warehouse', readOrders: 'on', readCatalogue: 'on' })
  const byKey = new Program(shop.visitor(), made.page.querySelector('main code')!.text)
  expect(await byKey.call('GET', '/webhook-endpoints')).toMatchObject({ status: 403 })
})
