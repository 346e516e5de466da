import { findInstrument } from '../../app/store/catalog/instruments.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { expect, test, type Shop, orderInput } from '../support/shop'

async function dashboard(shop: Shop) {
  const violin = await shop.sells({ name: 'Concert Violin', price: 1_450_00, minimum: 2, stock: 10 })
  const admin = await shop.admin()
  const browser = await shop.visitor().signIn(admin)
  return { violin, admin, browser, path: `/dashboard/manageProduct/${violin}` }
}

test('edits and restocks an instrument and logs who changed what', async ({ shop }) => {
  const { violin, admin, browser, path } = await dashboard(shop)
  const page = await browser.get(path)
  expect(page.page.querySelector('input[name=price]')?.getAttribute('value')).toBe('1450.00')
  const saved = await browser.press(page, 'Save', {
    price: '1500',
    minQuantity: '3',
    description: 'New strings.',
    stockChange: '25',
    stockNote: 'Delivery of November',
  })
  expect(saved.path).toBe('/dashboard/manageProduct')
  expect(saved.text).toContain('Product updated.')
  expect(await shop.stockOf(violin)).toBe(35)
  expect(await shop.auditLogOf(violin)).toMatchObject([
    { event: 'stock counted', stockDelta: 10 },
    {
      event: 'instrument changed',
      actor: admin.id,
      note: 'price $1,450.00 → $1,500.00; description; minimum quantity 2 → 3',
    },
    { event: 'stock counted', actor: admin.id, stockDelta: 25, note: 'Delivery of November' },
  ])
})

test('reports a conflicting edit from another window', async ({ shop }) => {
  const { violin, browser, path } = await dashboard(shop)
  const stale = await browser.get(path)
  await browser.press(await browser.get(path), 'Save', { price: '1500' })
  const refused = await browser.press(stale, 'Save', { description: 'New strings.' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Someone else changed this product while you were editing it.')
  expect(await findInstrument(shop.deps, violin)).toMatchObject({ priceCents: 1_500_00, description: '' })

  // A validation error must not hide the conflict.
  const withMistake = await browser.press(stale, 'Save', { price: 'much' })
  expect(withMistake.status).toBe(422)
  expect((await browser.press(withMistake, 'Save', { price: '1450' })).status).toBe(409)

  // Saving again overwrites on purpose.
  const again = await browser.press(refused, 'Save', {})
  expect(again.text).toContain('Product updated.')
  expect(await findInstrument(shop.deps, violin)).toMatchObject({ priceCents: 1_450_00, description: 'New strings.' })
})

test('edits only instruments on sale', async ({ shop }) => {
  const { browser } = await dashboard(shop)
  expect((await browser.get('/dashboard/manageProduct/none')).status).toBe(404)
})

test('shows admins the history of an order, cancelled or not', async ({ shop }) => {
  const { violin, browser } = await dashboard(shop)
  const ada = await shop.customer()
  const { id } = await placeOrder(shop.deps, ada, orderInput(violin, 2))
  const buyer = await shop.visitor().signIn(ada)
  await buyer.press(await buyer.get('/dashboard/myOrders'), 'Cancel')

  expect((await browser.get('/dashboard/manageOrders')).text).not.toContain(ada.email)
  const cancelled = await browser.get('/dashboard/manageOrders?status=cancelled')
  expect(cancelled.page.querySelector(`a[href^="/dashboard/manageOrders/${id}"]`)?.textContent).toMatch(/^C-\d+$/)
  const history = await browser.get(`/dashboard/manageOrders/${id}`)
  for (const text of ['Placed; 2 pieces taken from stock', 'Cancelled; 2 pieces back', ada.email, '$2,900.00'])
    expect(history.text).toContain(text)
  expect((await buyer.get(`/dashboard/manageOrders/${id}`)).path).toBe('/dashboard')
  expect((await browser.get('/dashboard/manageOrders/none')).status).toBe(404)
})

test('lists all reviews on a page, and as JSON for API clients', async ({ shop }) => {
  const browser = await shop.visitor().signIn(await shop.customer({ name: 'Ada' }))
  await browser.press(await browser.get('/dashboard/addReview'), 'Submit', { description: 'It sings.' })
  const page = await shop.visitor().get('/reviews', { accept: 'text/html' })
  expect(page.text).toContain('It sings.')
  expect(page.page.querySelectorAll('script[src]')).toHaveLength(0)
  const response = await shop.visitor().fetch('/reviews', { headers: { accept: 'application/json' } })
  expect(await response.json()).toMatchObject([{ name: 'Ada', description: 'It sings.' }])
})
