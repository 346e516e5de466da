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
const pages = ['account', 'admin', 'dashboard'].flatMap((folder) =>
  readdirSync(`app/routes/${folder}`)
    .filter((file) => file !== 'layout.tsx')
    .map((file) => ({ folder, page: file.replace('.tsx', '') })),
)

test.each(pages)('$folder/$page asks who comes, to look and to act', async ({ folder, page }) => {
  const { loader, action } = (await import(`./${folder}/${page}.tsx`)) as Page
  expect(loader).toBeDefined()
  for (const [door, method] of [
    [loader, 'GET'],
    [action, 'POST'],
  ] as const) {
    if (!door) continue
    expect(await outcome(door, method, null)).toBe('303 /login?redirectTo=%2Fdashboard%2Fx')
    const acts = page === 'make-admin' && method === 'POST'
    // The specified words for it (spec section 7).
    if (folder === 'admin') expect(await outcome(door, method, customer)).toBe(acts ? '403 null' : '303 /login')
  }
})

test('the pages of the shopkeeper are those that only admins may open', () => {
  expect(pages.filter(({ folder }) => folder === 'admin').map(({ page }) => page)).toEqual(shopkeepers)
})
