import { aPaidOrder, anOrder } from '../../../tests/support/payments'
import { eq } from 'drizzle-orm'
import { expect, orderInput, test } from '../../../tests/support/store'
import { orderRefunds, orders, sessions } from '../../db/schema'
import { endAllSessions } from '../accounts/sessions.server'
import { prepareSession } from '../accounts/sign-in.server'
import { grantAdmin } from '../accounts/users.server'
import { readCustomer } from './customer.server'
import { markMessages, sendMessage } from '../email/contact.server'
import { askForPrice } from '../quotes/quotes.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { refundOrder } from '../payments/order-refunds.server'
import { closeAccount } from '../privacy/close-account.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { addReview } from '../reviews/reviews.server'

test('shows an admin the account, orders, reviews and history of one user, and no secret', async ({ shop }) => {
  const [{ id, customer }, root, bea] = [await anOrder(shop), await shop.admin(), await shop.customer()]
  await cancelOrder(shop.deps, customer, id)
  await addReview(shop.deps, customer, { description: 'Sings.' })
  await addReview(shop.deps, bea, { description: 'Croaks.' })
  await grantAdmin(shop.deps, root.id, customer.email)
  for (const user of [customer, customer, bea]) await (await prepareSession(shop.deps, user, '')).insert
  await endAllSessions(shop.deps, root, customer.id)
  expect(await shop.deps.db.select().from(sessions)).toMatchObject([{ userId: bea.id }])

  const record = (await readCustomer(shop.deps, customer.id, { limit: 1 }))!
  expect(record.user).toEqual({
    ...{ id: customer.id, email: customer.email, name: customer.name, role: 'admin', staffRole: null },
    ...{ isVerified: true, hasSecondFactor: false, closedAt: null, createdAt: expect.any(Number) as number },
  })
  expect(record.orders).toMatchObject([{ id, state: 'cancelled' }])
  expect(record.reviews).toMatchObject([{ description: 'Sings.' }])
  expect(record.events).toMatchObject([
    { event: 'sessions ended', actor: root.email },
    { event: 'admin granted', actor: root.email },
  ])
  expect((await readCustomer(shop.deps, customer.id, { limit: 1, before: id }))!.orders).toEqual([])
  expect((await readCustomer(shop.deps, bea.id, { limit: 1 }))!.orders).toEqual([])
  expect(await readCustomer(shop.deps, 'nobody', { limit: 1 })).toBeNull()
})

test('shows the price requests of a user, and the messages with the same email', async ({ shop }) => {
  const [ada, bea, oboe] = [await shop.customer(), await shop.customer(), await shop.sells({ name: 'Oboe' })]
  for (const customer of [ada, bea])
    await askForPrice(shop.deps, customer, { submissionId: newId(), instrumentId: oboe, orderQuantity: 7 })
  const message = { name: 'Ada', message: 'Reeds?', copy: false }
  await sendMessage(shop.deps, { ...message, email: ada.email }, '203.0.113.9')
  await sendMessage(shop.deps, { ...message, email: bea.email, message: 'No' }, '203.0.113.9')
  const record = (await readCustomer(shop.deps, ada.id, { limit: 1 }))!
  expect(record.quotes).toMatchObject([{ instrument: 'Oboe', wantedQuantity: 7, state: 'asked' }])
  expect(record.messages).toMatchObject([{ message: 'Reeds?', isDone: false }])
  const admin = await shop.admin()
  await markMessages(shop.deps, admin, [record.messages[0]!.id], true)
  expect((await readCustomer(shop.deps, ada.id, { limit: 1 }))!.messages).toMatchObject([{ isDone: true }])
  expect(await readCustomer(shop.deps, admin.id, { limit: 1 })).toMatchObject({ quotes: [], messages: [] })
})

test('adds up what a customer paid less refunds, as an independent count of their orders does, after the account is closed too', async ({
  shop,
}) => {
  shop.skipInvariants('payments that never were, and a refund that did not fail at Stripe')
  const { id: first, customer, violin } = await aPaidOrder(shop, { stock: 50, quantity: 2 })
  const spent = async () => (await readCustomer(shop.deps, customer.id, { limit: 1 }))!.spent
  expect(await spent()).toEqual({ orders: 1, cents: 500_00, isWhole: true })
  const admin = await shop.admin()
  const order = async (quantity: number) => (await placeOrder(shop.deps, customer, orderInput(violin, quantity))).id
  const pay = (id: string) =>
    shop.deps.db
      .update(orders)
      .set({ state: 'paid', paidAt: shop.deps.now(), transactionId: `pi_${id}`, movedBy: 'stripe' })
      .where(eq(orders.id, id))
  const open = await order(9)
  await cancelOrder(shop.deps, customer, await order(5))
  const whole = await order(1)
  await pay(whole)
  const refund = (id: string, amount: number) =>
    refundOrder(shop.deps, admin, id, { submissionId: newId(), amount, reason: 'Dent' })
  await refund(first, 12_34)
  await refund(first, 20_00)
  await refund(whole, 250_00)
  await shop.deps.db.update(orderRefunds).set({ failedAt: 1 }).where(eq(orderRefunds.amountCents, 20_00))
  // Another customer's order is not theirs.
  await aPaidOrder(shop)

  const [its, refunds] = await shop.deps.db.batch([
    shop.deps.db.select().from(orders).where(eq(orders.customerId, customer.id)),
    shop.deps.db.select().from(orderRefunds),
  ])
  const paid = its.filter(({ state }) => state === 'paid' || state === 'shipped')
  const ids = new Set(paid.map(({ id }) => id))
  const refunded = refunds.filter(({ orderId, failedAt }) => ids.has(orderId) && failedAt === null)
  const cents =
    paid.reduce((sum, { totalCents }) => sum + totalCents, 0) -
    refunded.reduce((sum, { amountCents }) => sum + amountCents, 0)
  expect(cents).toBe(500_00 - 12_34)
  expect([its.length, await spent()]).toEqual([4, { orders: 2, cents, isWhole: true }])
  await cancelOrder(shop.deps, customer, open)
  expect(await closeAccount(shop.deps, customer)).toBe(true)
  expect(await spent()).toEqual({ orders: 2, cents, isWhole: true })
  expect((await readCustomer(shop.deps, admin.id, { limit: 1 }))!.spent).toEqual({ orders: 0, cents: 0, isWhole: true })
})
