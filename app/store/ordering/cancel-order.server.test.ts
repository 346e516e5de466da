import { eq } from 'drizzle-orm'
import { confirm } from '../../../tests/support/card-form'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, cancelBehindItsBack, stateOf } from '../../../tests/support/payments'
import { expect, test, type Customer } from '../../../tests/support/store'
import { orders } from '../../db/schema'
import { cancelOrder, cancelOrderByEmail } from './cancel-order.server'
import { newId } from '../shared/ids.server'
import { startCheckout, startIntent } from '../payments/payments.server'
import { placeOrder } from './place-order.server'
import type { User } from '../accounts/sign-in'

test('returns the stock once, and expires the checkout first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  const cancels = Array.from({ length: 6 }, () => cancelOrder(shop.deps, customer, id))
  expect((await Promise.all(cancels)).filter(Boolean)).toHaveLength(1)
  expect(await cancelOrder(shop.deps, customer, id)).toBe(false)

  expect(await stateOf(shop, customer, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(10)
  await expect(payAt(url)).rejects.toThrow('nothing to pay')
})

test('refuses to cancel an order that was paid just before', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is paid and can no longer be cancelled.',
  })
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(8)
})

test('refuses to pay or cancel the order of another customer', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const other = await shop.customer()
  await expect(startCheckout(shop.deps, other, id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(cancelOrder(shop.deps, other, id)).rejects.toMatchObject({ code: 'not-found' })
})

test('cancels the intent before the order', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  await cancelOrder(shop.deps, customer, id)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  expect(await shop.stockOf(violin)).toBe(10)
})

const userOf = (customer: Customer, role: User['role'] = 'customer'): User => ({ ...customer, role })

test('records who cancelled an order in the audit log: the customer or an admin', async ({ shop }) => {
  const [own, helped] = [await anOrder(shop), await anOrder(shop)]
  const admin = userOf(await shop.admin(), 'admin')
  shop.invalidated.length = 0
  await cancelOrder(shop.deps, own.customer, own.id)
  expect(shop.invalidated).toEqual(['stock'])
  expect(await cancelOrderByEmail(shop.deps, admin, { email: helped.customer.email, orderId: helped.id })).toBe(1)
  for (const [{ violin, id }, actor] of [
    [own, own.customer.id],
    [helped, admin.id],
  ] as const) {
    expect((await shop.auditLogOf(violin, id)).at(-1)).toMatchObject({ event: 'order cancelled', actor, stockDelta: 2 })
  }
})

test('cancels by email only the caller’s own order, or as an admin', async ({ shop }) => {
  const { customer, id, violin } = await anOrder(shop)
  const [me, other, admin] = [userOf(customer), userOf(await shop.customer()), userOf(await shop.admin(), 'admin')]
  const cancel = (caller: User, email: string, orderId?: string) =>
    cancelOrderByEmail(shop.deps, caller, { email, orderId })
  for (const [caller, email, orderId, refusal] of [
    [other, me.email, id, { code: 'forbidden', message: 'You can only cancel your own orders.' }],
    [other, me.email, undefined, { code: 'forbidden', message: 'You can only cancel your own orders.' }],
    [other, other.email, id, { code: 'forbidden', message: 'This order belongs to another customer.' }],
    [admin, other.email, id, { code: 'conflict', message: 'This order belongs to another customer.' }],
    [admin, 'nobody@example.com', undefined, { code: 'not-found', message: 'No user has this email.' }],
    [me, me.email, 'none', { code: 'not-found', message: 'Order not found.' }],
  ] as const) {
    await expect(cancel(caller, email, orderId)).rejects.toMatchObject(refusal)
  }
  expect(await cancel(other, other.email)).toBe(0)
  const again = { submissionId: newId(), customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const second = await placeOrder(shop.deps, customer, { ...again, instrumentId: violin, orderQuantity: 1 })
  await expect(cancel(me, me.email)).rejects.toMatchObject({
    code: 'conflict',
    message: 'There are several unpaid orders. Name one with orderId.',
  })
  expect(await cancel(me, me.email, second.id)).toBe(1)
  expect(await cancel(admin, me.email)).toBe(1)
  expect((await shop.auditLogOf(violin, id)).at(-1)).toMatchObject({ actor: admin.id })
  expect(await cancelOrder(shop.deps, customer, id)).toBe(false)
  await expect(cancel(me, me.email, id)).rejects.toMatchObject({ code: 'not-found' })
  expect(await cancel(me, me.email)).toBe(0)
  expect(await shop.stockOf(violin)).toBe(10)
})

test('returns what happened to the order while the provider closed its payment', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  for (const [change, message] of [
    ['cancelled', undefined],
    ['paid', 'This order is paid and can no longer be cancelled.'],
    ['opened again', 'This order is being paid in another window. Try again in a moment.'],
  ] as const) {
    const order = await anOrder(shop)
    await startIntent(deps, order.customer, order.id)
    const close: typeof deps.payments.close = async (kind, id) => {
      const found = await deps.payments.close(kind, id)
      if (change === 'cancelled') await cancelBehindItsBack(shop, order.id)
      if (change === 'opened again') await startIntent(deps, order.customer, order.id)
      if (change === 'paid') {
        const state = { state: 'paid' as const, paidAt: 1, transactionId: newId(), movedBy: 'stripe' }
        await shop.deps.db.update(orders).set(state).where(eq(orders.id, order.id))
      }
      return found
    }
    shop.invalidated.length = 0
    const racing = { ...deps, payments: { ...deps.payments, close } }
    const cancelling = cancelOrder(racing, order.customer, order.id)
    if (message === undefined) expect(await cancelling).toBe(false)
    else await expect(cancelling).rejects.toMatchObject({ code: 'conflict', message })
    expect(shop.invalidated).toEqual([])
  }
})
