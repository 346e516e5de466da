import { expect, test, type Store, noon, day, at } from '../../../tests/support/store'
import { sessions } from '../../db/schema'
import { endOtherSessions, deleteExpiredSessions, listSessions } from './sessions.server'
import { prepareSession } from './sign-in.server'

async function session(shop: Store, user: { id: string }, now: number, userAgent = '') {
  const { session, insert } = await prepareSession(at(shop, now), user, userAgent)
  await insert
  return session.secret
}

test('lists the active sessions of a user, most recently used first, and marks the current one', async ({ shop }) => {
  const ada = await shop.customer()
  await session(shop, ada, noon - 7 * day, 'ended')
  await session(shop, await shop.customer(), noon, 'somebody else’s')
  const laptop = await session(shop, ada, noon - 2, 'laptop')
  await session(shop, ada, noon - 1, 'phone')
  expect((await listSessions(at(shop, noon), ada, laptop)).sessions).toEqual([
    { id: expect.any(String) as string, userAgent: 'phone', createdAt: noon - 1, seenAt: noon - 1, isThis: false },
    { id: expect.any(String) as string, userAgent: 'laptop', createdAt: noon - 2, seenAt: noon - 2, isThis: true },
  ])
  await Promise.all(Array.from({ length: 50 }, () => session(shop, ada, noon)))
  expect((await listSessions(at(shop, noon), ada, laptop)).sessions).toHaveLength(50)
})

test('ends the other sessions of that user only', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const laptop = await session(shop, ada, noon, 'laptop')
  await session(shop, ada, noon, 'phone')
  await session(shop, bea, noon, 'Bea’s')
  await endOtherSessions(shop.deps, ada, laptop)
  const left = await shop.deps.db.select({ userAgent: sessions.userAgent }).from(sessions)
  expect(left.map(({ userAgent }) => userAgent).sort()).toEqual(['Bea’s', 'laptop'])
})

test('deletes expired sessions', async ({ shop }) => {
  await session(shop, await shop.customer(), noon)
  await deleteExpiredSessions(at(shop, noon + 30 * day))
  expect(await shop.deps.db.select().from(sessions)).toHaveLength(1)
  await deleteExpiredSessions(at(shop, noon + 30 * day + 1))
  expect(await shop.deps.db.select().from(sessions)).toEqual([])
})
