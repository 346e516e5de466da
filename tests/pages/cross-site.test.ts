import { digest } from '../support/authorization-matrix'
import { anOrder } from '../support/payments'
import { expect, test } from '../support/shop'
import { formPairs, unsafeRequests } from '../support/unsafe-requests'

const json = { accept: 'application/json', 'content-type': 'application/json' }
const elsewhere = 'https://elsewhere.example'

/** What browsers say of a request that another page has made, from the newest to the oldest. */
const signs: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: elsewhere },
  { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: elsewhere },
  { origin: 'null' },
  { referer: `${elsewhere}/` },
  {},
]

test('refuses every call and form from another site, with the session of an admin', async ({ shop }) => {
  const admin = await shop.admin()
  const violin = await shop.sells({ price: 250_00, stock: 34 })
  const { customer } = await anOrder(shop)
  const browser = await shop.signedIn(admin)
  const ordered = await browser.fetch('/order', {
    method: 'POST',
    headers: { ...json, origin: browser.origin },
    body: JSON.stringify({
      instrumentId: violin,
      orderQuantity: 1,
      customerAddress: '1 Bow Lane',
      customerPhone: '07700 900123',
    }),
  })
  const { insertedId: orderId } = await ordered.json<{ insertedId: string }>()
  const requests = unsafeRequests({ email: admin.email, customer: customer.email, orderId, instrument: violin })
  await browser.waitUntilIdle()
  const before = await digest(shop)
  expect(requests.length).toBeGreaterThan(20)
  const accepted: string[] = []
  for (const { isForm, method, path, fields } of requests) {
    for (const headers of signs) {
      const response = await browser.fetch(path, {
        method,
        headers: isForm ? { accept: 'text/html', ...headers } : { ...json, ...headers },
        body: isForm ? new URLSearchParams(formPairs(fields)) : JSON.stringify(fields),
      })
      if (response.status !== 403) accepted.push(`${method} ${path} ${JSON.stringify(headers)}: ${response.status}`)
    }
  }
  await browser.waitUntilIdle()
  expect(accepted).toEqual([])
  expect(await digest(shop)).toEqual(before)
})
