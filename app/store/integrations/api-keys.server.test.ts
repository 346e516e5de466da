import { at, day, expect, minute, noon, test } from '../../../tests/support/store'
import { auditLog } from '../../db/schema'
import { grantAdmin, revokeAdmin } from '../accounts/users.server'
import { newId } from '../shared/ids.server'
import { limits, maxApiKeys } from '../shared/limits'
import { checkApiKey, createApiKey, listApiKeys, NewApiKey, revokeApiKey, takeCalls } from './api-keys.server'
import { scopes, type Scope } from './scopes'

const form = (more: object = {}) => ({
  ...{ name: 'Warehouse', scopes: ['orders:ship'] as Scope[], days: 30, submissionId: newId() },
  ...more,
})

test('a key works for its days, with its scopes, until it is revoked, and only whole', async ({ shop }) => {
  const admin = await shop.admin()
  let time = Date.UTC(2026, 10, 26, 12)
  const deps = { ...shop.deps, now: () => time }
  const { key, expiresAt } = await createApiKey(deps, admin, form())
  expect(expiresAt).toBe(time + 30 * day)
  expect(await checkApiKey(deps, key)).toEqual({
    ...{ scopes: ['orders:ship'], remaining: limits.apiKeyCalls.max - 1, reset: 60 },
    user: { id: admin.id, email: admin.email, name: admin.name, role: 'admin', signedInAt: 0 },
  })
  const other = await createApiKey(deps, admin, form({ name: 'Other' }))
  const mixed = key.slice(0, 21) + other.key.slice(21)
  for (const wrong of [mixed, `${key}x`, ` ${key}`, key.slice(0, -1), key.toUpperCase(), ''])
    expect(await checkApiKey(deps, wrong)).toBeNull()
  time = expiresAt - 1
  expect(await checkApiKey(deps, key)).not.toBeNull()
  time = expiresAt
  expect(await checkApiKey(deps, key)).toBeNull()
  time = expiresAt - 1
  const id = key.slice(4, 20)
  expect([await revokeApiKey(deps, admin, id), await revokeApiKey(deps, admin, id)]).toEqual([true, false])
  expect(await checkApiKey(deps, key)).toBeNull()
  expect(await checkApiKey(deps, other.key)).not.toBeNull()
  const events = await deps.db.select().from(auditLog)
  expect(events.map(({ event, actor, note }) => [event, actor, note])).toEqual([
    ['api key made', admin.id, 'Warehouse: orders:ship'],
    ['api key made', admin.id, 'Other: orders:ship'],
    ['api key revoked', admin.id, 'Warehouse: orders:ship'],
  ])
})

test('a key ends with the role of its admin, and does not come back with it; nobody else makes one', async ({
  shop,
}) => {
  const [admin, other, customer] = [await shop.admin(), await shop.admin(), await shop.customer()]
  const { key } = await createApiKey(shop.deps, admin, form())
  await revokeAdmin(shop.deps, other, admin.email)
  expect(await checkApiKey(shop.deps, key)).toBeNull()
  await grantAdmin(shop.deps, 'test', admin.email)
  expect(await checkApiKey(shop.deps, key)).toBeNull()
  await expect(createApiKey(shop.deps, customer, form())).rejects.toMatchObject({ code: 'conflict' })
  expect(await listApiKeys(shop.deps)).toEqual([])
})

test('each call counts once in its window, a wrong secret never, and a large one as several', async ({ shop }) => {
  const admin = await shop.admin()
  let time = Date.UTC(2026, 10, 26, 12)
  const deps = { ...shop.deps, now: () => time }
  const [{ key }, other] = [await createApiKey(deps, admin, form()), await createApiKey(deps, admin, form())]
  const { max } = limits.apiKeyCalls
  expect(await takeCalls(deps, 'cdk_unknown', 1)).toBe(-Infinity)
  expect(await checkApiKey(deps, key)).toMatchObject({ remaining: max - 1, reset: 60 })
  await checkApiKey(deps, key.slice(0, 21) + other.key.slice(21))
  time += 1000
  expect(await checkApiKey(deps, key)).toMatchObject({ remaining: max - 2, reset: 59 })
  await checkApiKey(deps, other.key)
  expect(await takeCalls(deps, key, 9)).toBe(max - 11)
  expect(await checkApiKey(deps, other.key)).toMatchObject({ remaining: max - 2 })
  time += minute
  expect(await checkApiKey(deps, key)).toMatchObject({ remaining: max - 1 })
})

test('a form that is sent again makes no second key', async ({ shop }) => {
  const admin = await shop.admin()
  const sent = form()
  await createApiKey(shop.deps, admin, sent)
  await expect(createApiKey(shop.deps, admin, sent)).rejects.toMatchObject({
    ...{ code: 'conflict', isUsed: true },
    message: 'This key was made already, and shown. If you did not see it, revoke it and make another one.',
  })
  expect(await listApiKeys(shop.deps)).toHaveLength(1)
})

test('lists the keys of all admins, the oldest first, with when they were last used', async ({ shop }) => {
  const [admin, other] = [await shop.admin(), await shop.customer({ name: 'Bea', role: 'admin' })]
  const make = (now: number, by: { id: string }, more: object) => createApiKey(at(shop, now), by, form(more))
  const second = await make(noon + 1, other, { name: 'Second', days: 90, scopes: ['orders:read', 'catalogue:read'] })
  const first = await make(noon, admin, { name: 'First' })
  await checkApiKey(at(shop, noon + minute), first.key)
  await checkApiKey(at(shop, noon + 2 * minute - 1), first.key)
  const rows = [
    { name: 'First', scopes: ['orders:ship'], madeBy: admin.name, createdAt: noon, usedAt: noon + minute },
    { name: 'Second', scopes: ['catalogue:read', 'orders:read'], madeBy: 'Bea', createdAt: noon + 1, usedAt: null },
  ]
  const lasts = [{ expiresAt: first.expiresAt }, { expiresAt: second.expiresAt }]
  const ids = [first.key.slice(4, 20), second.key.slice(4, 20)]
  const expected = (expired: boolean[]) =>
    rows.map((row, nth) => ({ id: ids[nth], ...row, ...lasts[nth], isExpired: expired[nth] }))
  expect(await listApiKeys(at(shop, first.expiresAt - 1))).toEqual(expected([false, false]))
  expect(await listApiKeys(at(shop, first.expiresAt))).toEqual(expected([true, false]))
  await checkApiKey(at(shop, noon + 2 * minute), first.key)
  expect((await listApiKeys(shop.deps))[0]!.usedAt).toBe(noon + 2 * minute)
})

test('makes as many keys as a shop may have', async ({ shop }) => {
  const admin = await shop.admin()
  for (let nth = 0; nth < maxApiKeys; nth++) await createApiKey(shop.deps, admin, form())
  await expect(createApiKey(shop.deps, admin, form())).rejects.toMatchObject({
    ...{ code: 'conflict', message: `The shop has ${maxApiKeys} keys. Revoke one first.`, isUsed: false },
  })
})

const everyBox = {
  ...{ readCatalogue: 'on', writeCatalogue: 'on', readOrders: 'on' },
  ...{ ship: 'on', refund: 'on', readCustomers: 'on' },
}

test('reads the form of a key, each box as what it may do', () => {
  const sent = { act: 'make', submissionId: 'form-123', name: ' Warehouse ', days: '365', ship: 'on' }
  expect(NewApiKey.parse(sent)).toEqual({
    ...{ act: 'make', submissionId: 'form-123', name: 'Warehouse', days: 365, scopes: ['orders:ship'] },
  })
  expect(NewApiKey.parse({ ...sent, ...everyBox }).scopes).toEqual(scopes)
  for (const [field, scope] of [
    ['readCatalogue', 'catalogue:read'],
    ['writeCatalogue', 'catalogue:write'],
    ['readOrders', 'orders:read'],
    ['refund', 'orders:refund'],
    ['readCustomers', 'customers:read'],
  ] as const)
    expect(NewApiKey.parse({ ...sent, ship: undefined, [field]: 'on' }).scopes).toEqual([scope])
  for (const [more, field, message] of [
    [{ ship: undefined }, 'readCatalogue', 'Choose what the key may do'],
    [{ days: '31' }, 'days', 'Choose how long the key works'],
    [{ name: '' }, 'name', 'Name is Required'],
    [{ name: 'x'.repeat(61) }, 'name', 'Name must be at most 60 characters'],
  ] as const) {
    const { error } = NewApiKey.safeParse({ ...sent, ...more })
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]])
  }
})
