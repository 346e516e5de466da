import { eq, sql } from 'drizzle-orm'
import { expect, orderInput, test, type Store } from '../../../tests/support/store'
import { aPaidOrder } from '../../../tests/support/payments'
import { orders, reviews } from '../../db/schema'
import { readCatalogPage } from '../screens/catalog-page.server'
import { removeInstrument, setHidden } from '../catalog/manage-instruments.server'
import { placeOrder } from '../ordering/place-order.server'
import { closeAccount } from '../privacy/close-account.server'
import { refundOrder } from '../payments/order-refunds.server'
import { moderateReview } from './moderate-reviews.server'
import { averageOf, ratingText } from './reviews'
import { addReview, listReviews, NewReview, readOwnReviews, selectReviewsOf } from './reviews.server'

const sumsOf = async (shop: Store, instrumentId: string) => {
  const [, sums] = selectReviewsOf(shop.deps, sql`${instrumentId}`)
  return Object.values((await sums)[0]!)
}
const shownOn = async (shop: Store, instrumentId: string) => (await readCatalogPage(shop.deps, instrumentId))!.reviewed

/** A customer who has paid for two violins of $250, and reviewed them. */
async function aReview(shop: Store, rating: number | undefined = 4) {
  const order = await aPaidOrder(shop)
  const review = { description: 'Fine.', instrumentId: order.violin, ...(rating && { rating }) }
  const { id } = await addReview(shop.deps, order.customer, review)
  return { ...order, review, reviewId: id }
}

test.for([
  [{ rating: 0 }, 'Stars must be a whole number from 1 to 5'],
  [{ rating: 6 }, 'Stars must be a whole number from 1 to 5'],
  [{ rating: 4.5 }, 'Stars must be a whole number from 1 to 5'],
  [{ rating: '5 stars' }, 'Stars must be a whole number from 1 to 5'],
  [{ rating: 1 }, undefined],
  [{ rating: 5, instrumentId: 'oboe' }, undefined],
  [{ instrumentId: '' }, 'Choose an instrument that you have bought'],
  [{ instrumentId: 'x'.repeat(101) }, 'Choose an instrument that you have bought'],
] as const)('validates stars and instrument of a review (%#)', ([input, message]) => {
  expect(NewReview.safeParse({ description: 'Fine.', ...input }).error?.issues[0]?.message).toBe(message)
})

test.for([
  [{ reviews: 1, ratings: 1, stars: 5 }, '5', '5 of 5, 1 review'],
  [{ reviews: 12, ratings: 12, stars: 54 }, '4.5', '4.5 of 5, 12 reviews'],
  [{ reviews: 3, ratings: 3, stars: 14 }, '4.7', '4.7 of 5, 3 reviews'],
  [{ reviews: 1200, ratings: 3, stars: 3 }, '1', '1 of 5 by 3 of 1,200 reviews'],
  [{ reviews: 2, ratings: 0, stars: 0 }, null, '2 reviews'],
] as const)('says an average in words (%#)', ([rating, average, text]) => {
  expect([averageOf(rating), ratingText(rating)]).toEqual([average, text])
})

test('takes a review of an instrument from who has paid for it, once', async ({ shop }) => {
  const { violin, customer, review, reviewId } = await aReview(shop)
  const stranger = await shop.customer()
  const notBought = { code: 'invalid', fields: { instrumentId: ['Choose an instrument that you have bought'] } }
  await expect(addReview(shop.deps, stranger, review)).rejects.toMatchObject(notBought)
  for (const instrumentId of [await shop.sells(), 'unknown'])
    await expect(addReview(shop.deps, customer, { ...review, instrumentId })).rejects.toMatchObject(notBought)
  const again = { description: 'Still fine.', instrumentId: violin, rating: 5 }
  await expect(addReview(shop.deps, customer, again)).rejects.toMatchObject({
    code: 'conflict',
    fields: { instrumentId: ['You have reviewed this instrument already. Choose another one, or the shop.'] },
  })
  await moderateReview(shop.deps, await shop.admin(), { intent: 'hide', reviewId, reason: 'Rude' })
  await expect(addReview(shop.deps, customer, again)).rejects.toMatchObject({ code: 'conflict' })
  expect(await addReview(shop.deps, customer, { description: 'The shop is fine.', rating: 3 })).toHaveProperty('id')
  expect(await sumsOf(shop, violin)).toEqual([0, 0, 0])
})

test('stores one review from a form that is sent again, and refuses it with other stars or another instrument', async ({
  shop,
}) => {
  const { violin, customer } = await aPaidOrder(shop)
  const form = { description: 'Fine.', instrumentId: violin, rating: 4, submissionId: 'form-one' }
  const sent = await Promise.all([1, 2, 3].map(() => addReview(shop.deps, customer, form)))
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  expect(await sumsOf(shop, violin)).toEqual([1, 1, 4])
  const used = { code: 'conflict', isUsed: true }
  await expect(addReview(shop.deps, customer, { ...form, rating: 5 })).rejects.toMatchObject(used)
  const { instrumentId: _, ...about } = form
  await expect(addReview(shop.deps, customer, about)).rejects.toMatchObject(used)
})

test('offers for a review what was paid for and is not reviewed', async ({ shop }) => {
  const { violin, customer } = await aPaidOrder(shop)
  const zink = await shop.sells({ id: '0', name: 'Zink' })
  const { id } = await placeOrder(shop.deps, customer, orderInput(zink))
  const choices = async () => (await readOwnReviews(shop.deps, customer)).choices.map((each) => each.name)
  expect(await choices()).toEqual(['Concert Violin'])
  shop.skipInvariants('a payment that never was')
  const paid = { state: 'paid' as const, paidAt: 1, transactionId: 'pi_1', movedBy: 'stripe' }
  await shop.deps.db.update(orders).set(paid).where(eq(orders.id, id))
  expect(await choices()).toEqual(['Concert Violin', 'Zink'])
  await setHidden(shop.deps, { id: 'test' }, violin, true)
  expect(await choices()).toEqual(['Zink'])
  await setHidden(shop.deps, { id: 'test' }, violin, false)
  await addReview(shop.deps, customer, { description: 'Fine.', instrumentId: violin })
  expect((await readOwnReviews(shop.deps, customer)).choices).toEqual([{ id: zink, name: 'Zink' }])
  expect((await readOwnReviews(shop.deps, await shop.customer())).choices).toEqual([])
})

test('counts the visible reviews of an instrument', async ({ shop }) => {
  const { violin, reviewId } = await aReview(shop)
  const admin = await shop.admin()
  const hide = { intent: 'hide', reviewId, reason: 'Rude' } as const
  const show = { intent: 'show', reviewId } as const
  expect(await sumsOf(shop, violin)).toEqual([1, 1, 4])
  for (const [change, sums] of [
    [hide, [0, 0, 0]],
    [hide, [0, 0, 0]],
    [show, [1, 1, 4]],
    [show, [1, 1, 4]],
  ] as const) {
    await moderateReview(shop.deps, admin, change)
    expect(await sumsOf(shop, violin)).toEqual(sums)
    expect((await shownOn(shop, violin)).reviews).toHaveLength(sums[0])
  }
  const { violin: other } = await aReview(shop, 0)
  expect([await sumsOf(shop, other), await sumsOf(shop, violin)]).toEqual([
    [1, 0, 0],
    [1, 1, 4],
  ])
  expect((await shownOn(shop, other)).rating).toEqual({ reviews: 1, ratings: 0, stars: 0 })
})

test('keeps a review and its stars after a refund in full, and says no longer that it was bought here', async ({
  shop,
}) => {
  const { violin, id } = await aReview(shop)
  const admin = await shop.admin()
  const isBought = async () => (await shownOn(shop, violin)).reviews.map((review) => review.isBought)
  const refund = (amount: number, submissionId: string) =>
    refundOrder(shop.deps, admin, id, { amount, reason: 'Late', submissionId })
  expect(await isBought()).toEqual([true])
  await refund(499_99, 'refund-one')
  expect(await isBought()).toEqual([true])
  await refund(1, 'refund-two')
  expect([await isBought(), await sumsOf(shop, violin)]).toEqual([[false], [1, 1, 4]])
  expect(shop.invalidated.at(-1)).toBe('reviews')
})

test('keeps the reviews of a closed account under another name, or subtracts them with it', async ({ shop }) => {
  const { violin, customer } = await aReview(shop)
  await closeAccount(shop.deps, customer)
  expect((await shownOn(shop, violin)).reviews).toMatchObject([{ name: 'Closed account', rating: 4, isBought: true }])
  const { violin: other, customer: who } = await aReview(shop)
  await closeAccount(shop.deps, who, { deleteReviews: true })
  expect([await sumsOf(shop, other), (await shownOn(shop, other)).rating]).toEqual([[0, 0, 0], null])
})

test('names the instrument of a review without a link once it is deleted, and not while it is hidden', async ({
  shop,
}) => {
  const { violin } = await aReview(shop)
  const about = async () => (await listReviews(shop.deps, { limit: 1 })).reviews[0]!.instrument
  const named = { id: violin, name: 'Concert Violin' }
  expect(await about()).toEqual({ ...named, slug: 'concert-violin' })
  await setHidden(shop.deps, { id: 'test' }, violin, true)
  expect(await about()).toBeNull()
  await removeInstrument(shop.deps, 'test', violin)
  expect([await about(), await sumsOf(shop, violin)]).toEqual([{ ...named, slug: null }, [1, 1, 4]])
})

test('shows the newest five on the page of an instrument, and all of them page by page', async ({ shop }) => {
  shop.skipInvariants('reviews without authors')
  const [oboe, flute] = [await shop.sells(), await shop.sells()]
  const rows = Array.from({ length: 7 }, (_, nth) => ({
    ...{ id: `r${nth}`, name: 'Ada', img: '/x', description: `${nth}`, createdAt: nth, instrumentId: oboe, rating: 5 },
  }))
  await shop.deps.db.insert(reviews).values(rows)
  const page = await shownOn(shop, oboe)
  expect([page.reviews.map(({ id }) => id), page.hasMore]).toEqual([['r6', 'r5', 'r4', 'r3', 'r2'], true])
  expect(await shownOn(shop, flute)).toEqual({ rating: null, reviews: [], hasMore: false })
  const first = await listReviews(shop.deps, { limit: 4, instrumentId: oboe })
  const rest = await listReviews(shop.deps, { limit: 4, instrumentId: oboe, before: first.next! })
  expect([...first.reviews, ...rest.reviews].map(({ id }) => id)).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'])
  expect((await listReviews(shop.deps, { limit: 4, instrumentId: flute })).reviews).toEqual([])
  const five = rows.slice(0, 5).map((row) => ({ ...row, id: `f${row.id}`, instrumentId: flute }))
  await shop.deps.db.insert(reviews).values(five)
  expect(await shownOn(shop, flute)).toMatchObject({ hasMore: false })
})

test('the database refuses other stars', async ({ shop }) => {
  const row = { id: 'odd', name: 'Ada', img: '/x', description: 'x', createdAt: 1 }
  for (const rating of [0, 6]) await expect(shop.deps.db.insert(reviews).values({ ...row, rating })).rejects.toThrow()
})
