import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { confirm } from '../../../tests/support/card-form'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, cancelBehindItsBack, stateOf } from '../../../tests/support/payments'
import { test, type Customer } from '../../../tests/support/store'
import { orders } from '../../db/schema'
import { cancelOrder, cancelOrderByEmail } from './cancel-order.server'
import { newId } from '../ids.server'
import { startCheckout, startIntent } from '../payments/payments.server'
import { placeOrder } from './place-order.server'
import type { User } from '../accounts/sign-in'

test('cancelling gives the pieces back once, and makes the checkout unpayable first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  const cancels = Array.from({ length: 6 }, () => cancelOrder(shop.deps, customer, id))
  expect((await Promise.all(cancels)).filter(Boolean)).toHaveLength(1)
  expect(await cancelOrder(shop.deps, customer, id)).toBe(false)

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

const visitor = (customer: Customer, role: User['role'] = 'customer'): User => ({ ...customer, role })

test('who has cancelled an order stands in the audit log: its customer, or the admin who did it for them', async ({
  shop,
}) => {
  const [own, helped] = [await anOrder(shop), await anOrder(shop)]
  const admin = visitor(await shop.admin(), 'admin')
  shop.told.length = 0
  await cancelOrder(shop.deps, own.customer, own.id)
  expect(shop.told).toEqual(['stock'])
  expect(await cancelOrderByEmail(shop.deps, admin, { email: helped.customer.email, orderId: helped.id })).toBe(1)
  for (const [{ violin, id }, actor] of [
    [own, own.customer.id],
    [helped, admin.id],
  ] as const) {
    expect((await shop.journalOf(violin, id)).at(-1)).toMatchObject({ event: 'order cancelled', actor, stockDelta: 2 })
  }
})

test('whose order may be cancelled by its email, and which', async ({ shop }) => {
  const { customer, id, violin } = await anOrder(shop)
  const [me, other, admin] = [visitor(customer), visitor(await shop.customer()), visitor(await shop.admin(), 'admin')]
  const cancel = (caller: User, email: string, orderId?: string) =>
    cancelOrderByEmail(shop.deps, caller, { email, orderId })
  for (const [caller, email, orderId, refusal] of [
    [other, me.email, id, { code: 'forbidden', message: 'This is somebody else.' }],
    [other, me.email, undefined, { code: 'forbidden', message: 'This is somebody else.' }],
    [other, other.email, id, { code: 'forbidden', message: 'This is the order of another customer.' }],
    [admin, other.email, id, { code: 'conflict', message: 'This is the order of another customer.' }],
    [admin, 'nobody@example.com', undefined, { code: 'not-found', message: 'Nobody has this email.' }],
    [me, me.email, 'none', { code: 'not-found', message: 'There is no such order.' }],
  ] as const) {
    await expect(cancel(caller, email, orderId)).rejects.toMatchObject(refusal)
  }
  expect(await cancel(other, other.email)).toBe(0)
  const again = { submissionId: newId(), customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const second = await placeOrder(shop.deps, customer, { ...again, instrumentId: violin, orderQuantity: 1 })
  await expect(cancel(me, me.email)).rejects.toMatchObject({
    code: 'conflict',
    message: 'There are several unpaid orders: name one with orderId.',
  })
  expect(await cancel(me, me.email, second.id)).toBe(1)
  expect(await cancel(admin, me.email)).toBe(1)
  expect((await shop.journalOf(violin, id)).at(-1)).toMatchObject({ actor: admin.id })
  expect(await cancelOrder(shop.deps, customer, id)).toBe(false)
  await expect(cancel(me, me.email, id)).rejects.toMatchObject({ code: 'not-found' })
  expect(await cancel(me, me.email)).toBe(0)
  expect(await shop.stockOf(violin)).toBe(10)
})

test('what happens to an order while the provider closes its payment decides what its customer is told', async ({
  shop,
}) => {
  const { deps } = fakeProvider(shop)
  for (const [meanwhile, told] of [
    ['cancelled', undefined],
    ['paid', 'This order is paid and can no longer be cancelled.'],
    ['opened again', 'This order is being paid in another window. Try again in a moment.'],
  ] as const) {
    const order = await anOrder(shop)
    await startIntent(deps, order.customer, order.id)
    const close: typeof deps.payments.close = async (kind, id) => {
      const found = await deps.payments.close(kind, id)
      if (meanwhile === 'cancelled') await cancelBehindItsBack(shop, order.id)
      if (meanwhile === 'opened again') await startIntent(deps, order.customer, order.id)
      if (meanwhile === 'paid') {
        const state = { state: 'paid' as const, paidAt: 1, transactionId: newId(), movedBy: 'stripe' }
        await shop.deps.db.update(orders).set(state).where(eq(orders.id, order.id))
      }
      return found
    }
    shop.told.length = 0
    const racing = { ...deps, payments: { ...deps.payments, close } }
    const cancelling = cancelOrder(racing, order.customer, order.id)
    if (told === undefined) expect(await cancelling).toBe(false)
    else await expect(cancelling).rejects.toMatchObject({ code: 'conflict', message: told })
    expect(shop.told).toEqual([])
  }
})
