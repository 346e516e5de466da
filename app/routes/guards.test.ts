import type { AppLoadContext } from '@remix-run/cloudflare'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const config = { SHOP_ORIGIN: 'http://127.0.0.1:8788', SESSION_SECRET: 'a secret' }
const customer = { id: '1', email: 'ada@example.com', name: 'Ada', role: 'customer' }

type Door = (args: { request: Request; context: AppLoadContext; params: object }) => unknown
interface Page {
  loader?: Door
  action?: Door
}

/** Where somebody is led to who knocks; the database is not there: whoever is let in fails. */
async function outcome(door: Door, method: string, visitor: typeof customer | null) {
  const context = {
    config,
    origin: config.SHOP_ORIGIN,
    sessionSecret: null,
    visitor: () => Promise.resolve(visitor),
    now: Date.now,
  } as unknown as AppLoadContext
  const request = new Request(`${config.SHOP_ORIGIN}/dashboard/x`, {
    method,
    ...(method === 'POST' && { body: new URLSearchParams() }),
  })
  try {
    await door({ request, context, params: { id: 'x' } })
    return 'let in'
  } catch (answer) {
    return answer instanceof Response ? `${answer.status} ${answer.headers.get('location')}` : 'let in'
  }
}

const shopkeepers = ['add-product', 'edit-product', 'make-admin', 'manage-orders', 'manage-product', 'order-history']
const pages = readdirSync('app/routes/dashboard')
  .map((file) => file.replace('.tsx', ''))
  .filter((page) => page !== 'layout')

test.each(pages)('dashboard/%s asks who comes, to look and to act', async (page) => {
  const { loader, action } = (await import(`./dashboard/${page}.tsx`)) as Page
  expect(loader).toBeDefined()
  for (const [door, method] of [
    [loader, 'GET'],
    [action, 'POST'],
  ] as const) {
    if (!door) continue
    expect(await outcome(door, method, null)).toBe('303 /login?redirectTo=%2Fdashboard%2Fx')
    const acts = page === 'make-admin' && method === 'POST'
    // The specified words for it (spec section 7).
    if (shopkeepers.includes(page)) expect(await outcome(door, method, customer)).toBe(acts ? '403 null' : '303 /login')
  }
})

test('every page of the shopkeeper is one of the dashboard', () => {
  expect(pages).toEqual(expect.arrayContaining(shopkeepers))
})
