import { parse } from 'node-html-parser'
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
  expect(await send(`/instruments/${violin}`, orderFields)).toEqual([
    303,
    expect.stringMatching(/^\/dashboard\/myOrders\/payment\/[\w-]+$/),
  ])
  expect(await shop.stockOf(violin)).toBe(8)

  const orders = await browser.get('/dashboard/myOrders')
  const orderId = orders.page.querySelector('[name=orderId]')!.getAttribute('value')!
  expect(await send('/dashboard/myOrders', { orderId })).toEqual([303, '/dashboard/myOrders'])
  expect(await shop.stockOf(violin)).toBe(10)
})

// They show what is `hidden`, as if it were not.
test('sends text browsers neither the select of submission ids nor a button for passkeys', async ({ shop }) => {
  const violin = await shop.sells()
  const browser = await shop.signedIn(await shop.customer())
  const accept = { accept: 'text/html' }
  const namesOn = async (path: string, headers: Record<string, string>) => {
    const page = parse(await (await browser.fetch(path, { headers: { ...accept, ...headers } })).text())
    return page.querySelectorAll('main [name]').map((field) => field.getAttribute('name'))
  }
  for (const path of [`/instruments/${violin}`, '/dashboard/addReview']) {
    expect(await namesOn(path, {})).toContain('submissionId')
    expect(await namesOn(path, {})).not.toContain('restoredSubmissionId')
    for (const header of ['upgrade-insecure-requests', 'sec-fetch-mode'])
      expect(await namesOn(path, { [header]: '1' }), header).toContain('restoredSubmissionId')
  }
  const login = parse(await (await shop.visitor().fetch('/login', { headers: accept })).text())
  expect(login.querySelector('main')!.structuredText).not.toContain('passkey')
})
