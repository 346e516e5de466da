import { eq } from 'drizzle-orm'
import { paymentAttempts } from '../../db/schema'
import { confirm } from '../../../tests/support/card-form'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, stateOf, intentsAtStripe, checkoutsAtStripe } from '../../../tests/support/payments'
import { expect, test, type Customer, type Store } from '../../../tests/support/store'
import { ProviderError } from '../deps'
import { newId } from '../shared/ids.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { startCheckout, startIntent } from './payments.server'
import { confirmOrderPayment } from './confirm-payment.server'

/** Deps where another window opens an intent after each payment that this one closes. */
function withRacingWindow(shop: Store, customer: Customer, id: string, { times }: { times: number }) {
  const { payments } = shop.deps
  const close: typeof payments.close = async (...args) => {
    const closed = await payments.close(...args)
    if (times-- > 0) await startIntent(shop.deps, customer, id)
    return closed
  }
  return { ...shop.deps, payments: { ...payments, close } }
}

test('opens one checkout for tabs that start to pay at the same time', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const urls = await Promise.all(Array.from({ length: 6 }, () => startCheckout(shop.deps, customer, id)))
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1)
  expect(await startCheckout(shop.deps, customer, id)).toEqual(urls[0])
})

test('refuses to pay or cancel a paid order', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await confirmOrderPayment(shop.deps, id)
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
})

test('treats a checkout that the provider has lost as over', async ({ shop }) => {
  shop.skipInvariants('the shop is made to forget checkouts that the provider keeps')
  const { violin, customer, id } = await anOrder(shop)
  await startCheckout(shop.deps, customer, id)
  const forget = () =>
    shop.deps.db
      .update(paymentAttempts)
      .set({ providerId: `cs_test_gone_${newId()}` })
      .where(eq(paymentAttempts.state, 'open'))
  await forget()
  expect((await startCheckout(shop.deps, customer, id)).url).toContain('/checkout/')
  await forget()
  await cancelOrder(shop.deps, customer, id)
  expect(await shop.stockOf(violin)).toBe(10)
})

test('refuses payment and cancellation while the provider is down, and works again afterwards', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await stateOf(shop, customer, id)).toBe('unpaid')

  const { url } = await startCheckout(shop.deps, customer, id)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await shop.stockOf(violin)).toBe(8)
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('opens no second checkout after a lost response', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 1, status: 503, when: 'after' } })
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await checkoutsAtStripe(shop)).toEqual([expect.objectContaining({ url, status: 'open' })])
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('starts a new attempt after an error that the provider stored', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 1, status: 500 } })
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  const { url } = await startCheckout(shop.deps, customer, id)
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('opens one intent for the total, and returns it on repeat and in a second tab', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const secrets = await Promise.all(Array.from({ length: 4 }, () => startIntent(shop.deps, customer, id)))
  expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1)
  expect(await startIntent(shop.deps, customer, id)).toEqual(secrets[0])
  expect(await intentsAtStripe(shop)).toMatchObject([
    { amount: 500_00, currency: 'usd', metadata: { order: id, customer: customer.id } },
  ])
})

test('keeps one payment open at a time: a checkout expires the intent, and the other way round', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const first = await startIntent(shop.deps, customer, id)
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await confirm(shop, first.clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  const second = await startIntent(shop.deps, customer, id)
  expect(second).not.toEqual(first)
  await expect(payAt(url)).rejects.toThrow('nothing to pay')
  await confirm(shop, second.clientSecret)
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await stateOf(shop, customer, id)).toBe('paid')
})

test('opens the checkout although another window has just opened an intent', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  const { url } = await startCheckout(withRacingWindow(shop, customer, id, { times: 1 }), customer, id)
  const attempts = await shop.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, id))
  expect(attempts.map(({ kind, state }) => [kind, state])).toEqual([
    ['intent', 'closed'],
    ['intent', 'closed'],
    ['checkout', 'open'],
  ])
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('refuses while another window keeps opening an intent, which can still be paid', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  await expect(startCheckout(withRacingWindow(shop, customer, id, { times: 9 }), customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is being paid in another window. Try again in a moment.',
  })
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  await confirm(shop, clientSecret)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('keeps the attempt of another tab after a provider error', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startCheckout(shop.deps, customer, id)
  const { payments } = shop.deps
  const slowTab = {
    ...shop.deps,
    payments: {
      ...payments,
      close: async (...args: Parameters<typeof payments.close>) => {
        const closed = await payments.close(...args)
        await startIntent(shop.deps, customer, id)
        return closed
      },
      openIntent: () => Promise.reject(new ProviderError('Stripe: 500', { final: true })),
    },
  }
  await expect(startIntent(slowTab, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  await startIntent(shop.deps, customer, id)
  expect(await intentsAtStripe(shop)).toHaveLength(1)
})
