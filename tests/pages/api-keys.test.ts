import { apiKeys, auditLog } from '../../app/db/schema'
import { Program } from '../support/api-client'
import { expect, test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

const path = '/dashboard/settings/keys'

async function makeKey(admin: TestBrowser, fields: Record<string, string> = { readOrders: 'on' }): Promise<string> {
  const page = await admin.get(path)
  const made = await admin.press(page, 'Make the key', { name: 'Warehouse', ...fields })
  return made.page.querySelector('main code')!.text
}

async function logged({ deps }: Shop) {
  const rows = await deps.db.select({ event: auditLog.event, note: auditLog.note }).from(auditLog)
  return rows.filter(({ event }) => event.startsWith('api key')).map(({ event, note }) => `${event} ${note}`)
}

test('an admin makes a key, sees it once, and revokes it at once', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const key = await makeKey(admin)
  expect(key).toMatch(/^cdk_[\w-]{16}_[\w-]{43}$/)
  const program = new Program(shop.visitor(), key)
  expect(await program.call('GET', '/order')).toMatchObject({ status: 200, body: [] })
  expect(await program.call('GET', '/user')).toMatchObject({ status: 403 })

  const list = await admin.get(path)
  expect(list.page.querySelector('main')!.text).toContain('Warehouse')
  expect(list.page.querySelector('main')!.text).not.toContain(key.slice(-43))
  const [row] = await shop.deps.db.select().from(apiKeys)
  expect(JSON.stringify(row)).not.toContain(key.slice(-43))

  await admin.press(list, 'Revoke')
  expect(await program.call('GET', '/order')).toMatchObject({ status: 401 })
  expect(await logged(shop)).toEqual(['api key made Warehouse: orders:read', 'api key revoked Warehouse: orders:read'])
})

test('says how many calls a key has left, and refuses those above', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const program = new Program(shop.visitor(), await makeKey(admin, { readCatalogue: 'on' }))
  const first = await program.call('GET', '/instruments')
  expect(first.headers.get('ratelimit-policy')).toBe('"api-key";q=600;w=60')
  expect(first.headers.get('ratelimit')).toMatch(/^"api-key";r=599;t=([1-9]|[1-5]\d|60)$/)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')

  const windowUntil = (Math.floor(Date.now() / 60_000) + 1) * 60_000
  await shop.deps.db.update(apiKeys).set({ calls: 599, windowUntil })
  const last = await program.call('GET', '/instruments')
  // A new minute may have begun.
  if (last.headers.get('ratelimit')!.includes('r=599')) return
  expect(last.headers.get('ratelimit')).toContain('r=0')
  const over = await program.call('GET', '/instruments')
  expect(over).toMatchObject({ status: 429, body: { error: { code: 'too-many' } } })
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  const without = await shop.visitor().fetch('/instruments', { headers: { accept: 'application/json' } })
  expect([without.status, without.headers.get('ratelimit')]).toEqual([200, null])
})
