import { adminPages, customerPages } from '../support/pages'
import { isWhole } from '../support/depth'
import { expect, test } from '../support/shop'

const hints: Record<string, string>[] = [{ 'save-data': 'on' }, { 'sec-ch-prefers-reduced-data': 'reduce' }]
const varied = 'Save-Data, Sec-CH-Prefers-Reduced-Data'
const script = /<script(?! type="application\/ld)|modulepreload/
const register = /<script>[^<]*"\/sw\.js"[^<]*<\/script>/

test.runIf(isWhole)('ships scripts under Save-Data on the payment page only', async ({ shop }) => {
  const oboe = await shop.sells({ id: 'oboe' })
  const ada = await shop.customer()
  const customer = await shop.signedIn(ada)
  const delivery = { orderQuantity: '1', customerAddress: '1 Bow Lane', customerPhone: '+39 0372 555 0199' }
  await customer.press(await customer.get(`/instruments/${oboe}`), 'Order Now', delivery)
  const [order] = await shop.ordersOf(ada)
  const payment = `/dashboard/myOrders/payment/${order!.id}`
  const admin = await shop.signedIn(await shop.admin())
  const usual = await customer.get('/instruments/oboe', { 'save-data': 'off' })
  expect(usual.html).toMatch(script)
  expect(usual.headers.get('vary')).toContain(varied)
  expect(usual.headers.get('accept-ch')).toBe('Sec-CH-Prefers-Reduced-Data')
  for (const saving of hints) {
    for (const [browser, paths] of [
      [customer, customerPages],
      [admin, adminPages],
    ] as const) {
      for (const path of paths) {
        const { html, headers } = await browser.get(path, saving)
        expect(html, path).not.toMatch(script)
        expect(headers.get('content-security-policy'), path).toContain("script-src 'none'")
        expect(headers.has('link'), path).toBe(false)
        expect(headers.get('vary'), path).toContain(varied)
      }
    }
    const { html, headers } = await customer.get(payment, saving)
    expect(html).toMatch(script)
    expect(headers.get('content-security-policy')).toContain("script-src 'nonce-")
  }
})

test('exchanges the access token on the first page that may have scripts', async ({ shop }) => {
  const customer = await shop.signedIn(await shop.customer())
  customer.setCookie('first-page', btoa('"1"'))
  for (const saving of hints) expect((await customer.get('/reviews', saving)).html).not.toMatch(script)
  expect((await customer.get('/reviews')).html).toContain('<script data-email=')
  expect((await customer.get('/reviews')).html.replace(register, '')).not.toMatch(script)
})
