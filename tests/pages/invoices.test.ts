import { orders } from '../../app/db/schema'
import { startCheckout } from '../../app/store/payments/payments.server'
import { programOf } from '../support/api-client'
import { payAt } from '../support/hosted-page'
import { refund } from '../support/refund'
import { expect, test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

async function pays(shop: Shop, customer: { id: string }, browser: TestBrowser, id: string) {
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await browser.get(`/dashboard/myOrders/payment/${id}?from=checkout`)
}

test('invoices a company from page and JSON, to its customer and admins only, and keeps it after a change of the configuration', async ({
  shop,
}) => {
  const violin = await shop.sells({ name: 'Concert <Violin>', price: 250_00 })
  const ada = await shop.customer()
  const browser = await shop.signedIn(ada)
  const purchase = await browser.get(`/instruments/${violin}`)
  const typed = {
    ...delivery,
    orderQuantity: '2',
    company: 'Lyre <&> Co',
    vatNumber: 'none',
    purchaseOrder: 'PO\u00017',
  }
  const wrong = await browser.press(purchase, 'Order Now', typed)
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('VAT number must be 4 to 30 letters, digits')
  expect(wrong.text).toContain('Purchase order number contains characters that are not allowed')
  expect(wrong.page.querySelector('#company')!.getAttribute('value')).toBe('Lyre <&> Co')
  expect(wrong.page.querySelector('#company')!.closest('details')!.hasAttribute('open')).toBe(true)
  await browser.press(wrong, 'Order Now', { vatNumber: ' DE 123456789', purchaseOrder: 'PO-7' })
  const [order] = await shop.deps.db.select().from(orders)
  const id = order!.id
  const path = `/dashboard/myOrders/invoice/${id}`
  expect((await browser.get(path)).status).toBe(404)

  await pays(shop, ada, browser, id)
  const admin = await shop.signedIn(await shop.admin())
  for (const [who, page] of [
    [browser, `/dashboard/myOrders/${id}`],
    [browser, `/dashboard/myOrders/receipt/${id}`],
    [admin, `/dashboard/manageOrders/${id}`],
  ] as const)
    expect((await who.get(page)).page.querySelector(`a[href="${path}"]`)?.textContent).toBe('Invoice INV-1-1')
  const invoice = await browser.get(path)
  for (const words of [
    ...[
      'Invoice INV-1-1',
      'Cadenza Instruments S.r.l.',
      'VAT number IT01234567897',
      'Lyre <&> Co',
      'VAT number DE 123456789',
    ],
    ...['PO-7', 'C-1001', 'Concert <Violin>', '$409.84', 'VAT 22 %', '$90.16', '$500.00', order!.customerName],
  ])
    expect(invoice.text).toContain(words)
  expect(invoice.page.querySelectorAll('script')).toEqual([])
  const other = await shop.signedIn(await shop.customer())
  const visitor = shop.visitor()
  for (const address of [path, `${path}/CN-1-1`]) {
    expect((await other.get(address)).status).toBe(404)
    expect((await visitor.get(address)).path).toContain('/login?redirectTo=')
  }
  expect((await browser.get(`${path}x`)).status).toBe(404)

  await refund(admin, id, { amount: '100', reason: 'Dent' })
  for (const who of [browser, admin]) {
    const note = await who.get(`${path}/CN-1-1`)
    for (const words of ['Credit note CN-1-1', 'Invoice INV-1-1 of', 'Dent', '-$18.03', '-$100.00'])
      expect(note.text).toContain(words)
    const hrefs = (page: typeof note) =>
      page.page.querySelectorAll('.actions a').map((link) => link.getAttribute('href'))
    expect(hrefs(note)).toContain(path)
    expect(hrefs(await who.get(path))).toContain(`${path}/CN-1-1`)
  }
  expect((await browser.get(`/dashboard/myOrders/${id}`)).text).toContain('Credit note CN-1-1')
  expect((await browser.get(`${path}/CN-1-2`)).status).toBe(404)

  await shop.configure({ SELLER_NAME: 'Viol Ltd', SELLER_VAT_NUMBER: 'GB 987', VAT_PERCENT: '7.7' })
  const program = await programOf(shop, ada)
  const json = {
    ...delivery,
    instrumentId: violin,
    orderQuantity: 2,
    company: 'Bow AG',
    vatNumber: 'CHE-1.2',
    purchaseOrder: null,
  }
  const long = await program.call<{ error: { fields: object } }>('POST', '/order', {
    ...json,
    company: 'x'.repeat(101),
  })
  expect([long.status, long.body.error.fields]).toEqual([422, { company: ['Company must be at most 100 characters'] }])
  const { body } = await program.call<{ insertedId: string }>('POST', '/order', json)
  const read = await program.call('GET', `/order/${body.insertedId}`)
  expect(read.body).toMatchObject({ company: 'Bow AG', vatNumber: 'CHE-1.2' })
  expect(Object.keys(read.body)).not.toContain('purchaseOrder')
  const again = await shop.signedIn(ada)
  await pays(shop, ada, again, body.insertedId)
  const repeated = await again.get(`/instruments/${violin}?again=${id}`)
  const typedBefore = ['company', 'vatNumber', 'purchaseOrder'].map((name) =>
    repeated.page.querySelector(`#${name}`)!.getAttribute('value'),
  )
  expect(typedBefore).toEqual(['Lyre <&> Co', 'DE 123456789', undefined])
  const second = await again.get(`/dashboard/myOrders/invoice/${body.insertedId}`)
  for (const words of ['Invoice INV-1-2', 'Viol Ltd', 'Bow AG', 'VAT 7.7 %', '$35.75', '$464.25'])
    expect(second.text).toContain(words)
  const sheetOf = ({ page }: typeof invoice) => page.querySelector('.receipt-lines')!.textContent
  expect(sheetOf(await again.get(path))).toBe(sheetOf(invoice))
})
