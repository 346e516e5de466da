import { newId } from '../../app/store/shared/ids.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { setHidden } from '../../app/store/catalog/manage-instruments.server'
import { payAt } from '../support/hosted-page'
import { expect, test, type Shop, parcel, orderInput } from '../support/shop'

const path = '/dashboard/manageProduct'

const signedInAdmin = async (shop: Shop) => {
  const admin = { ...(await shop.admin()), name: 'Bea' }
  return { admin, browser: await shop.visitor().signIn(admin) }
}

test('hides a product from everybody at once, keeps its orders payable, and shows it again', async ({ shop }) => {
  await shop.configure({ EDGE_CACHE_SECONDS: '15' })
  const violin = await shop.sells({ name: 'Concert Violin', stock: 10 })
  const ada = await shop.customer()
  const buyer = await shop.visitor().signIn(ada)
  const visitor = shop.visitor()
  const [feeds, lists] = [
    ['/sitemap.xml', '/feed.xml', '/merchant.xml'],
    ['/', '/allInstruments', '/allInstruments?q=violin'],
  ]
  const isListed = async () => {
    const answers = []
    for (const list of lists) answers.push((await visitor.get(list)).text.includes('Concert Violin'))
    for (const feed of feeds) answers.push((await (await visitor.fetch(feed)).text()).includes('concert-violin'))
    const json = await visitor.fetch('/instruments', { headers: { accept: 'application/json' } })
    answers.push((await json.json<unknown[]>()).length > 0)
    return answers
  }
  expect(await isListed()).not.toContain(false)
  const form = await buyer.get(`/instruments/${violin}`)
  await placeOrder(shop.deps, ada, orderInput(violin))

  const { browser } = await signedInAdmin(shop)
  const hidden = await browser.press(await browser.get(path), 'Hide')
  expect(hidden.text).toContain('Product hidden.')
  expect(hidden.page.querySelector('tbody th')?.text).toContain('Hidden')
  expect(await isListed()).not.toContain(true)
  expect((await visitor.get('/catalog/concert-violin')).status).toBe(404)
  expect((await buyer.get(`/instruments/${violin}`)).status).toBe(404)

  const refused = await buyer.press(form, 'Order Now', { orderQuantity: '2', ...parcel })
  expect([refused.status, await shop.ordersOf(ada)]).toEqual([404, [expect.objectContaining({ state: 'unpaid' })]])
  await expect(placeOrder(shop.deps, ada, orderInput(violin))).rejects.toMatchObject({
    message: 'This instrument is not on sale.',
  })
  const [unpaid] = await shop.ordersOf(ada)
  const payment = await buyer.get(`/dashboard/myOrders/payment/${unpaid!.id}`)
  const { location } = await buyer.press(payment, 'Pay on the secure page')
  const back = new URL((await payAt(location!)).location!)
  expect((await buyer.get(back.pathname + back.search)).status).toBe(200)
  expect(await shop.ordersOf(ada)).toMatchObject([{ state: 'paid' }])

  // A hidden product can be edited, and deleted.
  await browser.press(await browser.get(`${path}/${violin}`), 'Save', { price: '900' })
  const shown = await browser.press(await browser.get(path), 'Show')
  expect(shown.text).toContain('Product shown again.')
  expect(await isListed()).not.toContain(false)
  expect((await visitor.get('/catalog/concert-violin')).text).toContain('$900.00')
})

test('refuses a wrong command, and one about no product', async ({ shop }) => {
  const violin = await shop.sells({ stock: 10 })
  const stock = { command: 'stock', instrumentId: violin, pieces: '3', submissionId: newId() }
  const { browser } = await signedInAdmin(shop)
  for (const wrong of [{}, { command: 'sell' }, { command: 'hide' }, { ...stock, direction: 'up' }])
    expect((await browser.post(path, wrong as never)).status).toBe(422)
  expect((await browser.post(path, { command: 'hide', instrumentId: 'none' })).status).toBe(404)
  expect((await browser.get(`${path}/none/history`)).status).toBe(404)
  expect(await shop.auditLogOf(violin)).toHaveLength(1)
})

test('fills in Add Product from another product', async ({ shop }) => {
  const violin = await shop.sells({
    ...{ name: 'Concert Violin', price: 1_450_00, minimum: 2, stock: 10 },
    priceBreaks: [{ from: 10, priceCents: 1_300_00 }],
  })
  const { browser, admin } = await signedInAdmin(shop)
  await setHidden(shop.deps, admin, violin, true)
  const link = (await browser.get(path)).page.querySelector('a[href*="addProduct?from"]')!.getAttribute('href')!
  const form = await browser.get(link)
  expect(form.text).toContain('Filled in from Concert Violin.')
  const added = await browser.press(form, 'Add Product', { price: '1500' })
  expect(added.text).toContain('New Product added!')
  const answer = await browser.fetch('/instruments', { headers: { accept: 'application/json' } })
  expect(await answer.json()).toMatchObject([
    {
      ...{ name: 'Concert Violin (copy)', price: 1500, minQuantity: 2, availableQuantity: 0 },
      priceBreaks: [{ from: 10, price: 1300 }],
    },
  ])
  expect((await browser.get('/dashboard/addProduct?from=none')).status).toBe(200)
})

test('lets an admin choose the emails to the shop, and a threshold for each product', async ({ shop }) => {
  const settings = '/dashboard/shopEmails'
  const violin = await shop.sells({ name: 'Concert Violin', stock: 10 })
  const { browser } = await signedInAdmin(shop)
  expect((await browser.get('/dashboard')).page.querySelector(`a[href="${settings}"]`)).not.toBeNull()
  const page = await browser.get(settings)
  expect(page.page.querySelectorAll('script')).toHaveLength(0)
  expect(page.page.querySelector('option[selected]')?.text).toBe('None')
  const saved = await browser.press(page, 'Save', { orderEmails: 'each' })
  expect(saved.text).toContain('Saved.')
  expect(saved.page.querySelector('option[selected]')?.text).toBe('Each paid order')
  const quiet = await browser.press(saved, 'Save', { messageEmails: 'none', quoteEmails: 'none' })
  const chosen = quiet.page.querySelectorAll('option[selected]').map((option) => option.getAttribute('value'))
  expect(chosen).toEqual(['each', 'none', 'none', 'each'])
  expect((await browser.post(settings, { orderEmails: 'none', quoteEmails: 'x' })).text).toContain(
    'Choose one of the two',
  )
  expect((await browser.post(settings, { orderEmails: 'hourly' })).text).toContain('Choose one of the three')
  const customer = await shop.visitor().signIn(await shop.customer())
  await customer.post(settings, { orderEmails: 'none' })
  await shop.visitor().post(settings, { orderEmails: 'none' })
  expect((await browser.get(settings)).page.querySelector('option[selected]')?.text).toBe('Each paid order')

  const edit = await browser.get(`${path}/${violin}`)
  const refused = await browser.press(edit, 'Save', { lowStock: '-1' })
  expect(refused.text).toContain('Low-stock email must be a whole number from 0 to 1,000,000')
  await browser.press(refused, 'Save', { lowStock: '9' })
  const form = await browser.get(`${path}/${violin}`)
  expect(form.page.querySelector('input[name=lowStock]')?.getAttribute('value')).toBe('9')
  const json = await browser.fetch(`/instruments/${violin}`, { headers: { accept: 'application/json' } })
  expect(await json.json()).not.toHaveProperty('lowStock')
  expect((await browser.get('/dashboard')).text).not.toContain('Concert Violin')

  const ada = await shop.customer()
  const buyer = await shop.visitor().signIn(ada)
  await buyer.press(await buyer.get(`/instruments/${violin}`), 'Order Now', { orderQuantity: '2', ...parcel })
  const [placed] = await shop.ordersOf(ada)
  const payment = await buyer.get(`/dashboard/myOrders/payment/${placed!.id}`)
  const { location } = await buyer.press(payment, 'Pay on the secure page')
  const back = new URL((await payAt(location!)).location!)
  await buyer.get(back.pathname + back.search)
  await shop.waitUntilIdle()
  const emails = await shop.emailsTo('shop@cadenza.example')
  expect(emails.map(({ subject }) => subject).sort()).toEqual([
    'Low stock: Concert Violin',
    expect.stringMatching(/^New order: C-\d+, 2 × Concert Violin$/),
  ])
  expect((await browser.get('/dashboard')).page.querySelector('[aria-labelledby=low-stock] tbody')?.text).toContain('9')
})
