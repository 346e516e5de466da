import { cancelOrder } from '../../app/store/ordering/cancel-order.server'
import { updateInstrument } from '../../app/store/catalog/manage-instruments.server'
import { findInstrument } from '../../app/store/catalog/instruments.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { expect, test, type Shop, orderInput } from '../support/shop'

async function dashboard(shop: Shop) {
  const violin = await shop.sells({ name: 'Concert Violin', price: 1_450_00, minimum: 2, stock: 10 })
  const admin = await shop.admin()
  const browser = await shop.visitor().signIn(admin)
  return { violin, admin, browser, path: `/dashboard/manageProduct/${violin}` }
}

const change = {
  name: 'Concert Violin',
  img: '/plates/violin-4-4.svg',
  price: 1_450_00,
  minQuantity: 2,
  stockChange: 0,
  stockNote: null,
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

test('shows a brand on the card and in the JSON until it is removed', async ({ shop }) => {
  const { violin, browser, path } = await dashboard(shop)
  const json = async () => (await browser.fetch(`/instruments/${violin}`)).json<{ brand?: string }>()
  expect(await json()).not.toHaveProperty('brand')
  await browser.press(await browser.get(path), 'Save', { brand: ' Amati & Sons ' })
  expect(await json()).toMatchObject({ brand: 'Amati & Sons' })
  expect((await browser.get('/')).page.querySelector('article')?.text).toContain('By Amati & Sons')
  const form = await browser.get(path)
  expect(form.page.querySelector('input[name=brand]')?.getAttribute('value')).toBe('Amati & Sons')
  await browser.press(form, 'Save', { brand: '' })
  expect(await json()).not.toHaveProperty('brand')
  expect((await browser.press(await browser.get(path), 'Save', { brand: 'x'.repeat(61) })).text).toContain(
    'Brand must be at most 60 characters',
  )
})

test('requires a reason for a stock change and refuses negative stock', async ({ shop }) => {
  const { violin, browser, path } = await dashboard(shop)
  const refused = async (typed: Record<string, string>) =>
    (await browser.press(await browser.get(path), 'Save', typed)).text
  expect(await refused({ stockChange: '5' })).toContain('Give a reason for the change')
  expect(await refused({ stockChange: '-11', stockNote: 'Broken' })).toContain('You can remove at most 10.')
  expect(await refused({ stockChange: 'many', stockNote: 'x' })).toContain('Enter a whole number')
  expect(await refused({ price: '0' })).toContain('Price must be at least $0.01')
  expect(await shop.stockOf(violin)).toBe(10)
  expect(await shop.auditLogOf(violin)).toHaveLength(1)
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

test('applies one of several concurrent edits and logs it', async ({ shop }) => {
  const { violin, admin } = await dashboard(shop)
  for (let race = 1; race <= 10; race++) {
    const prices = [race * 100, race * 100 + 1, race * 100 + 2]
    await Promise.allSettled(
      prices.map((price) =>
        updateInstrument(shop.deps, admin, violin, { ...change, price, stockChange: 1, stockNote: 'x' }),
      ),
    )
    const entry = (await shop.auditLogOf(violin)).filter(({ event }) => event === 'instrument changed').at(-1)!
    const { priceCents } = (await findInstrument(shop.deps, violin))!
    expect(entry.note).toMatch(new RegExp(`→ \\$${(priceCents / 100).toFixed(2)}$`))
  }
  const counted = (await shop.auditLogOf(violin)).reduce((sum, { stockDelta }) => sum + stockDelta, 0)
  expect(await shop.stockOf(violin)).toBe(counted)
})

test('reserves room in the stock limit for unpaid orders', async ({ shop }) => {
  const { violin, browser, path } = await dashboard(shop)
  const ada = await shop.customer()
  const { id } = await placeOrder(shop.deps, ada, orderInput(violin, 5))
  const fill = async (stockChange: string) =>
    (await browser.press(await browser.get(path), 'Save', { stockChange, stockNote: 'Delivery' })).text
  expect(await fill('999995')).toContain('Stock can be at most 1,000,000 pieces, unpaid orders included')
  expect(await fill('999990')).toContain('Product updated.')
  await cancelOrder(shop.deps, ada, id)
  expect(await shop.stockOf(violin)).toBe(1_000_000)
})

test('keeps concurrent orders while restocking', async ({ shop }) => {
  const { violin, admin } = await dashboard(shop)
  const buyers = await Promise.all(Array.from({ length: 8 }, () => shop.customer()))
  const placed = buyers.map((buyer) => placeOrder(shop.deps, buyer, orderInput(violin, 2)).catch(() => null))
  const restocked = [5, -3, 7].map((stockChange) =>
    updateInstrument(shop.deps, admin, violin, { ...change, stockChange, stockNote: 'Count' }).catch(() => null),
  )
  await Promise.all([...placed, ...restocked])
  const counted = (await shop.auditLogOf(violin)).filter(({ event }) => event === 'stock counted')
  const received = counted.reduce((sum, { stockDelta }) => sum + stockDelta, 0)
  expect((await shop.stockOf(violin)) + (await shop.piecesIn(violin, 'unpaid'))).toBe(received)
})

test('keeps the price and name of a placed order', async ({ shop }) => {
  const { violin, admin } = await dashboard(shop)
  const ada = await shop.customer()
  await placeOrder(shop.deps, ada, orderInput(violin, 2))
  await updateInstrument(shop.deps, admin, violin, { ...change, name: 'Old Violin', price: 1_00 })
  expect(await shop.ordersOf(ada)).toMatchObject([{ productName: 'Concert Violin', totalCents: 2_900_00 }])
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

test('drops a contact message that fills the honeypot', async ({ shop }) => {
  const browser = shop.visitor()
  const message = { name: 'A Program', email: 'program@example.com', message: 'Buy now' }
  const response = await browser.press(await browser.get('/'), 'Send', { ...message, website: 'https://spam.example' })
  expect(response.text).toContain('Thank you.')
  expect(await shop.emailsTo('shop@cadenza.example')).toEqual([])
  await browser.press(await browser.get('/'), 'Send', message)
  expect(await shop.emailsTo('shop@cadenza.example')).toHaveLength(1)
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
