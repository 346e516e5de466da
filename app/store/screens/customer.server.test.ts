import { anOrder } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { sessions } from '../../db/schema'
import { endAllSessions } from '../accounts/sessions.server'
import { prepareSession } from '../accounts/sign-in.server'
import { grantAdmin } from '../accounts/users.server'
import { readCustomer } from './customer.server'
import { markMessage, sendMessage } from '../email/contact.server'
import { askForPrice } from '../quotes/quotes.server'
import { newId } from '../shared/ids.server'
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
  await markMessage(shop.deps, admin, { messageId: record.messages[0]!.id, isDone: true })
  expect((await readCustomer(shop.deps, ada.id, { limit: 1 }))!.messages).toMatchObject([{ isDone: true }])
  expect(await readCustomer(shop.deps, admin.id, { limit: 1 })).toMatchObject({ quotes: [], messages: [] })
})
