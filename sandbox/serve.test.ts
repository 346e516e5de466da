import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSandbox, openShop, payOnPage, refusal, stripeClient, violins } from './testing/fixture'
import { mailApiKey, stripeSecretKey } from './keys'

function memoryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sandbox.json')
}

test('a second start on the same port is refused in words', async () => {
  const { url } = await openSandbox()
  const port = Number(new URL(url).port)
  await expect(openSandbox({ port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: expect.stringContaining(`port ${port} is taken`) as string,
  })
})

test('payments, keys, mail and undelivered events are there again after a restart; faults are not', async () => {
  const file = memoryFile()
  const first = await openSandbox({ memoryFile: file })
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
  const second = await openSandbox({ memoryFile: file, webhookUrl: shop.url })
  expect((await second.stripe.paymentIntents.list()).data).toEqual(intents)
  expect(await second.stripe.refunds.retrieve(refund.id)).toMatchObject({ amount: 100 })
  expect(await second.ledger()).toEqual(ledger)
  expect(await second.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete' })
  const replayed = await second.stripe.checkout.sessions.create(violins, { idempotencyKey: 'order-1' })
  expect(replayed.id).toBe(session.id)
  expect(await (await second.send('GET', '/mail')).json()).toMatchObject([{ subject: 'Kept' }])
  await vi.waitFor(() => expect(shop.types()).toContain('checkout.session.completed'))
})

test('the memory is written while the sandbox runs, too', async () => {
  const file = memoryFile()
  const { stripe } = await openSandbox({ memoryFile: file })
  const { id } = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  })
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(id))
})

test('an unreadable memory is put aside, and said', async () => {
  const file = memoryFile()
  writeFileSync(file, '{"stripe":')
  const { log, ledger } = await openSandbox({ memoryFile: file })
  expect(await ledger()).toEqual([])
  expect(log.join()).toContain('unreadable')
  expect(existsSync(`${file}.unreadable`)).toBe(true)
})

test('what nobody here knows is answered 501, by name, and logged', async () => {
  const { send, log } = await openSandbox()
  const answer = await send('PUT', '/oauth2/token')
  expect(answer.status).toBe(501)
  expect(await answer.text()).toContain('The sandbox does not know PUT /oauth2/token.')
  expect(log.join()).toContain('PUT /oauth2/token')
})

test('a request that nobody foresaw is answered 500, and logged', async () => {
  const { url, log } = await openSandbox()
  const call = request(url, { method: 'TRACE' }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(500)
  expect(JSON.parse(Buffer.concat((await answer.toArray()) as Buffer[]).toString())).toMatchObject({
    error: { type: 'api_error' },
  })
  expect(log.join()).toContain('TRACE')
})

test('a body over a megabyte is refused, and the next request is answered', async () => {
  const { url, stripe } = await openSandbox()
  const answer = await fetch(`${url}/emails`, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
  expect(answer.status).toBe(413)
  expect((await stripe.events.list()).data).toEqual([])
})

test('a key is needed, as Bearer or Basic', async () => {
  const { url } = await openSandbox()
  const get = (authorization: string) => fetch(`${url}/v1/events`, { headers: { authorization } })
  expect(await refusal(stripeClient(url, 'sk_test_other').events.list())).toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  })
  expect((await fetch(`${url}/v1/events`)).status).toBe(401)
  expect((await get(`Basic ${Buffer.from(`${stripeSecretKey}:`).toString('base64')}`)).status).toBe(200)
  const answer = await get(`Bearer ${stripeSecretKey}`)
  expect(answer.headers.get('request-id')).toMatch(/^req_/)
})

test('stopping ends retries of webhooks and connections that are kept alive', async () => {
  const { stripe, url, stop } = await openSandbox()
  await stripe.paymentIntents.create({ amount: 2000, currency: 'usd' })
  await stop()
  await expect(fetch(url)).rejects.toThrow()
})
