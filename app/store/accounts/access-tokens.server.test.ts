import { expect, test, type Store, noon, hour, at } from '../../../tests/support/store'
import { accessTokens } from '../../db/schema'
import { deleteExpiredTokens, issueAccessToken, tokenUser } from './access-tokens.server'
import { endSession, prepareSession } from './sign-in.server'

const findTokenUser = async (deps: Store['deps'], token: string) =>
  (await (await tokenUser(deps, token)).select)[0] ?? null

async function session(shop: Store, user: { id: string }, now = noon) {
  const { session, insert } = await prepareSession(at(shop, now), user, 'browser')
  await insert
  return session
}

test('accepts an access token for an hour, and stores only its hash', async ({ shop }) => {
  const ada = await shop.customer()
  const { secret } = await session(shop, ada)
  const { token, expiresAt } = await issueAccessToken(at(shop, noon), secret)
  expect(token).toMatch(/^cdz_[\w-]{43}$/)
  expect(expiresAt).toBe(noon + hour)
  const holder = { id: ada.id, email: ada.email, name: 'Ada', role: 'customer' }
  expect(await findTokenUser(at(shop, noon + hour - 1), token)).toMatchObject(holder)
  expect(await findTokenUser(at(shop, noon + hour), token)).toBeNull()
  expect(await findTokenUser(at(shop, noon), `${token}x`)).toBeNull()
  const rows = await shop.deps.db.select().from(accessTokens)
  expect(rows).toMatchObject([{ createdAt: noon, expiresAt: noon + hour }])
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('ends an access token with its own session only', async ({ shop }) => {
  const ada = await shop.customer()
  const [laptop, phone] = [await session(shop, ada), await session(shop, ada)]
  const [onLaptop, onPhone] = await Promise.all(
    [laptop, phone].map(({ secret }) => issueAccessToken(at(shop, noon), secret)),
  )
  await endSession(shop.deps, laptop.secret)
  expect(await findTokenUser(at(shop, noon), onLaptop!.token)).toBeNull()
  expect(await findTokenUser(at(shop, noon), onPhone!.token)).toMatchObject({ id: ada.id })
  const late = phone.expiresAt - 1
  const { token } = await issueAccessToken(at(shop, late), phone.secret)
  expect(await findTokenUser(at(shop, late), token)).toMatchObject({ id: ada.id })
  expect(await findTokenUser(at(shop, late + 1), token)).toBeNull()
})

test('refuses a token for an ended session, and throws on an outage', async ({ shop }) => {
  const { secret } = await session(shop, await shop.customer())
  await endSession(shop.deps, secret)
  await expect(issueAccessToken(shop.deps, secret)).rejects.toMatchObject({
    code: 'unauthenticated',
    message: 'Log in first.',
  })
  const nowhere = { ...shop.deps, now: () => Number.NaN }
  await expect(issueAccessToken(nowhere, secret)).rejects.not.toMatchObject({ code: 'unauthenticated' })
})

test('deletes expired access tokens', async ({ shop }) => {
  const { secret } = await session(shop, await shop.customer())
  await issueAccessToken(at(shop, noon), secret)
  await deleteExpiredTokens(at(shop, noon + hour))
  expect(await shop.deps.db.select().from(accessTokens)).toHaveLength(1)
  await deleteExpiredTokens(at(shop, noon + hour + 1))
  expect(await shop.deps.db.select().from(accessTokens)).toEqual([])
})

test('has at most 20 tokens of a session: a further one ends the oldest', async ({ shop }) => {
  const ada = await shop.customer()
  const [laptop, phone] = [await session(shop, ada), await session(shop, ada)]
  const other = await issueAccessToken(at(shop, noon - 1), phone.secret)
  const all = []
  for (let nth = 0; nth < 21; nth++) all.push(await issueAccessToken(at(shop, noon + nth), laptop.secret))
  const holders = await Promise.all([...all, other].map(({ token }) => findTokenUser(at(shop, noon), token)))
  expect(holders.map((holder) => holder !== null)).toEqual([false, ...Array<boolean>(21).fill(true)])
})
