import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { paymentAttempts } from '../../db/schema'
import { confirm } from '../../../tests/support/card-form'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, stateOf, intentsAtStripe, checkoutsAtStripe } from '../../../tests/support/payments'
import { test, type Customer, type Store } from '../../../tests/support/store'
import { ProviderError } from '../deps'
import { newId } from '../ids.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { startCheckout, startIntent } from './payments.server'
import { confirmOrderPayment } from './confirm-payment.server'

/** The shop in a window beside which another one opens an intent whenever this one has made something unpayable. */
function besideAnother(shop: Store, customer: Customer, id: string, { times }: { times: number }) {
  const { payments } = shop.deps
  const close: typeof payments.close = async (...what) => {
    const closed = await payments.close(...what)
    if (times-- > 0) await startIntent(shop.deps, customer, id)
    return closed
  }
  return { ...shop.deps, payments: { ...payments, close } }
}

test('two tabs that set out to pay get the same checkout, however close together', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const urls = await Promise.all(Array.from({ length: 6 }, () => startCheckout(shop.deps, customer, id)))
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1)
  expect(await startCheckout(shop.deps, customer, id)).toEqual(urls[0])
})

test('a paid order can be neither paid again nor cancelled', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await confirmOrderPayment(shop.deps, id)
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
})

test('a checkout that the provider does not know any more is over: another one can be opened, or the order cancelled', async ({
  shop,
}) => {
  shop.breaks('the shop is made to forget checkouts that the provider keeps')
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

test('a provider that is away is said as it is, changes nothing, and works again afterwards', async ({ shop }) => {
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

test('an answer that got lost on the way opens no second checkout', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 1, status: 503, when: 'after' } })
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await checkoutsAtStripe(shop)).toEqual([expect.objectContaining({ url, status: 'open' })])
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('a failure that the provider keeps is got round by a new attempt, and only the new checkout can be known', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 1, status: 500 } })
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  const { url } = await startCheckout(shop.deps, customer, id)
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('an intent carries the total, and the same one is answered on repeat and in a second tab', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const secrets = await Promise.all(Array.from({ length: 4 }, () => startIntent(shop.deps, customer, id)))
  expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1)
  expect(await startIntent(shop.deps, customer, id)).toEqual(secrets[0])
  expect(await intentsAtStripe(shop)).toMatchObject([
    { amount: 500_00, currency: 'usd', metadata: { order: id, customer: customer.id } },
  ])
})

test('only one thing can be paid at a time: the hosted page closes the card form, and the other way round', async ({
  shop,
}) => {
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

test('a window that was a moment faster does not keep the customer from the hosted page', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  const { url } = await startCheckout(besideAnother(shop, customer, id, { times: 1 }), customer, id)
  const attempts = await shop.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, id))
  expect(attempts.map(({ kind, state }) => [kind, state])).toEqual([
    ['intent', 'closed'],
    ['intent', 'closed'],
    ['checkout', 'open'],
  ])
  await payAt(url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('a window that is faster again and again is said to be there, and is the only one that can pay', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  await expect(startCheckout(besideAnother(shop, customer, id, { times: 9 }), customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is being paid in another window. Try again in a moment.',
  })
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  await confirm(shop, clientSecret)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
})

test('a tab that the provider answers with an error does not give up what another tab has opened', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startCheckout(shop.deps, customer, id)
  const { payments } = shop.deps
  const slowTab = {
    ...shop.deps,
    payments: {
      ...payments,
      close: async (...what: Parameters<typeof payments.close>) => {
        const closed = await payments.close(...what)
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
