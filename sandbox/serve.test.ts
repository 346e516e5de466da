import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSandbox, openShop, payOnPage, stripeError, stripeClient, violins } from './testing/fixture'
import { mailApiKey, stripeSecretKey } from './keys'

function temporaryStateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sandbox.json')
}

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
