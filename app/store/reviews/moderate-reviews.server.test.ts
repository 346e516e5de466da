import { ne } from 'drizzle-orm'
import { auditLog, reviews } from '../../db/schema'
import { at, expect, noon, test, type Store } from '../../../tests/support/store'
import { listReviewsToModerate, moderateReview, Moderation } from './moderate-reviews.server'
import { addReview, listReviews } from './reviews.server'

const me = { id: 'admin' }

const errorOf = (input: object) => Moderation.safeParse(input).error?.issues[0]?.message

test.for([
  [{ intent: 'hide', reviewId: 'r', reason: 'x'.repeat(200) }, undefined],
  [{ intent: 'hide', reviewId: 'r', reason: 'x'.repeat(201) }, 'Reason must be at most 200 characters'],
  [{ intent: 'hide', reviewId: 'r', reason: ' ' }, 'Give a reason'],
  [{ intent: 'show' }, 'Which review?'],
  [{ intent: 'reply', reviewId: 'r', reply: 'x'.repeat(1000) }, undefined],
  [{ intent: 'reply', reviewId: 'r', reply: 'x'.repeat(1001) }, 'Reply must be at most 1000 characters'],
  [{ intent: 'reply', reviewId: 'r', reply: 5 }, 'Reply is Required'],
] as const)('validates what an admin does with a review (%#)', ([input, message]) => {
  expect(errorOf(input)).toBe(message)
})

async function aReview(shop: Store) {
  const { id: reviewId } = await addReview(shop.deps, await shop.customer(), { description: 'Fine.' })
  const stateOf = async () => {
    const [row] = await shop.deps.db.select().from(reviews)
    return [row!.hiddenAt, row!.hiddenReason, row!.reply]
  }
  const log = async () =>
    (await shop.deps.db.select().from(auditLog).where(ne(auditLog.event, 'review written'))).map(
      ({ at, event, actor, note }) => [at, event, actor, note],
    )
  return { reviewId, stateOf, log }
}

test('hides a review, shows it again and answers it, and writes down each change once', async ({ shop }) => {
  const { reviewId, stateOf, log } = await aReview(shop)
  const steps: [change: Moderation, state: unknown[], event?: string, note?: string][] = [
    [{ intent: 'show', reviewId }, [null, null, null]],
    [{ intent: 'hide', reviewId, reason: 'Rude' }, [noon + 1, 'Rude', null], 'review hidden', `${reviewId} Rude`],
    [{ intent: 'hide', reviewId, reason: 'Other words' }, [noon + 1, 'Rude', null]],
    [
      { intent: 'reply', reviewId, reply: 'Thanks' },
      [noon + 1, 'Rude', 'Thanks'],
      'review answered',
      `${reviewId} Thanks`,
    ],
    [{ intent: 'reply', reviewId, reply: 'Thanks' }, [noon + 1, 'Rude', 'Thanks']],
    [{ intent: 'show', reviewId }, [null, null, 'Thanks'], 'review shown', reviewId],
    [{ intent: 'reply', reviewId, reply: null }, [null, null, null], 'review answered', `${reviewId} (answer removed)`],
    [{ intent: 'reply', reviewId, reply: null }, [null, null, null]],
  ]
  const written: unknown[] = []
  for (const [nth, [change, state, event, note]] of steps.entries()) {
    await moderateReview(at(shop, noon + nth), me, change)
    expect([nth, await stateOf()]).toEqual([nth, state])
    if (event !== undefined) written.push([noon + nth, event, 'admin', note])
  }
  expect(await log()).toEqual(written)
  expect(shop.invalidated.slice(1)).toEqual(steps.map(() => 'reviews'))
})

test('refuses to change a review that is not there, and leaves the others alone', async ({ shop }) => {
  const { stateOf, log } = await aReview(shop)
  await expect(moderateReview(shop.deps, me, { intent: 'hide', reviewId: 'none', reason: 'x' })).rejects.toMatchObject({
    ...{ code: 'not-found', message: 'There is no such review.' },
  })
  expect([await stateOf(), await log(), shop.invalidated]).toEqual([[null, null, null], [], ['reviews']])
})

test('lists the reviews for admins page by page, the newest first, hidden ones too', async ({ shop }) => {
  shop.skipInvariants('a review without its author')
  const instrumentId = await shop.sells({ name: 'Oboe' })
  const row = { name: 'Ada', img: '/x', description: 'Fine.' }
  await shop.deps.db.insert(reviews).values([
    { ...row, id: 'a', createdAt: 1, instrumentId, rating: 4 },
    { ...row, id: 'b', createdAt: 2, hiddenAt: 5, hiddenReason: 'Rude' },
    { ...row, id: 'c', createdAt: 2 },
  ])
  const first = await listReviewsToModerate(shop.deps, { limit: 2 })
  expect([first.reviews.map(({ id }) => id), first.next]).toEqual([['c', 'b'], 'b'])
  expect(first.reviews[1]).toMatchObject({ hiddenAt: 5, hiddenReason: 'Rude', instrument: null })
  expect(await listReviewsToModerate(shop.deps, { limit: 2, before: 'b' })).toEqual({
    reviews: [
      {
        ...{ id: 'a', name: 'Ada', description: 'Fine.', createdAt: 1, hiddenAt: null, hiddenReason: null },
        ...{ reply: null, rating: 4, instrument: 'Oboe' },
      },
    ],
    next: null,
  })
  expect((await listReviews(shop.deps, { limit: 3 })).reviews.map(({ id }) => id)).toEqual(['c', 'a'])
})
