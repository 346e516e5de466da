import { expect, test } from '../support/shop'

const own = 'private, no-store'
const form = 'private, no-cache'
const shared = 'public, no-cache'
const html = 'text/html; charset=utf-8'
const json = 'application/json'
const nothing = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

type Row = [path: string, status: number, type: string | null, cache: string, more?: Record<string, string | null>]

/** Of a page with scripts, by `handle`. */
const withScripts = { 'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()' }
const withoutScripts = { 'permissions-policy': null }

const ofVisitor: Row[] = [
  ['/', 200, html, shared, withoutScripts],
  ['/allInstruments', 200, html, shared, withoutScripts],
  ['/login', 200, html, shared, withoutScripts],
  ['/nowhere', 404, html, own],
  ['/verify', 200, html, own],
  ['/robots.txt', 200, 'text/plain; charset=utf-8', shared],
  ['/sitemap.xml', 200, 'application/xml; charset=utf-8', shared],
  ['/openapi.json', 200, json, 'public, max-age=300', { 'content-security-policy': nothing }],
  ['/speculation-rules.json', 200, 'application/speculationrules+json', 'public, max-age=86400'],
  ['/sw.js', 200, 'text/javascript; charset=utf-8', shared],
  ['/healthz', 200, json, own, { 'content-security-policy': nothing }],
  ['/clear-cache', 204, null, own, { 'clear-site-data': '"cache"' }],
  ['/webhooks/stripe', 405, 'text/plain;charset=UTF-8', own, { allow: 'POST' }],
]
const ofAdmin: Row[] = [
  ['/', 200, html, own, withoutScripts],
  ['/dashboard', 200, html, own, withoutScripts],
  ['/dashboard/addReview', 200, html, form, withScripts],
  ['/dashboard/addProduct', 200, html, form, withScripts],
  ['/dashboard/myOrders', 200, html, own, withoutScripts],
  ['/dashboard/manageOrders.csv', 200, 'text/csv; charset=utf-8', own],
  ['/dashboard/manageProduct.csv', 200, 'text/csv; charset=utf-8', own],
  ['/dashboard/myProfile/data.json', 200, 'application/json; charset=utf-8', own],
]

test('sends the headers of every kind of response', async ({ shop }) => {
  await shop.configure({ EDGE_CACHE_SECONDS: '15' })
  const [visitor, admin] = [shop.visitor(), await shop.signedIn(await shop.admin())]
  for (const [browser, rows] of [
    [visitor, ofVisitor],
    [admin, ofAdmin],
  ] as const) {
    for (const [path, status, type, cache, more = {}] of rows) {
      const accept = type === html ? 'text/html' : '*/*'
      const response = await browser.fetch(path, { headers: { accept }, redirect: 'manual' })
      await response.body?.cancel()
      const { headers } = response
      const read = (name: string) => headers.get(name)
      expect.soft([path, response.status, read('content-type'), read('cache-control')]).toEqual([path, status, type, cache])
      for (const [name, value] of Object.entries(more)) expect.soft([path, name, read(name)]).toEqual([path, name, value])
      expect.soft([path, read('x-content-type-options'), read('referrer-policy')]).toEqual([
        path,
        'nosniff',
        'strict-origin-when-cross-origin',
      ])
      // A copy is for several requests.
      const isCopy = cache === shared && path !== '/sw.js'
      expect.soft([path, read('x-request-id') === null]).toEqual([path, isCopy])
      expect.soft(read('strict-transport-security'), path).toBeNull()
      expect.soft(read('content-security-policy'), path).toMatch(/default-src '(self|none)'/)
      if (type !== html) continue
      expect.soft(read('content-security-policy'), path).toMatch(/base-uri 'none'.*frame-ancestors 'none'/)
      expect.soft(read('cross-origin-opener-policy'), path).toBe('same-origin')
      expect.soft(read('vary'), path).toContain('Save-Data')
    }
  }
})
