import { apiPaths } from '../../app/api/endpoints/index.server'
import { openDatabase } from '../../app/db/open.server'
import { digest } from '../support/authorization-matrix'
import { attack, leadAway, startElsewhere, type Prey } from './elsewhere'
import { expect, test } from './shop'

const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
const oboe = { name: 'Oboe', img: '/plates/oboe.svg', price: 1, availableQuantity: 1, minQuantity: 1 }

/** What would have an effect, if the shop's own page sent it, by call. */
function callsOf(victim: string, orderId: string): Record<string, { id?: string; fields: Prey['fields'] }> {
  return {
    'POST /instruments': { fields: oboe },
    'DELETE /instruments/{id}': { id: 'trumpet-bb', fields: {} },
    'POST /order': { fields: { instrumentId: 'violin-4-4', orderQuantity: 2, ...delivery } },
    'PATCH /order/{id}': { id: orderId, fields: { transactionId: 'pi_x' } },
    'DELETE /order/{id}': { id: victim, fields: {} },
    'POST /create-payment-intent': { fields: { orderId, orderPrice: 2900 } },
    'POST /reviews': { fields: { description: 'Sent from elsewhere.' } },
    'PUT /user/{email}': { id: victim, fields: {} },
    'PUT /update/{email}': { id: victim, fields: { name: 'Mallory' } },
    'PUT /user/admin/{email}': { id: 'ada@example.com', fields: {} },
  }
}

const pages = (orderId: string): [string, Prey['fields']][] => [
  ['/instruments/violin-4-4', { submissionId: crypto.randomUUID(), orderQuantity: 2, ...delivery }],
  ['/dashboard/addReview', { submissionId: crypto.randomUUID(), description: 'Sent from elsewhere.' }],
  ['/dashboard/myProfile', { name: 'Mallory' }],
  ['/dashboard/makeAdmin', { email: 'ada@example.com', act: 'make-admin' }],
  ['/dashboard/addProduct', oboe],
  ['/dashboard/myOrders', { orderId }],
  ['/dashboard/manageProduct', { instrumentId: 'trumpet-bb' }],
  [`/dashboard/myOrders/payment/${orderId}`, {}],
  ['/sign-out', {}],
]

test('nothing that a page elsewhere sends has an effect while somebody is signed in', async ({
  browser,
  shop,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'The page elsewhere needs its scripts')
  test.setTimeout(240_000)
  const context = await browser.newContext()
  const elsewhere = await startElsewhere()
  try {
    const page = await context.newPage()
    await page.goto(`${shop.url}/login`)
    await page.getByLabel('Email').fill('admin@example.com')
    await page.getByLabel('Password').fill('practice')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    // The dashboard fetches a token for itself: that is an effect of ours.
    await page.waitForFunction(() => localStorage.getItem('accessToken') !== null)
    const fromHere = (path: string, body: object) =>
      page.evaluate(
        async ([url, json]) => {
          const headers = { 'content-type': 'application/json' }
          const answer = await fetch(url, { method: 'POST', headers, body: json })
          return [answer.status, await answer.json()] as [number, { insertedId: string }]
        },
        [path, JSON.stringify(body)] as const,
      )
    const wish = { instrumentId: 'violin-4-4', orderQuantity: 2, ...delivery }
    const [status, { insertedId: orderId }] = await fromHere('/order', wish)
    expect(status).toBe(200)

    const calls = callsOf('admin@example.com', orderId)
    const prey: Prey[] = [
      ...apiPaths.flatMap(({ path, endpoints: declared }) =>
        Object.keys(declared)
          .filter((method) => method !== 'GET')
          .map((method) => {
            const { id = '', fields } = calls[`${method} ${path}`]!
            return { method, url: shop.url + path.replace(/\{\w+\}/, encodeURIComponent(id)), fields }
          }),
      ),
      ...pages(orderId).map(([path, fields]) => ({ method: 'POST', url: shop.url + path, fields })),
    ]

    const deps = { db: openDatabase({ url: shop.databaseUrl }) }
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
    // Another port of this host is another origin on the same site, where cookies go along; another name is another site.
    const origins = [`http://127.0.0.1:${elsewhere.port}`, `http://localhost:${elsewhere.port}`]
    for (const origin of origins) {
      await page.goto(origin)
      attempts += await attack(page.mainFrame(), prey)
      await page.goto(`${origin}/framed`)
      attempts += await attack(page.frames()[1]!, prey)
      for (const each of prey) {
        await page.goto(origin)
        const answered = page.waitForResponse((response) => response.url() === each.url)
        await leadAway(page.mainFrame(), each)
        expect((await answered).status(), each.url).toBe(403)
        await page.waitForURL(each.url)
        attempts += 1
      }
    }
    expect(await digest({ deps })).toEqual(before)
    expect(Object.keys(arrived)).toEqual(['403'])
    expect(withCookie).toBeGreaterThan(prey.length)

    // It would have had one: the session lives, and the same words from here are heard.
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
})
