import { cancelOrder } from '../../app/store/ordering/cancel-order.server'
import { changeStock } from '../../app/store/catalog/manage-instruments.server'
import { newId } from '../../app/store/shared/ids.server'
import { expect, test, type Shop, parcel } from '../support/shop'

const accept = 'Accept: order 20 for $1,800.00'

async function ask(shop: Shop, more: { stock?: number } = {}) {
  const instrument = await shop.sells({ name: 'Oboe', price: 100_00, minimum: 2, ...more })
  const [customer, admin] = [await shop.customer(), await shop.admin()]
  const [ada, shopkeeper] = [await shop.visitor().signIn(customer), await shop.visitor().signIn(admin)]
  const form = await ada.get(`/dashboard/quotes/new?instrument=${instrument}`)
  const asked = await ada.press(form, 'Ask for a volume price', { orderQuantity: '30', note: 'For a school.\nSoon' })
  return { instrument, customer, ada, shopkeeper, form, asked }
}

async function anOffer(shop: Shop, more: { stock?: number } = {}) {
  const quote = await ask(shop, more)
  const id = quote.asked.path.split('/').pop()!
  const page = await quote.shopkeeper.get(`/dashboard/manageQuotes/${id}`)
  await quote.shopkeeper.press(page, 'Send the offer', { price: '90', orderQuantity: '20', reply: 'With cases.' })
  return { ...quote, id, path: `/dashboard/quotes/${id}` }
}

test('leads a visitor from an instrument to an offer, and to one order at its price', async ({ shop }) => {
  const { instrument, customer, ada, shopkeeper, form, asked } = await ask(shop)
  const visitor = shop.visitor()
  const link = (await visitor.get('/catalog/oboe')).page.querySelector('main a[href*="quotes/new"]')!
  const path = `/dashboard/quotes/new?instrument=${instrument}`
  expect(link.getAttribute('href')).toBe(path)
  expect((await visitor.get(path)).path).toBe(`/login?redirectTo=${encodeURIComponent(path)}`)

  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Awaiting reply')])
  // A second press of the same form is the same request.
  expect((await ada.press(form, 'Ask for a volume price')).path).toBe(asked.path)
  const dashboard = await shopkeeper.get('/dashboard')
  expect(dashboard.text).toContain('Price requests 1')
  const list = await shopkeeper.get('/dashboard/manageQuotes')
  const request = await shopkeeper.get(list.page.querySelector('main tbody th a')!.getAttribute('href')!)
  for (const text of [customer.email, 'For a school.', '$100.00 each']) expect(request.text).toContain(text)

  const wrong = await shopkeeper.press(request, 'Send the offer', { price: '9,00', validUntil: '2020-01-01' })
  expect([wrong.status, wrong.text]).toEqual([
    422,
    expect.stringContaining('Unit price must be a number, like 1200.50'),
  ])
  expect(wrong.page.querySelector('#validUntil')!.getAttribute('value')).toBe('2020-01-01')
  const late = await shopkeeper.press(wrong, 'Send the offer', { price: '90' })
  expect([late.status, late.text]).toEqual([422, expect.stringContaining('Valid until must be today or later')])
  const until = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
  await shopkeeper.press(late, 'Send the offer', { validUntil: until, orderQuantity: '20', reply: 'With cases.' })
  expect((await shopkeeper.get('/dashboard/manageQuotes')).text).toContain('Nothing to answer')

  const [email] = await shop.emailsTo(customer.email)
  expect(email!.subject).toBe('Our offer: 20 × Oboe')
  const offer = await ada.get(new URL(/http\S+\/dashboard\/quotes\/\S+/.exec(email!.text)![0]).pathname)
  for (const text of ['$90.00', '$1,800.00', 'With cases.', 'An offer can be accepted once'])
    expect(offer.text).toContain(text)
  const bad = await ada.press(offer, accept, { ...parcel, customerPhone: '123' })
  expect([bad.status, bad.text]).toEqual([422, expect.stringContaining('Phone must be 11 digits')])
  // Two tabs at once.
  const answers = await Promise.all([bad, bad].map((tab) => ada.press(tab, accept, parcel)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [order, ...others] = await shop.ordersOf(customer)
  expect(others).toEqual([])
  expect(order).toMatchObject({ unitPriceCents: 90_00, quantity: 20, state: 'unpaid' })
  for (const { path } of answers) expect(path).toBe(`/dashboard/myOrders/payment/${order!.id}`)
  expect((await ada.get('/dashboard/myOrders')).text).toContain('$1,800.00')

  await cancelOrder(shop.deps, customer, order!.id)
  const used = await ada.get(offer.path)
  expect(used.text).toContain('That order is cancelled. An offer can be accepted once')
  const again = await ada.get(used.page.querySelector('main a[href*="quotes/new"]')!.getAttribute('href')!)
  expect(again.page.querySelector('#orderQuantity')!.getAttribute('value')).toBe('30')
})

test('shows a request to nobody else, and says why an offer cannot be accepted', async ({ shop }) => {
  const { ada, shopkeeper, path, id, instrument } = await anOffer(shop, { stock: 20 })
  const stranger = await shop.visitor().signIn(await shop.customer())
  for (const browser of [stranger, shopkeeper]) {
    expect((await browser.get(path)).status).toBe(404)
    expect((await browser.post(path, parcel)).status).toBe(404)
  }
  const offer = await ada.get(path)
  await changeStock(shop.deps, { id: 'test' }, instrument, {
    ...{ pieces: 3, direction: 'out', reason: 'Broken', submissionId: newId() },
  })
  const short = await ada.press(offer, accept, parcel)
  expect([short.status, short.text]).toEqual([
    409,
    expect.stringContaining('Only 17 of the 20 pieces are available now.'),
  ])
  const page = await shopkeeper.get(`/dashboard/manageQuotes/${id}`)
  expect((await shopkeeper.press(page, 'Withdraw the offer', { reason: ' ' })).status).toBe(422)
  // From another tab.
  const other = { command: 'offer', price: '77', orderQuantity: '1', validUntil: new Date().toISOString().slice(0, 10) }
  const late = await shopkeeper.post(page.path, other)
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('This request has another answer by now')])
  await shopkeeper.press(page, 'Withdraw the offer', { reason: 'A mistake of ours.' })
  const gone = await ada.press(offer, accept, parcel)
  expect([gone.status, gone.text]).toEqual([409, expect.stringContaining('There is no offer any more.')])
  expect(gone.text).toContain('A mistake of ours.')
  expect((await ada.get('/dashboard/quotes')).text).toContain('Declined')
  expect((await ada.get('/dashboard/quotes/new?instrument=none')).status).toBe(404)
})

test('warns before an offer of more than the stock is sent, and names what could be offered', async ({ shop }) => {
  const { asked, shopkeeper, customer } = await ask(shop, { stock: 12 })
  const path = `/dashboard/manageQuotes/${asked.path.split('/').pop()!}`
  const typed = { price: '90', orderQuantity: '13', reply: 'Soon there are more.' }
  const warned = await shopkeeper.press(await shopkeeper.get(path), 'Send the offer', typed)
  expect([warned.status, warned.text]).toEqual([
    422,
    expect.stringContaining('Only 12 are available: nobody can accept this offer now. Offer 12, or tick'),
  ])
  expect(warned.text).toContain('Soon there are more.')
  expect(await shop.emailsTo(customer.email)).toEqual([])
  await shopkeeper.press(warned, 'Send the offer', { aboveStock: 'on' })
  expect((await shop.emailsTo(customer.email))[0]!.subject).toBe('Our offer: 13 × Oboe')
  const { asked: other } = await ask(shop, { stock: 12 })
  const fits = await shopkeeper.get(`/dashboard/manageQuotes/${other.path.split('/').pop()!}`)
  const sent = await shopkeeper.press(fits, 'Send the offer', { ...typed, orderQuantity: '12' })
  expect(sent.path).toBe('/dashboard/manageQuotes')
})

test('tells an unverified account before it asks for a price, and loses nothing of a form of before', async ({
  shop,
}) => {
  const instrument = await shop.sells({ name: 'Oboe', price: 100_00, minimum: 2 })
  const ada = await shop.signedIn(await shop.user({ verified: false }))
  const path = `/dashboard/quotes/new?instrument=${instrument}`
  const page = await ada.get(path)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Please verify your email first.')])
  expect(page.page.querySelector('#orderQuantity')).toBeNull()
  const fields = { instrumentId: instrument, orderQuantity: '7', note: 'For a school', submissionId: newId() }
  const late = await ada.post(path, fields)
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Please verify your email first')])
  expect(late.page.querySelector('#orderQuantity')!.getAttribute('value')).toBe('7')
  expect(late.text).toContain('For a school')
})
