import { createHmac } from 'node:crypto'
import { at, expect, noon, test, type Store } from '../../../tests/support/store'
import { auditLog, webhookEndpoints } from '../../db/schema'
import type { Deps } from '../deps'
import { newId } from '../shared/ids.server'
import { maxWebhookEndpoints } from '../shared/limits'
import { isArrived } from './sign-webhook.server'
import { webhookFields, webhookTypes, type WebhookType } from './webhook-types'
import {
  addWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  NewWebhookEndpointForm,
  switchOffWebhookEndpoint,
  testWebhookEndpoint,
} from './webhooks.server'

const me = { id: 'me' }

/** A shop whose receivers answer `status`; its time is `now`. */
function answering(shop: Store, status: number | null, now = noon) {
  const sent: { url: string; headers: Record<string, string>; body: string }[] = []
  const webhooks: Deps['webhooks'] = {
    problemOf: (url) => (url.startsWith('https://') ? null : 'No https address'),
    send: (event) => Promise.resolve(void sent.push(event)).then(() => ({ status, answer: 'words', durationMs: 7 })),
  }
  return { ...at(shop, now), webhooks, sent }
}

const input = (more: object = {}) => {
  const events: WebhookType[] = ['order.paid', 'stock.low']
  return { url: 'https://warehouse.example/hooks', events, submissionId: newId(), ...more }
}

const eventsOf = async ({ deps }: Store) =>
  (await deps.db.select().from(auditLog)).map(({ at, event, actor, note }) => [at, event, actor, note])

test('reads the form of an endpoint, each box as its event', () => {
  const sent = { act: 'register', submissionId: 'form-123', url: ' https://a.example ', stockLow: 'on' }
  expect(NewWebhookEndpointForm.parse(sent)).toEqual({
    ...{ act: 'register', submissionId: 'form-123', url: 'https://a.example', events: ['stock.low'] },
  })
  const boxes = Object.fromEntries(Object.values(webhookFields).map(({ field }) => [field, 'on']))
  expect(NewWebhookEndpointForm.parse({ ...sent, ...boxes }).events).toEqual(webhookTypes)
  for (const type of webhookTypes) {
    const field = type.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())
    expect(NewWebhookEndpointForm.parse({ ...sent, stockLow: undefined, [field]: 'on' }).events).toEqual([type])
  }
  for (const [more, field, message] of [
    [{ stockLow: undefined }, 'orderPlaced', 'Choose at least one event'],
    [{ url: ' ' }, 'url', 'Address is Required'],
    [{ url: 'x'.repeat(501) }, 'url', 'The address must have at most 500 characters'],
  ] as const) {
    const { error } = NewWebhookEndpointForm.safeParse({ ...sent, ...more })
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]])
  }
})

test('registers an endpoint once for a form, which is off until it has answered a test event', async ({ shop }) => {
  const form = input()
  const deps = answering(shop, 204)
  const { id, secret } = await addWebhookEndpoint(deps, me, form)
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const row = { id, url: form.url, events: form.events, reason: '', createdAt: noon, failingSince: null }
  expect(await listWebhookEndpoints(shop.deps)).toEqual([{ ...row, state: 'new' }])
  await expect(addWebhookEndpoint(deps, me, form)).rejects.toMatchObject({
    ...{
      code: 'conflict',
      isUsed: true,
      message: expect.stringMatching(/^This endpoint was registered already/) as string,
    },
  })
  await expect(addWebhookEndpoint(deps, me, input({ url: 'http://a.example' }))).rejects.toMatchObject({
    ...{ code: 'invalid', fields: { url: ['No https address'] } },
  })

  expect(await testWebhookEndpoint(answering(shop, 500), me, id)).toEqual({ isOn: false, status: 500, answer: 'words' })
  expect(await listWebhookEndpoints(shop.deps)).toEqual([{ ...row, state: 'new' }])
  await shop.deps.db.update(webhookEndpoints).set({ reason: 'It failed', failingSince: 1 })
  for (const now of [noon + 1, noon + 2]) {
    const answer = await testWebhookEndpoint(answering(shop, 204, now), me, id)
    expect(answer).toEqual({ isOn: true, status: 204, answer: 'words' })
  }
  expect(await listWebhookEndpoints(shop.deps)).toEqual([{ ...row, state: 'on' }])
  expect(await eventsOf(shop)).toEqual([
    [noon, 'webhook registered', 'me', `${form.url}: order.paid stock.low`],
    [noon + 1, 'webhook verified', 'me', form.url],
  ])
  expect(await testWebhookEndpoint(deps, me, 'none')).toBeNull()
})

test('a test event says what it is, and is signed as any other', async ({ shop }) => {
  const deps = answering(shop, 204, noon + 999)
  const { id, secret } = await addWebhookEndpoint(deps, me, input())
  await testWebhookEndpoint(deps, me, id)
  const [{ url, headers, body }] = deps.sent as [(typeof deps.sent)[number]]
  expect([url, JSON.parse(body)]).toEqual([
    'https://warehouse.example/hooks',
    { type: 'webhook.test', timestamp: '2026-11-24T12:00:00.999Z', version: 1, data: {} },
  ])
  expect(headers).toMatchObject({ 'webhook-id': expect.stringMatching(/^webhook_test_[0-9a-f-]{36}$/) as string })
  expect(headers['webhook-timestamp']).toBe(String(noon / 1000))
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  expect(await testWebhookEndpoint({ ...deps, encryptionKey: 'another'.padEnd(43, 'x') }, me, id)).toEqual({
    ...{ isOn: false, status: null },
    answer: 'Its secret is unreadable: SESSION_SECRET has changed. Register it again.',
  })
})

test.for([
  [null, false],
  [199, false],
  [200, true],
  [299, true],
  [300, false],
] as const)('a delivery with the status %s has arrived: %s', ([status, arrived]) => {
  expect(isArrived(status)).toBe(arrived)
})

test('an admin switches an endpoint off and deletes it, once, and the log says who', async ({ shop }) => {
  const { id } = await addWebhookEndpoint(answering(shop, 204), me, input())
  expect(await switchOffWebhookEndpoint(shop.deps, me, id)).toBe(false)
  await testWebhookEndpoint(answering(shop, 200), me, id)
  const off = () => switchOffWebhookEndpoint(at(shop, 5), me, id)
  expect([await off(), await off()]).toEqual([true, false])
  expect(await listWebhookEndpoints(shop.deps)).toMatchObject([{ state: 'off', reason: 'Switched off by an admin' }])
  const remove = () => deleteWebhookEndpoint(at(shop, 6), me, id)
  expect([await remove(), await remove()]).toEqual([true, false])
  expect(await listWebhookEndpoints(shop.deps)).toEqual([])
  expect((await eventsOf(shop)).slice(2)).toEqual([
    [5, 'webhook switched off', 'me', 'https://warehouse.example/hooks'],
    [6, 'webhook deleted', 'me', 'https://warehouse.example/hooks'],
  ])
})

test('lists the endpoints by age, and takes as many as a shop may have', async ({ shop }) => {
  for (let nth = maxWebhookEndpoints; nth > 0; nth--)
    await addWebhookEndpoint(answering(shop, 204, nth), me, input({ url: `https://a.example/${nth}` }))
  const urls = (await listWebhookEndpoints(shop.deps)).map(({ url }) => url)
  expect(urls).toEqual(Array.from({ length: maxWebhookEndpoints }, (_, nth) => `https://a.example/${nth + 1}`))
  await expect(addWebhookEndpoint(answering(shop, 204), me, input())).rejects.toMatchObject({
    ...{ code: 'conflict', message: `The shop has ${maxWebhookEndpoints} endpoints. Delete one first.`, isUsed: false },
  })
  const [oldest] = await listWebhookEndpoints(shop.deps)
  await deleteWebhookEndpoint(shop.deps, me, oldest!.id)
  await addWebhookEndpoint(answering(shop, 204), me, input())
  expect(await listWebhookEndpoints(shop.deps)).toHaveLength(maxWebhookEndpoints)
})
