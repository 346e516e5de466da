import type { AppLoadContext } from '@remix-run/cloudflare'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const config = { SHOP_ORIGIN: 'http://127.0.0.1:8788', SESSION_SECRET: 'a secret' }
const customer = { id: '1', email: 'ada@example.com', name: 'Ada', role: 'customer' }

type Handler = (args: { request: Request; context: AppLoadContext; params: object }) => unknown
interface Page {
  loader?: Handler
  action?: Handler
}

/** Where a request is redirected to. There is no database: a request that passes the guard fails. */
async function outcome(handler: Handler, method: string, user: typeof customer | null) {
  const context = {
    config,
    origin: config.SHOP_ORIGIN,
    requestId: 'r1',
    ip: '203.0.113.9',
    sessionSecret: null,
    user: () => Promise.resolve(user),
    now: Date.now,
    db: { $count: () => Promise.resolve(0) },
  } as unknown as AppLoadContext
  const request = new Request(`${config.SHOP_ORIGIN}/dashboard/x`, {
    method,
    ...(method === 'POST' && { body: new URLSearchParams() }),
  })
  try {
    await handler({ request, context, params: { id: 'x' } })
    return 'let in'
  } catch (answer) {
    return answer instanceof Response ? `${answer.status} ${answer.headers.get('location')}` : 'let in'
  }
}

const modules = import.meta.glob<Page>('./{account,admin,dashboard}/*')
const adminPages = [
  ...['add-product', 'edit-product', 'make-admin', 'manage-orders', 'manage-product', 'manage-order'],
  ...[
    'packing-slip',
    'export-orders',
    'export-products',
    'import-products',
    'copy-pictures',
    'product-history',
    'shop-emails',
    'pages',
    'edit-page',
    'families',
    'edit-family',
    'export-everything',
    'api-keys',
    'webhooks',
    'discounts',
    'reports',
    'problems',
    'export-report',
    'user',
    'messages',
    'moderate-reviews',
    'manage-quotes',
    'answer-quote',
  ],
]
const pages = ['account', 'admin', 'dashboard'].flatMap((folder) =>
  readdirSync(`app/routes/${folder}`)
    .map((file) => ({ folder, file, page: file.replace(/\.tsx?$/, '') }))
    .filter(({ page }) => page !== 'layout'),
)

test.each(pages)('$folder/$page checks the user in loader and action', async ({ folder, file, page }) => {
  const { loader, action } = await modules[`./${folder}/${file}`]!()
  expect(loader).toBeDefined()
  for (const [handler, method] of [
    [loader, 'GET'],
    [action, 'POST'],
  ] as const) {
    if (!handler) continue
    expect(await outcome(handler, method, null)).toBe('303 /login?redirectTo=%2Fdashboard%2Fx')
    // Make Admin answers a customer's POST with 403 (spec section 7).
    const isForbidden = page === 'make-admin' && method === 'POST'
    if (adminPages.includes(page))
      expect(await outcome(handler, method, customer)).toBe(isForbidden ? '403 null' : '303 /login')
  }
})

test('every admin page is checked', () => {
  expect(pages.map(({ page }) => page)).toEqual(expect.arrayContaining(adminPages))
})
