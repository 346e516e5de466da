import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { createApiKey } from '../../app/store/integrations/api-keys.server'
import { newId } from '../../app/store/shared/ids.server'
import { programOf } from '../support/api-client'
import { confirm } from '../support/card-form'
import { expect, test } from '../support/shop'
import { WebhookReceiver } from '../support/webhook-receiver'

/** As somebody would write it who has only the API document: from an order to its refund, and back to the order by a key. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './paths'

type Client = ReturnType<typeof createClient<paths>>
const by = (baseUrl: string, token: string): Client =>
  createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } })

function done<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

export async function register(origin: string, admin: string, url: string) {
  const body = { url, events: ['order.placed' as const, 'order.paid' as const, 'order.shipped' as const, 'order.refunded' as const] }
  const { insertedId, secret } = done(await by(origin, admin).POST('/webhook-endpoints', { body }))
  return { id: insertedId, secret }
}

export async function tryOut(origin: string, admin: string, id: string) {
  done(await by(origin, admin).POST('/webhook-endpoints/{id}/test', { params: { path: { id } } }))
}

export async function buy(origin: string, customer: string, pay: (secret: string) => Promise<unknown>) {
  const client = by(origin, customer)
  const [instrument] = done(await client.GET('/instruments', { params: { query: { max: 1000 } } }))
  if (!instrument) throw new Error('Nothing on sale')
  const { insertedId: id } = done(
    await client.POST('/order', {
      params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: {
        instrumentId: instrument._id,
        orderQuantity: instrument.minQuantity,
        orderPrice: instrument.price * instrument.minQuantity,
        customerAddress: '1 Bow Lane',
        customerPhone: '07700 900123',
      },
    }),
  )
  const orderPrice = instrument.price * instrument.minQuantity
  const { clientSecret } = done(await client.POST('/create-payment-intent', { body: { orderId: id, orderPrice } }))
  await pay(clientSecret)
  const transactionId = clientSecret.split('_secret')[0] ?? ''
  done(await client.PATCH('/order/{id}', { params: { path: { id } }, body: { order: id, transactionId } }))
  return id
}

export async function handle(origin: string, key: string, id: string) {
  const client = by(origin, key)
  const { orders } = done(await client.GET('/order-changes'))
  const path = { id }
  done(await client.POST('/order/{id}/shipment', { params: { path }, body: { carrier: 'DHL' } }))
  const header = { 'Idempotency-Key': crypto.randomUUID() }
  const { state } = done(
    await client.POST('/order/{id}/refunds', { params: { path, header }, body: { amount: 5, reason: 'Dent' } }),
  )
  const order = done(await client.GET('/order/{id}', { params: { path } }))
  return { found: orders.map(({ _id }) => _id), state, paid: order.paid, refunded: order.refunded }
}
`

interface Walk {
  register: (origin: string, admin: string, url: string) => Promise<{ id: string; secret: string }>
  tryOut: (origin: string, admin: string, id: string) => Promise<void>
  buy: (origin: string, customer: string, pay: (secret: string) => Promise<unknown>) => Promise<string>
  handle: (origin: string, key: string, id: string) => Promise<object>
}

function compile(file: string): string {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
  try {
    execFileSync('node_modules/.bin/tsc', [...options, '--target', 'es2022', '--lib', 'es2022,dom', file])
    return ''
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout)
  }
}

test('a client that openapi-typescript makes compiles, and walks an order from its key to its webhooks', async ({
  shop,
}) => {
  const receiver = await WebhookReceiver.open()
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync(resolve('.cache/generated-client-'))
  try {
    const document = await (await shop.visitor().fetch('/openapi.json')).text()
    writeFileSync(join(folder, 'paths.ts'), astToString(await openapiTS(document)))
    const file = join(folder, 'walk.ts')
    writeFileSync(file, program.replace("reason: 'Dent'", 'why: 1'))
    expect(compile(file)).toMatch(/'why' does not exist/)
    writeFileSync(file, program)
    expect(compile(file)).toBe('')

    await shop.sells({ price: 100_00, minimum: 2 })
    const admin = await shop.admin()
    const { token: adminToken } = await programOf(shop, admin)
    const { token: customerToken } = await programOf(shop, await shop.customer())
    const scopes = ['orders:read', 'orders:ship', 'orders:refund'] as const
    const { key } = await createApiKey(shop.deps, admin, {
      ...{ name: 'Warehouse', scopes: [...scopes], days: 30, submissionId: newId() },
    })
    const { origin } = shop.visitor()
    const walk = (await import(pathToFileURL(file).href)) as Walk
    const endpoint = await walk.register(origin, adminToken!, receiver.url)
    receiver.secret = endpoint.secret
    await walk.tryOut(origin, adminToken!, endpoint.id)
    const id = await walk.buy(origin, customerToken!, (secret) => confirm(shop, secret))
    expect(await walk.handle(origin, key, id)).toEqual({ found: [id], state: 'made', paid: true, refunded: 5 })
    const types = ['webhook.test', 'order.placed', 'order.paid', 'order.shipped', 'order.refunded']
    await expect.poll(() => receiver.types(), { timeout: 20_000 }).toEqual(types)
    expect(receiver.forged).toBe(0)
  } finally {
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
