import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { openSandbox, openShop } from '../../testing/fixture'

const violin = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card'] }
const longTimeout = { timeout: 15_000 }
const isUndelivered = (event: Stripe.Event) => event.pending_webhooks > 0

test("signs events, in the library's API version, with the request that caused them", async () => {
  const shop = await openShop()
  const { stripe } = await openSandbox({ webhookUrl: () => shop.url })
  const intent = await stripe.paymentIntents.create(violin, { idempotencyKey: 'order-7' })
  await vi.waitFor(() => expect(shop.types()).toEqual(['payment_intent.created']))
  expect(shop.events[0]).toMatchObject({
    object: 'event',
    api_version: Stripe.API_VERSION,
    livemode: false,
    request: { id: intent.lastResponse.requestId, idempotency_key: 'order-7' },
    data: { object: { id: intent.id, status: 'requires_payment_method' } },
  })
})

test('retries an event until the shop accepts it', async () => {
  const shop = await openShop()
  shop.statuses.push(500, 302)
  const { stripe } = await openSandbox({ webhookUrl: shop.url })
  await stripe.paymentIntents.create(violin)
  const undelivered = async () => (await stripe.events.list()).data.filter(isUndelivered)
  expect((await undelivered())[0]).toMatchObject({ type: 'payment_intent.created', pending_webhooks: 1 })
  await vi.waitFor(() => expect(shop.events).toHaveLength(3), longTimeout)
  expect(new Set(shop.events.map(({ id }) => id)).size).toBe(1)
  await vi.waitFor(async () => expect(await undelivered()).toEqual([]))
})

test('drops webhooks but lists their events', async () => {
  const shop = await openShop()
  const { stripe, fault, send } = await openSandbox({ webhookUrl: shop.url })
  await fault({ stripe: { webhooks: 'drop' } })
  const dropped = await stripe.paymentIntents.create(violin)
  await send('DELETE', '/faults')
  const received = await stripe.paymentIntents.create(violin)
  await vi.waitFor(() => expect(shop.events.map(({ data }) => data.object)).toMatchObject([{ id: received.id }]))
  expect((await stripe.events.list()).data.filter(isUndelivered)).toMatchObject([
    { data: { object: { id: dropped.id } } },
  ])
})

test('delivers webhooks twice with the same id', async () => {
  const shop = await openShop()
  const { stripe, fault } = await openSandbox({ webhookUrl: shop.url })
  await fault({ stripe: { webhooks: 'twice' } })
  await stripe.paymentIntents.create(violin)
  await vi.waitFor(() => expect(shop.events).toHaveLength(2))
  expect(shop.events[0]!.id).toBe(shop.events[1]!.id)
})

test('delivers reordered webhooks last one first', async () => {
  const shop = await openShop()
  const { stripe, fault } = await openSandbox({ webhookUrl: shop.url })
  await fault({ stripe: { webhooks: 'reorder' } })
  await stripe.paymentIntents.create({ ...violin, confirm: true, payment_method: 'pm_card_visa' })
  await vi.waitFor(
    () => expect(shop.types()).toEqual(['payment_intent.succeeded', 'payment_intent.created']),
    longTimeout,
  )
})
