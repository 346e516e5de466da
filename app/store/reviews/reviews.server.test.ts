import { expect, orderInput, test, type Store, day } from '../../../tests/support/store'
import { orders, reviews, users } from '../../db/schema'
import { readHome } from '../screens/home.server'
import { placeOrder } from '../ordering/place-order.server'
import { moderateReview } from './moderate-reviews.server'
import { addReview, listReviews, NewReview, readOwnReviews } from './reviews.server'

const morning = Date.UTC(2026, 10, 24)

function withChanges(shop: Store, now = morning) {
  const changes: string[] = []
  const deps = { ...shop.deps, now: () => now, invalidate: (what: string) => void changes.push(what) }
  return { deps, changes }
}

test.for([
  [{ description: ' \n ' }, 'Review is Required'],
  [{ description: 'x'.repeat(1001) }, 'Review must be at most 1000 characters'],
  [{ description: 'x'.repeat(1000) }, undefined],
  [{ description: '🎺'.repeat(500) }, undefined],
  [{ description: 'Fine.', submissionId: 'short' }, 'This form has expired. Please send it again.'],
  [{ description: 'Fine.', submissionId: 'form-one' }, undefined],
] as const)('validates a review (%#)', ([input, message]) => {
  expect(NewReview.safeParse(input).error?.issues[0]?.message).toBe(message)
})

test('stores a review under the customer’s name, and invalidates the cache once', async ({ shop }) => {
  const ada = await shop.customer()
  await shop.customer({ name: 'Bea' })
  const { deps, changes } = withChanges(shop, morning + 5)
  const { id } = await addReview(deps, ada, { description: 'Fine.', submissionId: 'form-one' })
  expect(await shop.deps.db.select().from(reviews)).toEqual([
    {
      id,
      userId: ada.id,
      name: 'Ada',
      img: '/art/avatar.svg',
      description: 'Fine.',
      createdAt: morning + 5,
      hiddenAt: null,
      hiddenReason: null,
      reply: null,
      instrumentId: null,
      rating: null,
    },
  ])
  expect(await addReview(deps, ada, { description: 'Fine.', submissionId: 'form-one' })).toEqual({ id })
  expect(changes).toEqual(['reviews'])
  await expect(addReview(deps, ada, { description: 'Bad.', submissionId: 'form-one' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'You already sent a review with this form. Send it again to add this one too.',
  })
  await shop.deps.db.update(users).set({ name: 'Augusta' })
  expect(changes).toEqual(['reviews'])
  await addReview(deps, ada, { description: 'Finer.' })
  const names = await shop.deps.db.select({ name: reviews.name }).from(reviews).orderBy(reviews.name)
  expect(names).toEqual([{ name: 'Ada' }, { name: 'Augusta' }])
})

test('accepts the same submission id from two customers', async ({ shop }) => {
  const { deps } = withChanges(shop)
  const form = { description: 'Fine.', submissionId: 'form-one' }
  const ids = [await addReview(deps, await shop.customer(), form), await addReview(deps, await shop.customer(), form)]
  expect(ids[0]).not.toEqual(ids[1])
})

test('limits a customer to five reviews a day, from midnight UTC', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const write = (who: typeof ada, now: number) => addReview(withChanges(shop, now).deps, who, { description: 'Fine.' })
  await write(ada, morning - 1)
  for (let nth = 0; nth < 5; nth++) await write(ada, morning)
  const last = morning + day - 1
  await expect(write(ada, last)).rejects.toMatchObject({
    code: 'too-many',
    message: 'You have written 5 reviews today. Please wait 1 minute and try again.',
    retryAfter: 1,
  })
  await write(bea, last)
  await write(ada, morning + day)
})

test('lists reviews page by page, newest first', async ({ shop }) => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, index) => ({
    id,
    name: id,
    img: '/x',
    description: id,
    createdAt: morning + Math.floor(index / 2),
  }))
  await shop.deps.db.insert(reviews).values(rows)
  const page = async (limit: number, before?: string) => {
    const { reviews, next } = await listReviews(shop.deps, { before, limit })
    return [reviews.map(({ id }) => id).join(''), next]
  }
  expect(await page(4)).toEqual(['gfed', 'd'])
  expect(await page(4, 'd')).toEqual(['cba', null])
  expect(await page(7)).toEqual(['gfedcba', null])
  expect(await page(1, 'b')).toEqual(['a', null])
  expect((await listReviews(shop.deps, { limit: 1 })).reviews).toEqual([
    { id: 'g', name: 'g', img: '/x', description: 'g', reply: null, rating: null, instrument: null, isBought: false },
  ])
})

test('the home page shows the newest six reviews and the first instruments, in one round trip', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin' })
  const { deps } = withChanges(shop)
  for (let nth = 0; nth < 7; nth++) {
    const customer = await shop.customer()
    await addReview({ ...deps, now: () => morning + nth }, customer, { description: `Review ${nth}` })
  }
  const home = await readHome(shop.deps)
  expect(home.instruments).toMatchObject([{ id: violin, name: 'Violin' }])
  expect(home.reviews.map(({ description }) => description)).toEqual([6, 5, 4, 3, 2, 1].map((nth) => `Review ${nth}`))
})

test('shows on the home page only reviews of customers who have verified their email or paid', async ({ shop }) => {
  shop.skipInvariants('a payment that never was')
  const violin = await shop.sells()
  const [ada, eve, buyer] = [
    await shop.customer(),
    await shop.customer({ verified: false }),
    await shop.customer({ verified: false }),
  ]
  for (const who of [ada, eve, buyer]) await addReview(shop.deps, who, { description: `By ${who.email}` })
  const onHome = async () => (await readHome(shop.deps)).reviews.map(({ description }) => description).sort()
  expect(await onHome()).toEqual([`By ${ada.email}`])
  const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await placeOrder(shop.deps, buyer, { instrumentId: violin, orderQuantity: 1, submissionId: 'form-one', ...parcel })
  expect(await onHome()).toEqual([`By ${ada.email}`])
  await shop.deps.db.update(orders).set({ state: 'paid', paidAt: 1, transactionId: 'pi_1', movedBy: 'stripe' })
  expect(await onHome()).toEqual([`By ${ada.email}`, `By ${buyer.email}`].sort())
})

test('tells a customer where their newest review appears, as the home page has it', async ({ shop }) => {
  shop.skipInvariants('a payment that never was')
  const violin = await shop.sells()
  const [admin, ada, eve] = [await shop.admin(), await shop.customer(), await shop.customer({ verified: false })]
  const own = async (who: typeof ada) => {
    const { isTrusted, newest } = await readOwnReviews(shop.deps, who)
    return [isTrusted, newest && [newest.createdAt, newest.isHidden, newest.isOnHome]]
  }
  const write = (who: typeof ada, at: number) =>
    addReview({ ...shop.deps, now: () => at }, who, { description: `Review ${at}` })
  expect([await own(ada), await own(eve)]).toEqual([
    [true, null],
    [false, null],
  ])
  await write(ada, 1)
  await write(eve, 2)
  expect([await own(ada), await own(eve)]).toEqual([
    [true, [1, false, true]],
    [false, [2, false, false]],
  ])
  const order = orderInput(violin)
  await placeOrder(shop.deps, eve, order)
  expect(await own(eve)).toEqual([false, [2, false, false]])
  await shop.deps.db.update(orders).set({ state: 'paid', paidAt: 1, transactionId: 'pi_1', movedBy: 'stripe' })
  expect(await own(eve)).toEqual([true, [2, false, true]])
  for (const at of [3, 4, 5, 6]) await write(await shop.customer(), at)
  expect([await own(ada), await own(eve)]).toEqual([
    [true, [1, false, true]],
    [true, [2, false, true]],
  ])
  const { id } = await write(await shop.customer(), 7)
  expect(await own(ada)).toEqual([true, [1, false, false]])
  await moderateReview(shop.deps, admin, { intent: 'hide', reviewId: id, reason: 'Rude' })
  expect(await own(ada)).toEqual([true, [1, false, true]])
  const { id: last } = await write(ada, 8)
  await moderateReview(shop.deps, admin, { intent: 'hide', reviewId: last, reason: 'Rude' })
  expect(await own(ada)).toEqual([true, [8, true, false]])
})

test('names the picture of the profile, else the avatar', async ({ shop }) => {
  const ada = await shop.customer()
  await addReview(shop.deps, ada, { description: 'Fine.' })
  const images = async () => [
    ...(await listReviews(shop.deps, { limit: 1 })).reviews.map(({ img }) => img),
    ...(await readHome(shop.deps)).reviews.map(({ img }) => img),
  ]
  expect(await images()).toEqual(['/art/avatar.svg', '/art/avatar.svg'])
  await shop.deps.db.update(users).set({ image: 'https://ada.example/me.png' })
  expect(await images()).toEqual(['https://ada.example/me.png', 'https://ada.example/me.png'])
})
