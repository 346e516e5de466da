import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { anOrder } from '../../../tests/support/payments'
import { expect, test, type Customer } from '../../../tests/support/store'
import { ProviderError } from '../deps'
import { newId } from '../shared/ids.server'
import { confirmPayment, PaymentReport, PaymentRequest, requestPayment } from './start-payment.server'
import { startIntent } from './payments.server'
import { placeOrder } from '../ordering/place-order.server'
import type { User } from '../accounts/sign-in'

const userOf = (customer: Customer, role: User['role'] = 'customer'): User => ({ ...customer, role })

test.for([
  [{ orderPrice: 5 }, { orderPrice: 500 }],
  [{ orderPrice: 0 }, { orderPrice: 0 }],
  [
    { orderPrice: 8.2, orderId: 'a' },
    { orderPrice: 820, orderId: 'a' },
  ],
  [{ orderPrice: -1 }, 'Price cannot be negative'],
  [{ orderPrice: 1.005 }, 'Price must be in whole cents'],
  [{}, 'The price in dollars'],
  [{ orderPrice: '5' }, 'Price must be a number'],
  [{ orderPrice: 1e308 }, 'Price must be in whole cents'],
  [
    { orderPrice: 5, orderId: 'a'.repeat(100) },
    { orderPrice: 500, orderId: 'a'.repeat(100) },
  ],
  [{ orderPrice: 5, orderId: 'a'.repeat(101) }, /100/],
  [{ orderPrice: 5, more: 1 }, /more/],
] as const)('reads the payment request %j as %j', ([input, expected]) => {
  const { data, error } = PaymentRequest.safeParse(input)
  if (data) expect(data).toEqual(expected)
  else expect(error.issues[0]!.message).toMatch(expected as string)
})

test.for([
  [{ transactionId: 'p' }, true],
  [{ transactionId: 'p'.repeat(255), order: 'o'.repeat(100) }, true],
  [{ transactionId: '' }, false],
  [{ transactionId: 'p'.repeat(256) }, false],
  [{ transactionId: 'p', order: 'o'.repeat(101) }, false],
  [{ transactionId: 'p', paid: true }, false],
  [{}, false],
] as const)('accepts the confirmation body %j: %s', ([input, accepted]) => {
  expect(PaymentReport.safeParse(input).success).toBe(accepted)
})

test('finds the order by its price or by its id, and refuses another price', async ({ shop }) => {
  const { deps, calls } = fakeProvider(shop)
  const { customer, id, violin } = await anOrder(shop)
  const me = userOf(customer)
  const secret = await requestPayment(deps, me, { orderPrice: 500_00 })
  expect(secret).toEqual({ clientSecret: 'pi_1_secret' })
  expect(await requestPayment(deps, me, { orderPrice: 500_00, orderId: id })).toEqual(secret)
  const callCount = calls.length
  for (const [request, message] of [
    [{ orderPrice: 499_99, orderId: id }, 'This order costs $500.00. Nothing was charged.'],
    [{ orderPrice: 1_00 }, 'None of your unpaid orders costs $1.00. Name one with orderId.'],
  ] as const) {
    await expect(requestPayment(deps, me, request)).rejects.toMatchObject({ code: 'conflict', message })
  }
  const other = userOf(await shop.customer())
  await expect(requestPayment(deps, other, { orderPrice: 500_00 })).rejects.toMatchObject({ code: 'conflict' })
  for (const caller of [other, userOf(await shop.admin(), 'admin')]) {
    await expect(requestPayment(deps, caller, { orderPrice: 500_00, orderId: id })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  const form = { submissionId: newId(), customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await placeOrder(deps, customer, { ...form, instrumentId: violin, orderQuantity: 2 })
  await expect(requestPayment(deps, me, { orderPrice: 500_00 })).rejects.toMatchObject({
    message: 'More than one of your unpaid orders costs $500.00. Name one with orderId.',
  })
  expect(calls).toHaveLength(callCount)
})

test('ignores a paid order of that price', async ({ shop }) => {
  const { deps, becomes } = fakeProvider(shop)
  const order = await anOrder(shop)
  const me = userOf(order.customer)
  await requestPayment(deps, me, { orderPrice: 500_00 })
  becomes('pi_1', paid(order))
  await confirmPayment(deps, me, order.id, { transactionId: 'pi_paid' })
  await expect(requestPayment(deps, me, { orderPrice: 500_00 })).rejects.toMatchObject({ message: /^None of/ })
})

test('trusts only the provider about whether an order is paid', async ({ shop }) => {
  const { deps, becomes, errors, calls } = fakeProvider(shop)
  const order = await anOrder(shop)
  const { id, customer } = order
  const me = userOf(customer)
  await startIntent(deps, customer, id)
  const input = { transactionId: 'pi_paid' }
  await expect(confirmPayment(deps, me, id, { ...input, order: 'another' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'The body names a different order.',
  })
  await expect(confirmPayment(deps, me, id, input)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is not paid.',
  })
  errors.find = new ProviderError('no answer', { final: false })
  await expect(confirmPayment(deps, me, id, input)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Stripe is not responding. Try again in a minute.',
  })
  delete errors.find
  becomes('pi_1', paid(order))
  for (const caller of [userOf(await shop.customer()), userOf(await shop.admin(), 'admin')]) {
    await expect(confirmPayment(deps, caller, id, input)).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(confirmPayment(deps, me, id, { transactionId: 'pi_other' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order was paid with another payment.',
  })
  const callCount = calls.length
  // The refused call above has already made the order paid.
  expect(await confirmPayment(deps, me, id, { ...input, order: id })).toEqual({ modified: false })
  expect(calls).toHaveLength(callCount)
})

test('reports modified only to the call that made the order paid', async ({ shop }) => {
  const { deps, becomes } = fakeProvider(shop)
  const order = await anOrder(shop)
  await startIntent(deps, order.customer, order.id)
  becomes('pi_1', paid(order))
  const confirm = () => confirmPayment(deps, userOf(order.customer), order.id, { transactionId: 'pi_paid' })
  expect([await confirm(), await confirm()]).toEqual([{ modified: true }, { modified: false }])
})
