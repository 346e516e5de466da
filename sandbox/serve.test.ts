import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSandbox, openShop, payOnPage, stripeError, stripeClient, violin, violins } from './testing/fixture'
import { mailApiKey, stripeSecretKey } from './keys'

function temporaryStateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sandbox.json')
}

test('explains that the port is taken on a second start', async () => {
  const { url } = await openSandbox()
  const port = Number(new URL(url).port)
  await expect(openSandbox({ port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: expect.stringContaining(`port ${port} is taken`) as string,
  })
})

test('restores payments, keys, emails and undelivered events after a restart, but no faults', async () => {
  const file = temporaryStateFile()
  const first = await openSandbox({ stateFilePath: file })
  const session = await first.stripe.checkout.sessions.create(violins, { idempotencyKey: 'order-1' })
  await payOnPage(session.url!)
  const intents = (await first.stripe.paymentIntents.list()).data
  const refund = await first.stripe.refunds.create({ payment_intent: intents[0]!.id, amount: 100 })
  const ledger = await first.ledger()
  await fetch(`${first.url}/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mailApiKey}` },
    body: JSON.stringify({ from: 'a@example.com', to: 'b@example.com', subject: 'Kept', text: 'Kept' }),
  })
  await first.fault({ stripe: { failNext: 5 } })
  await first.stop()

  const shop = await openShop()
  const second = await openSandbox({ stateFilePath: file, webhookUrl: shop.url })
  expect((await second.stripe.paymentIntents.list()).data).toEqual(intents)
  expect(await second.stripe.refunds.retrieve(refund.id)).toMatchObject({ amount: 100 })
  expect(await second.ledger()).toEqual(ledger)
  expect(await second.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete' })
  const replayed = await second.stripe.checkout.sessions.create(violins, { idempotencyKey: 'order-1' })
  expect(replayed.id).toBe(session.id)
  expect(await (await second.send('GET', '/mail')).json()).toMatchObject([{ subject: 'Kept' }])
  await vi.waitFor(() => expect(shop.types()).toContain('checkout.session.completed'))
})

test('has in its file what it has answered, without being stopped', async () => {
  const file = temporaryStateFile()
  const killed = await openSandbox({ stateFilePath: file })
  const session = await killed.stripe.checkout.sessions.create(violins, { idempotencyKey: 'order-1' })
  await payOnPage(session.url!)
  const seen = async ({ stripe, ledger, send }: typeof killed) => [
    await stripe.checkout.sessions.create(violins, { idempotencyKey: 'order-1' }),
    (await stripe.paymentIntents.list()).data,
    await ledger(),
    await (await send('GET', '/mail')).json(),
  ]
  const email = { from: 'a@example.com', to: 'b@example.com', subject: 'One', text: 'Text' }
  const init = { method: 'POST', headers: { authorization: `Bearer ${mailApiKey}` }, body: JSON.stringify(email) }
  await fetch(`${killed.url}/emails`, init)
  await killed.send('DELETE', '/mail')
  await fetch(`${killed.url}/emails`, init)
  copyFileSync(file, `${file}.copy`)
  // Of a write that was cut off.
  appendFileSync(`${file}.copy`, '\n[["stripe.intents","pi_')
  const next = await openSandbox({ stateFilePath: `${file}.copy` })
  expect(await seen(next)).toEqual(await seen(killed))
  expect((await next.ledger()).map(({ what }) => what)).toEqual(['opened', 'created', 'succeeded', 'closed'])
})

test('reads the state file of an earlier version', async () => {
  const file = temporaryStateFile()
  const entry = { seq: 1, at: '2026-11-24T12:00:00.000Z', what: 'succeeded', paymentIntent: 'pi_1' }
  const key = { body: '{}', id: 'e1', at: Date.now() }
  writeFileSync(
    file,
    JSON.stringify({
      stripe: { intents: [['pi_1', { id: 'pi_1', status: 'succeeded' }]], ledger: [entry] },
      mail: { mails: [{ id: 'e1', to: 'a@example.com', subject: 'Old' }], keys: { k: key } },
    }),
  )
  const { stripe, ledger, send, log } = await openSandbox({ stateFilePath: file })
  expect(await ledger()).toEqual([entry])
  expect(await stripe.paymentIntents.retrieve('pi_1')).toMatchObject({ status: 'succeeded' })
  expect(await (await send('GET', '/mail')).json()).toMatchObject([{ subject: 'Old' }])
  await stripe.paymentIntents.create(violin)
  expect((await ledger()).map(({ seq }) => seq)).toEqual([1, 2])
  expect(log).toEqual([])
})

test('leaves out an unreadable line of the state file, logs it, and saves a copy', async () => {
  const file = temporaryStateFile()
  writeFileSync(file, '{"stripe":\n[["stripe.intents","pi_1",{"id":"pi_1"}]]\n')
  const { log, stripe } = await openSandbox({ stateFilePath: file })
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual(['pi_1'])
  expect(log.join()).toContain('1 lines of the state file')
  expect(readFileSync(`${file}.unreadable`, 'utf8')).toContain('{"stripe":')
  expect(readFileSync(file, 'utf8')).not.toContain('{"stripe":')
})

test('answers an unknown path with 501 and logs it', async () => {
  const { send, log } = await openSandbox()
  const response = await send('PUT', '/oauth2/token')
  expect(response.status).toBe(501)
  expect(await response.text()).toContain('The sandbox does not know PUT /oauth2/token.')
  expect(log.join()).toContain('PUT /oauth2/token')
})

test('answers an unexpected error with 500 and logs it', async () => {
  const { url, log } = await openSandbox()
  const call = request(url, { method: 'TRACE' }).end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(500)
  expect(JSON.parse(Buffer.concat((await response.toArray()) as Buffer[]).toString())).toMatchObject({
    error: { type: 'api_error' },
  })
  expect(log.join()).toContain('TRACE')
})

async function statusOf(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const call = request(url, { method, headers }).end(method === 'POST' ? '{}' : undefined)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  await response.toArray()
  return response.statusCode!
}

test('refuses a host that is not this machine', async () => {
  const { url } = await openSandbox()
  const { port } = new URL(url)
  for (const host of ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', `[::1]:${port}`]) {
    expect([host, await statusOf(`${url}/ledger`, { host })]).toEqual([host, 200])
  }
  for (const host of ['shop.example', `shop.example:${port}`, `127.0.0.1.shop.example:${port}`, '192.168.1.2']) {
    expect([host, await statusOf(`${url}/ledger`, { host })]).toEqual([host, 421])
    expect([host, await statusOf(`${url}/faults`, { host }, 'POST')]).toEqual([host, 421])
  }
})

test('refuses a change that a page from elsewhere requests', async () => {
  const { url, stripe } = await openSandbox()
  for (const origin of [
    'https://shop.example',
    'http://localhost.shop.example',
    'http://127.0.0.1@a.example',
    'null',
  ]) {
    for (const [method, path] of [
      ['POST', '/faults'],
      ['DELETE', '/faults'],
      ['POST', '/v1/payment_intents'],
      ['POST', '/emails'],
      ['POST', '/token'],
    ] as const) {
      const authorization = `Bearer ${stripeSecretKey}`
      expect([origin, path, await statusOf(url + path, { origin, authorization }, method)]).toEqual([origin, path, 403])
    }
    expect([origin, await statusOf(`${url}/endive/stripe.js`, { origin })]).toEqual([origin, 200])
  }
  expect((await stripe.paymentIntents.list()).data).toEqual([])
})

test('accepts a change that its own page, a page of the shop or a program requests', async () => {
  const { url } = await openSandbox()
  for (const origin of [url, 'http://127.0.0.1:8788', 'http://localhost:1', undefined]) {
    expect([origin, await statusOf(`${url}/faults`, origin ? { origin } : {}, 'POST')]).toEqual([origin, 200])
  }
})

test('rejects a body over a megabyte and answers the next request', async () => {
  const { url, stripe } = await openSandbox()
  const response = await fetch(`${url}/emails`, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
  expect(response.status).toBe(413)
  expect((await stripe.events.list()).data).toEqual([])
})

test('requires a key as Bearer or Basic', async () => {
  const { url } = await openSandbox()
  const get = (authorization: string) => fetch(`${url}/v1/events`, { headers: { authorization } })
  expect(await stripeError(stripeClient(url, 'sk_test_other').events.list())).toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  })
  expect((await fetch(`${url}/v1/events`)).status).toBe(401)
  expect((await get(`Basic ${Buffer.from(`${stripeSecretKey}:`).toString('base64')}`)).status).toBe(200)
  const response = await get(`Bearer ${stripeSecretKey}`)
  expect(response.headers.get('request-id')).toMatch(/^req_/)
})

test('stops webhook retries and keep-alive connections', async () => {
  const { stripe, url, stop } = await openSandbox()
  await stripe.paymentIntents.create({ amount: 2000, currency: 'usd' })
  await stop()
  await expect(fetch(url)).rejects.toThrow()
})
