import { eq, getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../app/db/schema'
import { accessTokens, apiKeys, users } from '../../app/db/schema'
import { setSessionCookie } from '../../app/http/auth/session.server'
import type { StaffRole } from '../../app/store/accounts/sign-in'
import { grantAdmin, revokeAdmin, setStaffRole } from '../../app/store/accounts/users.server'
import { issueAccessToken } from '../../app/store/accounts/access-tokens.server'
import { closeAccount } from '../../app/store/privacy/close-account.server'
import { createApiKey, revokeApiKey } from '../../app/store/integrations/api-keys.server'
import { scopes, type Scope } from '../../app/store/integrations/scopes'
import { hashSecret, newId, newSecret } from '../../app/store/shared/ids.server'
import { prepareSession, type NewSession } from '../../app/store/accounts/sign-in.server'
import type { Customer, Shop } from './shop'
import type { TestBrowser } from './test-browser'

export interface Actor {
  name: string
  /** The role that the shop must assign to the request. */
  role: 'nobody' | 'customer' | 'admin'
  self: Customer
  another?: Customer
  browser: TestBrowser
  headers: Record<string, string>
  /** Uses the session cookie, which alone can be exchanged for a token (R4). */
  byCookie: boolean
  /** Sends a cookie without Origin and Sec-Fetch-Site. */
  noOrigin: boolean
  /** Calls with an API key of these scopes. */
  scopes?: Scope[]
  /** Calls with a key that is not valid. */
  hasBadKey?: boolean
}

export async function gatherActors(shop: Shop): Promise<{ actors: Actor[]; customer: Customer; other: Customer }> {
  const [customer, other] = [await shop.customer({ name: 'Ada' }), await shop.customer({ name: 'Ben' })]
  const [admin, demoted] = [await shop.admin(), await shop.admin()]
  const tokenOf = async (user: Customer) =>
    (await issueAccessToken(shop.deps, (await startSession(shop, user)).secret)).token
  const [token, otherToken, adminToken] = [await tokenOf(customer), await tokenOf(other), await tokenOf(admin)]

  const colleague = async (...roles: (StaffRole | null)[]) => {
    const user = await shop.customer({ name: 'Cleo' })
    for (const role of roles) await setStaffRole(shop.deps, admin, user.id, role)
    return user
  }
  const [packer, bookkeeper] = [await colleague('packer'), await colleague('bookkeeper')]
  const [former, closed] = [await colleague('packer', null), await colleague('packer')]
  const [packerToken, bookkeeperToken] = [await tokenOf(packer), await tokenOf(bookkeeper)]
  const [formerToken, closedToken] = [await tokenOf(former), await tokenOf(closed)]
  await closeAccount(shop.deps, closed)
  const demotedToken = await tokenOf(demoted)
  await shop.deps.db.update(users).set({ role: 'customer' }).where(eq(users.id, demoted.id))
  const expired = await tokenOf(admin)
  await shop.deps.db
    .update(accessTokens)
    .set({ expiresAt: Date.now() - 1 })
    .where(eq(accessTokens.tokenHash, await hashSecret(expired)))
  const ended = await startSession(shop, admin)
  const signedOut = (await issueAccessToken(shop.deps, ended.secret)).token
  await (await browserWith(shop, ended)).post('/sign-out', {})

  const proof = { origin: shop.deps.origin, 'sec-fetch-site': 'same-origin' }
  const signedIn = async () => browserWith(shop, await startSession(shop, customer))
  const by = (bearer: string) => ({ authorization: `Bearer ${bearer}` })
  const nobody = { role: 'nobody', self: admin, byCookie: false, noOrigin: false } as const
  const someone = { role: 'customer', self: customer, byCookie: false, noOrigin: false } as const
  return {
    customer,
    other,
    actors: [
      ...(await gatherKeys(shop, admin)),
      { ...nobody, name: 'anonymous', browser: shop.visitor(), headers: {}, self: customer },
      { ...someone, name: 'customer', browser: shop.visitor(), headers: by(token) },
      { ...someone, name: 'other customer', self: other, browser: shop.visitor(), headers: by(otherToken) },
      { ...someone, name: 'demoted admin', self: demoted, browser: shop.visitor(), headers: by(demotedToken) },
      { ...someone, name: 'admin', role: 'admin', self: admin, browser: shop.visitor(), headers: by(adminToken) },
      // In the JSON API a role beside admin gives no rights: R24 names admins.
      { ...someone, name: 'packer', self: packer, browser: shop.visitor(), headers: by(packerToken) },
      { ...someone, name: 'bookkeeper', self: bookkeeper, browser: shop.visitor(), headers: by(bookkeeperToken) },
      { ...someone, name: 'former packer', self: former, browser: shop.visitor(), headers: by(formerToken) },
      { ...nobody, name: 'closed account of a packer', browser: shop.visitor(), headers: by(closedToken) },
      { ...nobody, name: 'expired token', browser: shop.visitor(), headers: by(expired) },
      { ...nobody, name: 'forged token', browser: shop.visitor(), headers: by(`cdz_${newSecret()}`) },
      { ...nobody, name: 'cut token', browser: shop.visitor(), headers: by(adminToken.slice(0, -1)) },
      { ...nobody, name: 'token of a session that was signed out', browser: shop.visitor(), headers: by(signedOut) },
      { ...someone, name: 'cookie with proof', browser: await signedIn(), headers: proof, byCookie: true },
      { ...someone, name: 'cookie without proof', browser: await signedIn(), headers: {}, noOrigin: true },
      {
        ...nobody,
        name: 'forged token beside a live cookie',
        browser: await signedIn(),
        headers: { ...proof, ...by(`cdz_${newSecret()}`) },
        self: customer,
      },
      {
        ...someone,
        name: 'another’s token beside a live cookie',
        self: other,
        browser: await signedIn(),
        headers: { ...proof, ...by(otherToken) },
      },
    ],
  }
}

async function gatherKeys(shop: Shop, admin: Customer): Promise<Actor[]> {
  const { deps } = shop
  const keyOf = async (by: Customer, granted: readonly Scope[]) =>
    (await createApiKey(deps, by, { name: 'x', scopes: [...granted], days: 30, submissionId: newId() })).key
  const idOf = (key: string) => key.slice(4, 20)
  const actor = { self: admin, byCookie: false, noOrigin: false } as const
  // Each with people of its own: one customer may have so many unpaid orders only.
  const by = async (key: string) => ({
    another: await shop.customer(),
    browser: shop.visitor(),
    headers: { authorization: `Bearer ${key}` },
  })
  const working = scopes.map(async (scope): Promise<Actor> => {
    const key = await keyOf(admin, [scope])
    return { ...actor, ...(await by(key)), name: `key: ${scope}`, role: 'admin', scopes: [scope] }
  })
  const [revoked, expired, cut] = [await keyOf(admin, scopes), await keyOf(admin, scopes), await keyOf(admin, scopes)]
  await revokeApiKey(deps, admin, idOf(revoked))
  await deps.db
    .update(apiKeys)
    .set({ expiresAt: Date.now() - 1 })
    .where(eq(apiKeys.id, idOf(expired)))
  const [closed, demoted, unverified] = [await shop.admin(), await shop.admin(), await shop.admin()]
  const ofClosed = await keyOf(closed, scopes)
  await closeAccount(deps, closed, { deleteReviews: false })
  const ofDemoted = await keyOf(demoted, scopes)
  await revokeAdmin(deps, admin, demoted.email)
  // The role comes back, the key does not.
  await grantAdmin(deps, admin.id, demoted.email)
  const ofUnverified = await keyOf(unverified, scopes)
  await deps.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, unverified.id))
  const bad = {
    ...{ revoked, expired, 'cut off': cut.slice(0, -1), 'of a closed admin': ofClosed, 'of a former admin': ofDemoted },
    ...{ 'of an unverified admin': ofUnverified, forged: `cdk_${idOf(cut)}_${newSecret()}` },
    'with the id of another': `cdk_${idOf(cut)}_${revoked.slice(21)}`,
  }
  return [
    ...(await Promise.all(working)),
    {
      ...actor,
      ...(await by(await keyOf(admin, scopes))),
      name: 'key: all scopes',
      role: 'admin',
      scopes: [...scopes],
    },
    ...(await Promise.all(
      Object.entries(bad).map(async ([name, key]): Promise<Actor> => {
        const self = await shop.customer()
        return { ...actor, self, ...(await by(key)), name: `key: ${name}`, role: 'nobody', hasBadKey: true }
      }),
    )),
  ]
}

async function startSession({ deps }: Shop, user: Customer): Promise<NewSession> {
  const { session, insert } = await prepareSession(deps, user, 'a test')
  await insert
  return session
}

async function browserWith(shop: Shop, session: NewSession): Promise<TestBrowser> {
  const [name = '', value = ''] = (await setSessionCookie(shop.deps.origin, session)).split(';')[0]!.split(/=(.*)/s)
  const browser = shop.visitor()
  browser.setCookie(name, value)
  return browser
}

/** These change after a response or with any use of a session. */
const passing = ['seen_at', 'sent_at', 'attempts', 'due_at', 'used_at', 'calls', 'window_until']

/** Equal before and after a request without effect. */
export async function digest({
  deps: { db },
}: {
  deps: Pick<Shop['deps'], 'db'>
}): Promise<Record<string, string | null>> {
  const tables = Object.values<unknown>(schema).filter((each): each is SQLiteTable => is(each, SQLiteTable))
  const lines = tables.map((table) => {
    const columns = Object.values(getTableColumns(table)).filter(({ name }) => !passing.includes(name))
    const row = columns.map(({ name }) => sql`quote(${sql.identifier(name)})`)
    return sql`SELECT ${getTableName(table)} AS name, (SELECT group_concat(${sql.join(row, sql` || ',' || `)}, ';') FROM ${table}) AS rows`
  })
  const results = await db.all<{ name: string; rows: string | null }>(sql.join(lines, sql` UNION ALL `))
  return Object.fromEntries(results.map(({ name, rows }) => [name, rows]))
}
