import { openDatabase } from '../../app/db/open.server'
import { digest } from '../support/authorization-matrix'
import { unsafeRequests } from '../support/unsafe-requests'
import { attack, submitFrom, startElsewhere, type AttackTarget } from './elsewhere'
import { adminLogin, drill, expect, fillIn, test } from './shop'

/** `tests/pages/cross-site.test.ts` has them all, with what a browser says of them. */
const chosen = [
  'POST /instruments',
  'DELETE /instruments/trumpet-bb',
  'PATCH /order/',
  'PUT /user/admin/',
  'POST /dashboard/makeAdmin',
  'POST /dashboard/myOrders',
  'POST /sign-out',
]

test(
  'ignores cross-site requests of every kind while a user is signed in',
  drill,
  async ({ browser, shop, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, 'The page elsewhere needs its scripts')
    test.setTimeout(240_000)
    const context = await browser.newContext()
    const elsewhere = await startElsewhere()
    try {
      const page = await context.newPage()
      await page.goto(`${shop.url}/login`)
      await fillIn(page, adminLogin, 'Login')
      await expect(page).toHaveURL(/\/dashboard$/)
      // The dashboard fetches a token itself, which changes the database.
      await page.waitForFunction(() => localStorage.getItem('accessToken') !== null)
      const fromHere = (path: string, body: object) =>
        page.evaluate(
          async ([url, json]) => {
            const headers = { 'content-type': 'application/json' }
            const response = await fetch(url, { method: 'POST', headers, body: json })
            return [response.status, await response.json()] as [number, { insertedId: string }]
          },
          [path, JSON.stringify(body)] as const,
        )
      const orderFields = {
        ...{ instrumentId: 'violin-4-4', orderQuantity: 2 },
        ...{ customerAddress: '1 Bow Lane', customerPhone: '07700 900123' },
      }
      const [status, { insertedId: orderId }] = await fromHere('/order', orderFields)
      expect(status).toBe(200)

      const victims = { email: 'admin@example.com', customer: 'ada@example.com', orderId, instrument: 'trumpet-bb' }
      const targets: AttackTarget[] = unsafeRequests(victims)
        .filter(({ method, path }) =>
          chosen.some((each) => `${method} ${path}`.startsWith(each) && !path.endsWith('/stock')),
        )
        .map(({ method, path, fields }) => ({ method, url: shop.url + path, fields }))
      expect(targets.length).toBeGreaterThanOrEqual(chosen.length)

      const deps = { db: openDatabase(shop.database) }
      const before = await digest({ deps })
      let attempts = 0
      let withCookie = 0
      const arrived: Record<string, number> = {}
      context.on('response', (response) => {
        const request = response.request()
        if (!response.url().startsWith(shop.url) || request.method() !== 'POST') return
        arrived[response.status()] = (arrived[response.status()] ?? 0) + 1
        void request.allHeaders().then(
          ({ cookie = '' }) => (withCookie += cookie.includes('session=') ? 1 : 0),
          () => undefined,
        )
      })
      // Another port is another origin of the same site, so cookies are sent; another host is another site.
      const origins = [`http://127.0.0.1:${elsewhere.port}`, `http://localhost:${elsewhere.port}`]
      for (const origin of origins) {
        await page.goto(origin)
        attempts += await attack(page.mainFrame(), targets)
        await page.goto(`${origin}/framed`)
        attempts += await attack(page.frames()[1]!, targets)
        for (const each of targets) {
          await page.goto(origin)
          const responsePromise = page.waitForResponse((response) => response.url() === each.url)
          await submitFrom(page.mainFrame(), each)
          expect((await responsePromise).status(), each.url).toBe(403)
          await page.waitForURL(each.url)
          attempts += 1
        }
      }
      expect(await digest({ deps })).toEqual(before)
      expect(Object.keys(arrived)).toEqual(['403'])
      expect(withCookie).toBeGreaterThan(targets.length)

      // The same request from the shop's own page works.
      await page.goto(`${shop.url}/dashboard`)
      expect((await fromHere('/reviews', { description: 'Sent from here.' }))[0]).toBe(200)
      expect(await digest({ deps })).not.toEqual(before)
      console.warn(
        `cross-site: ${attempts} attempts, ${arrived['403']} arrived, ${withCookie} with the cookie, 0 effects`,
      )
    } finally {
      await context.close()
      await elsewhere.stop()
    }
  },
)
