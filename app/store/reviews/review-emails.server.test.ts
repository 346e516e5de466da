import { eq, like, sql } from 'drizzle-orm'
import { aPaidOrder } from '../../../tests/support/payments'
import { payAt } from '../../../tests/support/hosted-page'
import { at, day, expect, orderInput, test, type Store } from '../../../tests/support/store'
import { emails, users } from '../../db/schema'
import { setHidden } from '../catalog/manage-instruments.server'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { runScheduledTasks } from '../operations/scheduled-tasks.server'
import { shipOrder } from '../orders/manage-order.server'
import { placeOrder } from '../ordering/place-order.server'
import { confirmOrderPayment } from '../payments/confirm-payment.server'
import { startCheckout } from '../payments/payments.server'
import { refundOrder } from '../payments/order-refunds.server'
import { closeAccount } from '../privacy/close-account.server'
import { newId } from '../shared/ids.server'
import { maxEmailsPerRun } from '../shared/limits'
import { askForReviews, endReviewEmails, readReviewEmails, reviewUnsubscribeLink } from './review-emails.server'
import { addReview } from './reviews.server'

const reviewDays = 14

async function aShippedOrder(shop: Store) {
  const order = await aPaidOrder(shop)
  const admin = await shop.admin()
  await shipOrder(shop.deps, { id: admin.id, role: 'admin' }, order.id)
  return { ...order, admin }
}

const after = (shop: Store, days: number) => ({ ...at(shop, Date.now() + days * day), reviewDays })
const written = async (shop: Store) =>
  (await shop.deps.db.select({ id: emails.id }).from(emails).where(like(emails.id, 'review wanted:%'))).map(
    ({ id }) => id.split(':')[1],
  )
const subjects = async (shop: Store, { email }: { email: string }) =>
  (await shop.emailsTo(email)).map(({ subject }) => subject).filter((subject) => subject.startsWith('How is'))

test.for<[number, number, number]>([
  [0, 14.1, 0],
  [14, 13.9, 0],
  [14, 14.1, 1],
  [14, 15.9, 1],
  [14, 16.1, 0],
])('set to %i days, asks %f days after the shipment so many times: %i', async ([days, passed, count], { shop }) => {
  await aShippedOrder(shop)
  await askForReviews({ ...after(shop, passed), reviewDays: days })
  expect(await written(shop)).toHaveLength(count)
})

test('asks once for an order, however many runs there are at once, with a link to the form and one that ends it', async ({
  shop,
}) => {
  const { customer, violin } = await aShippedOrder(shop)
  const later = after(shop, 14.1)
  await deliverPendingEmails(later)
  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3, 4].map(() => askForReviews(later)))
    await Promise.all([1, 2].map(() => runScheduledTasks(later)))
  }
  expect(await subjects(shop, customer)).toEqual(['How is your Concert Violin?'])
  const [email] = await shop.emailsTo(customer.email)
  expect(email!.text).toContain(`${shop.deps.origin}/dashboard/addReview?about=${violin}`)
  const { headers } = email as unknown as { headers: Record<string, string> }
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(email!.text).toContain(headers['List-Unsubscribe']!.slice(1, -1))
})

type Shipped = Awaited<ReturnType<typeof aShippedOrder>>
const reasons: [string, (shop: Store, order: Shipped) => Promise<unknown>][] = [
  [
    'was refunded in part',
    ({ deps }, { admin, id }) =>
      refundOrder(deps, admin, id, { submissionId: newId(), amount: 100, reason: '', restock: 0 }),
  ],
  [
    'is reviewed',
    ({ deps }, { customer, violin }) => addReview(deps, customer, { description: 'Fine.', instrumentId: violin }),
  ],
  ['has no customer any more', ({ deps }, { customer }) => closeAccount(deps, customer)],
  [
    'is of somebody who wants no such emails',
    async ({ deps }, { customer }) => endReviewEmails(deps, await tokenOf(deps, customer)),
  ],
  ['is of a product that is hidden', ({ deps }, { admin, violin }) => setHidden(deps, admin, violin, true)],
  [
    'is of an unverified customer',
    (shop, { customer }) => {
      shop.skipInvariants('their order was placed by a verified customer')
      return shop.deps.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, customer.id))
    },
  ],
]

async function tokenOf(deps: Store['deps'], customer: { id: string }) {
  return new URL(await reviewUnsubscribeLink(deps, customer)).searchParams.get('token')!
}

test.for(reasons)(
  'asks for no review of an order that %s, before the email is written or after',
  async ([, change], { shop }) => {
    const [first, second] = [await aShippedOrder(shop), await aShippedOrder(shop)]
    const later = after(shop, 14.1)
    await change(shop, first)
    await askForReviews(later)
    expect(await written(shop)).toEqual([second.id])
    await change(shop, second)
    await deliverPendingEmails(later)
    await deliverPendingEmails(later)
    expect([...(await subjects(shop, first.customer)), ...(await subjects(shop, second.customer))]).toEqual([])
    expect(await shop.deps.db.$count(emails, sql`kind = 'review wanted' AND sent_at IS NULL`)).toBe(0)
  },
)

test('sends none that was written before the shop switched them off', async ({ shop }) => {
  const { customer } = await aShippedOrder(shop)
  await askForReviews(after(shop, 14.1))
  await deliverPendingEmails(at(shop, Date.now() + 14.2 * day))
  expect(await subjects(shop, customer)).toEqual([])
})

test('asks a customer once in 30 days, and so many customers in one run', async ({ shop }) => {
  const shipped = await Promise.all(Array.from({ length: maxEmailsPerRun + 1 }, () => aShippedOrder(shop)))
  const { customer, admin } = shipped[0]!
  const { id: second } = await placeOrder(shop.deps, customer, orderInput(await shop.sells()))
  await payAt((await startCheckout(shop.deps, customer, second)).url)
  await confirmOrderPayment(shop.deps, second)
  await shipOrder(shop.deps, { id: admin.id, role: 'admin' }, second)
  await askForReviews(after(shop, 14.1))
  expect(await written(shop)).toHaveLength(maxEmailsPerRun)
  await askForReviews({ ...after(shop, 14.1), now: () => Date.now() + 14.1 * day + 1 })
  expect((await written(shop)).sort()).toEqual(shipped.map(({ id }) => id).sort())
  // 30 days later the second order is too old; with a longer wait it is not.
  await askForReviews({ ...after(shop, 44), reviewDays: 43 })
  expect(await written(shop)).not.toContain(second)
  await askForReviews({ ...after(shop, 44.2), reviewDays: 43 })
  expect(await written(shop)).toContain(second)
})

test('who ended such emails stays so, and others’ links and tokens of another kind end nothing', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const token = await tokenOf(shop.deps, ada)
  expect(await readReviewEmails(shop.deps, token)).toEqual({ areOn: true })
  for (let again = 0; again < 2; again++) expect(await endReviewEmails(shop.deps, token)).toBe(true)
  expect(await readReviewEmails(shop.deps, token)).toEqual({ areOn: false })
  expect(await readReviewEmails(shop.deps, await tokenOf(shop.deps, bea))).toEqual({ areOn: true })
  for (const wrong of ['', 'x', `${token.slice(0, -2)}xx`]) {
    expect(await readReviewEmails(shop.deps, wrong)).toBeNull()
    expect(await endReviewEmails(shop.deps, wrong)).toBe(false)
  }
  const { id } = ada
  await askForReviews(after(shop, 14.1))
  expect(await shop.deps.db.$count(users, sql`id = ${id} AND review_email_after IS NULL`)).toBe(1)
})
