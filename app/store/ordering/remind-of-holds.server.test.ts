import { eq, like } from 'drizzle-orm'
import { aPaidOrder } from '../../../tests/support/payments'
import { at, expect, hour, minute, noon, orderInput, test, type Store } from '../../../tests/support/store'
import { emails, users } from '../../db/schema'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { runScheduledTasks } from '../operations/scheduled-tasks.server'
import { maxEmailsPerRun } from '../shared/limits'
import { cancelOrder } from './cancel-order.server'
import { placeOrder } from './place-order.server'
import { remindOfHolds } from './remind-of-holds.server'

async function anOrderAtNoon(shop: Store, holdMs = 72 * hour) {
  const customer = await shop.customer()
  const { id } = await placeOrder({ ...at(shop, noon), holdMs }, customer, orderInput(await shop.sells()))
  return { customer, id }
}

const written = async (shop: Store) =>
  (await shop.deps.db.select({ id: emails.id }).from(emails).where(like(emails.id, 'hold ends:%'))).map(({ id }) => id)

test.for<[number, number, number]>([
  [72, 48 * 60, 1],
  [72, 48 * 60 - 1, 0],
  [72, 72 * 60 - 1, 1],
  [72, 72 * 60, 0],
  [240, 216 * 60, 1],
  [240, 216 * 60 - 1, 0],
  [3, 120, 1],
  [3, 119, 0],
  [0, 100 * 60, 0],
])('of a hold of %i hours, writes after %i minutes so many emails: %i', async ([hours, minutes, count], { shop }) => {
  await anOrderAtNoon(shop, hours * hour)
  await remindOfHolds(at(shop, noon + minutes * minute))
  expect(await written(shop)).toHaveLength(count)
})

test('reminds of each unpaid order once, with its payment page, however many runs there are at once', async ({
  shop,
}) => {
  const placed = await Promise.all(Array.from({ length: 5 }, () => anOrderAtNoon(shop)))
  const later = at(shop, noon + 50 * hour)
  await deliverPendingEmails(later)
  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3, 4].map(() => remindOfHolds(later)))
    await Promise.all([1, 2].map(() => runScheduledTasks(later)))
  }
  for (const { customer, id } of placed) {
    const [last, ...others] = await shop.emailsTo(customer.email)
    expect(last!.subject).toMatch(/^Not paid yet: C-\d+, 2 × Concert Violin$/)
    expect(last!.text).toMatch(/reserved until \d+ \w+ \d{4}, 12:00 UTC\. Then we cancel it/)
    expect(last!.text).toContain(`Pay $2,000.00:\n${shop.deps.origin}/dashboard/myOrders/payment/${id}`)
    expect(others.map(({ subject }) => subject.split(':')[0])).toEqual(['Your order'])
  }
})

test('reminds of no order that is paid or cancelled, before the email is written or after', async ({ shop }) => {
  const isNow = at(shop, Date.now() + 50 * hour)
  await aPaidOrder(shop)
  const [before, after] = [await anOrderAtNoon(shop), await anOrderAtNoon(shop)]
  await cancelOrder(shop.deps, before.customer, before.id)
  await remindOfHolds(isNow)
  expect(await written(shop)).toEqual([])
  const late = at(shop, noon + 50 * hour)
  await remindOfHolds(late)
  expect(await written(shop)).toEqual([`hold ends:${after.id}`])
  await cancelOrder(late, after.customer, after.id)
  await deliverPendingEmails(late)
  await deliverPendingEmails(late)
  expect((await shop.emailsTo(after.customer.email)).map(({ subject }) => subject.split(':')[0])).toEqual(['Cancelled'])
})

test('tells nobody of an end that has passed while the provider of emails was down', async ({ shop }) => {
  const { customer, id } = await anOrderAtNoon(shop)
  await remindOfHolds(at(shop, noon + 50 * hour))
  expect(await written(shop)).toEqual([`hold ends:${id}`])
  await deliverPendingEmails(at(shop, noon + 72 * hour))
  expect((await shop.emailsTo(customer.email)).map(({ subject }) => subject.split(':')[0])).toEqual(['Your order'])
})

test('reminds only verified customers', async ({ shop }) => {
  const customer = await shop.customer({ verified: false })
  const { id } = await placeOrder(at(shop, noon), customer, orderInput(await shop.sells()))
  const late = at(shop, noon + 40 * minute)
  await remindOfHolds(late)
  expect(await written(shop)).toEqual([])
  await shop.deps.db
    .update(users)
    .set({ emailVerifiedAt: noon + 39 * minute })
    .where(eq(users.id, customer.id))
  await remindOfHolds(late)
  expect(await written(shop)).toEqual([`hold ends:${id}`])
})

test('writes so many in one run at most, and first to whose holds end first', async ({ shop }) => {
  const violin = await shop.sells({ stock: 1000 })
  const customer = await shop.customer()
  const ids: string[] = []
  for (let nth = 0; nth < maxEmailsPerRun + 2; nth++)
    ids.unshift((await placeOrder(at(shop, noon - nth * minute), customer, orderInput(violin))).id)
  const late = at(shop, noon + 50 * hour)
  await remindOfHolds(late)
  expect((await written(shop)).sort()).toEqual(
    ids
      .slice(0, maxEmailsPerRun)
      .map((id) => `hold ends:${id}`)
      .sort(),
  )
  await remindOfHolds(late)
  expect(await written(shop)).toHaveLength(ids.length)
})
