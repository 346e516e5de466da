import { eq } from 'drizzle-orm'
import { day, expect, minute, test } from '../../../tests/support/store'
import { auditLog, users } from '../../db/schema'
import { newId } from '../shared/ids.server'
import { limits } from '../shared/limits'
import { checkApiKey, createApiKey, listApiKeys, revokeApiKey, takeCalls } from './api-keys.server'
import type { Scope } from './scopes'

const form = (more: object = {}) => ({
  ...{ name: 'Warehouse', scopes: ['orders:ship'] as Scope[], days: 30, submissionId: newId() },
  ...more,
})

test('a key works for its days, with its scopes, until it is revoked, and only whole', async ({ shop }) => {
  const admin = await shop.admin()
  let at = Date.UTC(2026, 10, 26, 12)
  const deps = { ...shop.deps, now: () => at }
  const { key, expiresAt } = await createApiKey(deps, admin, form())
  expect(expiresAt).toBe(at + 30 * day)
  expect(await checkApiKey(deps, key)).toMatchObject({ scopes: ['orders:ship'], user: { id: admin.id, signedInAt: 0 } })
  const other = await createApiKey(deps, admin, form({ name: 'Other' }))
  const mixed = key.slice(0, 21) + other.key.slice(21)
  for (const wrong of [mixed, `${key}x`, key.slice(0, -1), key.toUpperCase(), ''])
    expect(await checkApiKey(deps, wrong)).toBeNull()
  at = expiresAt - 1
  expect(await checkApiKey(deps, key)).not.toBeNull()
  at = expiresAt
  expect(await checkApiKey(deps, key)).toBeNull()
  at = expiresAt - 1
  const id = key.slice(4, 20)
  expect([await revokeApiKey(deps, admin, id), await revokeApiKey(deps, admin, id)]).toEqual([true, false])
  expect(await checkApiKey(deps, key)).toBeNull()
  expect(await checkApiKey(deps, other.key)).not.toBeNull()
  const events = await deps.db.select({ event: auditLog.event }).from(auditLog)
  expect(events.map(({ event }) => event)).toEqual(['api key made', 'api key made', 'api key revoked'])
})

test('a key ends with the role of its admin, and does not come back with it; nobody else makes one', async ({
  shop,
}) => {
  const [admin, customer] = [await shop.admin(), await shop.customer()]
  const { key } = await createApiKey(shop.deps, admin, form())
  const setRole = (role: 'customer' | 'admin') => shop.deps.db.update(users).set({ role }).where(eq(users.id, admin.id))
  await setRole('customer')
  expect(await checkApiKey(shop.deps, key)).toBeNull()
  await setRole('admin')
  expect(await checkApiKey(shop.deps, key)).toBeNull()
  await expect(createApiKey(shop.deps, customer, form())).rejects.toMatchObject({ code: 'conflict' })
  expect(await listApiKeys(shop.deps)).toEqual([])
})

test('each call counts once in its window, a wrong secret never, and a large one as several', async ({ shop }) => {
  const admin = await shop.admin()
  let at = Date.UTC(2026, 10, 26, 12)
  const deps = { ...shop.deps, now: () => at }
  const [{ key }, other] = [await createApiKey(deps, admin, form()), await createApiKey(deps, admin, form())]
  const { max } = limits.apiKeyCalls
  expect(await checkApiKey(deps, key)).toMatchObject({ remaining: max - 1, reset: 60 })
  await checkApiKey(deps, key.slice(0, 21) + other.key.slice(21))
  at += 1000
  expect(await checkApiKey(deps, key)).toMatchObject({ remaining: max - 2, reset: 59 })
  await checkApiKey(deps, other.key)
  expect(await takeCalls(deps, key, 9)).toBe(max - 11)
  expect(await checkApiKey(deps, other.key)).toMatchObject({ remaining: max - 2 })
  at += minute
  expect(await checkApiKey(deps, key)).toMatchObject({ remaining: max - 1 })
})

test('a form that is sent again makes no second key', async ({ shop }) => {
  const admin = await shop.admin()
  const sent = form()
  await createApiKey(shop.deps, admin, sent)
  await expect(createApiKey(shop.deps, admin, sent)).rejects.toMatchObject({ code: 'conflict', isUsed: true })
  expect(await listApiKeys(shop.deps)).toHaveLength(1)
})
