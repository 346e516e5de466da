import { expect } from 'vitest'
import { confirm } from '../../tests/card-form'
import { payAt } from '../../tests/hosted-page'
import { anOrder, stateOf } from '../../tests/payments'
import { test } from '../../tests/store'
import { cancelOrder } from './cancelling.server'
import { startCheckout, startIntent } from './payments.server'
import { settleOrder } from './settling.server'

test('cancelling gives the pieces back once, and makes the checkout unpayable first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  await Promise.all(
    [cancelOrder(shop.deps, customer, id), cancelOrder(shop.deps, customer, id)].map((task) =>
      task.catch(() => undefined),
    ),
  )

  expect(await stateOf(shop, customer, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(10)
  await expect(payAt(url)).rejects.toThrow('nothing to pay')
})

test('an order that was paid a moment before it is cancelled is paid, and the customer is told', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is paid and can no longer be cancelled.',
  })
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(8)
})

test('nobody pays for, or cancels, the order of somebody else', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const other = await shop.customer()
  await expect(startCheckout(shop.deps, other, id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(cancelOrder(shop.deps, other, id)).rejects.toMatchObject({ code: 'not-found' })
})

test('cancelling makes the intent unpayable first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  await cancelOrder(shop.deps, customer, id)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  expect(await shop.stockOf(violin)).toBe(10)
})
