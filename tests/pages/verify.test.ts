import { sql } from 'drizzle-orm'
import { formatCode } from '../../app/store/chain/codes'
import { aPaidOrder } from '../support/payments'
import { expect, test, type Customer } from '../support/shop'

test('lets whoever holds a receipt check it, without an account and without the name of the customer', async ({
  shop,
}) => {
  const { id, customer } = await aPaidOrder(shop)
  const ada = await shop.signedIn(customer as Customer)
  const receipt = await ada.get(`/dashboard/myOrders/receipt/${id}`)
  const address = receipt.page.querySelector('a[href*="/verify/"]')!.getAttribute('href')!
  expect(receipt.page.querySelector('main')!.text).toContain(address)
  const { pathname } = new URL(address)
  const code = pathname.split('/').pop()!
  const own = await ada.get(`/dashboard/myOrders/${id}`)
  expect(own.page.querySelector(`a[href="${pathname}"]`)).not.toBeNull()

  const visitor = shop.visitor()
  const asked = await visitor.fetch(`/verify?code=${encodeURIComponent(` ${code.toLowerCase().replaceAll('-', ' ')}`)}`)
  expect([asked.status, asked.headers.get('location')]).toEqual([303, pathname])
  const proof = await visitor.get(pathname)
  expect([proof.status, proof.page.querySelector('h1')!.text]).toEqual([200, 'Receipt C-1001 is genuine'])
  for (const text of ['Concert Violin', '$250.00', '$500.00', 'Paid, not shipped yet'])
    expect(proof.text).toContain(text)
  expect(proof.text).not.toMatch(/Bow Lane|07700/)
  expect(proof.text).not.toContain(customer.email)
  expect(proof.page.querySelector('script')).toBeNull()
  expect(proof.page.querySelector('meta[name=robots]')!.getAttribute('content')).toBe('noindex')
  const { headers } = await visitor.fetch(pathname)
  expect(headers.get('cache-control')).toBe('private, no-store')
  const text = await visitor.fetch(pathname, { headers: { accept: 'text/plain' } })
  expect([text.headers.get('content-type'), await text.text()]).toEqual([
    'text/plain; charset=utf-8',
    expect.stringMatching(/^# Receipt C-1001 is genuine[\s\S]*^Total: \$500\.00$/m) as string,
  ])

  const typed = await visitor.get('/verify?code=ABC')
  expect([typed.status, typed.page.querySelector('input[name=code]')!.getAttribute('value')]).toEqual([422, 'ABC'])
  expect(typed.text).toContain('A code has 25 letters and digits.')
  for (const wrong of ['x', formatCode('0'.repeat(25))]) {
    const unknown = await visitor.get(`/verify/${wrong}`)
    expect([unknown.status, unknown.page.querySelector('[role=alert]')!.text.trim()]).toEqual([
      404,
      'We have no receipt with this code.',
    ])
  }

  shop.skipInvariants('a row is changed')
  await shop.deps.db.run(sql`DROP TRIGGER orders_keep_their_terms`)
  await shop.deps.db.run(sql`UPDATE orders SET product_name = 'Cheap Violin' WHERE id = ${id}`)
  const broken = await visitor.get(pathname)
  expect([broken.status, broken.page.querySelector('h1')!.text]).toEqual([409, 'Receipt C-1001 does not match'])
  expect(broken.text).not.toContain('Cheap Violin')
})
