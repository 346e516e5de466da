import { expect, test } from '../support/shop'

// Lynx, w3m, NetSurf and browsers before 2016 send neither Origin nor Sec-Fetch-Site (R27).
test('accepts forms from browsers that send only Referer: register, order, cancel', async ({ shop }) => {
  const violin = await shop.sells({ stock: 10 })
  const browser = shop.visitor()
  const send = async (path: string, fields: Record<string, string>, referer = shop.deps.origin + path) => {
    const response = await browser.fetch(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept: 'text/html', referer },
    })
    return [response.status, response.headers.get('location')]
  }
  const zoe = { name: 'Zoë', email: 'zoe@example.com', password: 'correct horse' }
  expect(await send('/register', zoe)).toEqual([303, '/dashboard'])

  const page = await browser.get(`/instruments/${violin}`)
  const submissionId = page.page.querySelector('[name=submissionId]')!.getAttribute('value')!
  const orderFields = { submissionId, orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  expect(await send(`/instruments/${violin}`, orderFields, 'http://evil.example/')).toEqual([403, null])
  expect(await send(`/instruments/${violin}`, orderFields, `${shop.deps.origin}.evil.example/`)).toEqual([403, null])
  expect(await shop.stockOf(violin)).toBe(10)
  expect(await send(`/instruments/${violin}`, orderFields)).toEqual([303, '/dashboard/myOrders'])
  expect(await shop.stockOf(violin)).toBe(8)

  const orders = await browser.get('/dashboard/myOrders')
  const orderId = orders.page.querySelector('[name=orderId]')!.getAttribute('value')!
  expect(await send('/dashboard/myOrders', { orderId })).toEqual([303, '/dashboard/myOrders'])
  expect(await shop.stockOf(violin)).toBe(10)
})
