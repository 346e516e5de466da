import { instruments } from '../../app/db/schema'
import { findInstrument } from '../../app/store/catalog/instruments.server'
import { expect, test, type Shop, parcel } from '../support/shop'

const priceBreaks = [
  { from: 10, priceCents: 1_350_00 },
  { from: 25, priceCents: 1_200_00 },
]
const rows = {
  breakFrom1: '10',
  breakPrice1: '1,350',
  breakFrom2: '',
  breakPrice2: '',
  breakFrom3: '25',
  breakPrice3: '1200.00',
}
const product = { name: 'Viola', img: '/plates/oboe.svg', price: '1450', availableQuantity: '100', minQuantity: '2' }

const aViolin = (shop: Shop) => shop.sells({ name: 'Concert Violin', price: 1_450_00, minimum: 2, priceBreaks })
const tableOf = ({ page }: { page: { querySelectorAll: (query: string) => { textContent: string }[] } }) =>
  page.querySelectorAll('main tr').map((row) => row.textContent)

test('adds a product with price breaks, changes and removes them, and logs each change', async ({ shop }) => {
  const admin = await shop.visitor().signIn(await shop.admin())
  const added = await admin.press(await admin.get('/dashboard/addProduct'), 'Add Product', { ...product, ...rows })
  expect(added.text).toContain('New Product added!')
  const [{ id }] = (await shop.deps.db.select({ id: instruments.id }).from(instruments)) as [{ id: string }]
  expect(await findInstrument(shop.deps, id)).toMatchObject({ priceBreaks })

  const path = `/dashboard/manageProduct/${id}`
  const form = await admin.get(path)
  const typed = (name: string) => form.page.querySelector(`input[name=${name}]`)?.getAttribute('value') ?? ''
  expect(['breakFrom1', 'breakPrice1', 'breakFrom2', 'breakPrice2', 'breakFrom3'].map(typed)).toEqual([
    ...['10', '1350.00', '25', '1200.00', ''],
  ])
  await admin.press(form, 'Save', { breakPrice2: '1250' })
  await admin.press(await admin.get(path), 'Save', { breakFrom1: '', breakPrice1: '', breakFrom2: '', breakPrice2: '' })
  expect((await shop.auditLogOf(id)).slice(1).map(({ note }) => note)).toEqual([
    'price breaks from 10 $1,350.00, from 25 $1,200.00 → from 10 $1,350.00, from 25 $1,250.00',
    'price breaks from 10 $1,350.00, from 25 $1,250.00 → none',
  ])
  // The version has gone up with each change.
  expect((await admin.press(form, 'Save', { breakPrice2: '1' })).status).toBe(409)
})

test('shows the price breaks that there are and an empty row, and folds the others', async ({ shop }) => {
  const admin = await shop.visitor().signIn(await shop.admin())
  const rowsOf = async (path: string) => {
    const { page } = await admin.get(path)
    const all = page.querySelectorAll('input[name^=breakFrom]')
    return [all.length, all.filter((input) => !input.closest('.breaks details')).length]
  }
  expect(await rowsOf('/dashboard/addProduct')).toEqual([5, 1])
  expect(await rowsOf(`/dashboard/manageProduct/${await aViolin(shop)}`)).toEqual([5, 3])
  const five = [10, 20, 30, 40, 50].map((from) => ({ from, priceCents: 1_000_00 - from }))
  const full = await shop.sells({ price: 1_450_00, priceBreaks: five })
  expect(await rowsOf(`/dashboard/manageProduct/${full}`)).toEqual([5, 5])
  // Rows of the specification are their own.
  const more = await admin.press(await admin.get('/dashboard/addProduct'), 'Add a row')
  expect(more.page.querySelectorAll('.breaks details input[name^=breakFrom]')).toHaveLength(4)
})

test('shows an error beside the wrong field, with all that was typed', async ({ shop }) => {
  const id = await aViolin(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const form = await admin.get(`/dashboard/manageProduct/${id}`)
  const refused = await admin.press(form, 'Save', { minQuantity: '10', breakFrom4: '30', breakPrice4: '1,200' })
  expect(refused.status).toBe(422)
  const errors = refused.page.querySelectorAll('.field .error').map((error) => [error.id, error.textContent])
  expect(errors).toEqual([
    ['breakFrom1-error', 'From quantity must be above the minimum quantity, 10'],
    ['breakPrice4-error', 'Price must be below $1,200.00, as in the row above'],
  ])
  expect(refused.page.querySelector('input[name=breakPrice4]')!.getAttribute('value')).toBe('1,200')
  const saved = await admin.press(refused, 'Save', { minQuantity: '9', breakPrice4: '1,199.99' })
  expect(saved.text).toContain('Product updated.')
})

test('shows the breaks to everybody, and tells search engines and merchants what the smallest order costs', async ({
  shop,
}) => {
  const id = await aViolin(shop)
  const visitor = shop.visitor()
  const page = await visitor.get('/catalog/concert-violin')
  const lines = ['From 10: $1,350.00 each', 'From 25: $1,200.00 each']
  expect(tableOf(page)).toEqual(lines)
  expect(page.html).toContain('"price":"2900.00"')
  expect((await visitor.get('/merchant.xml')).html).toContain('<g:price>2900.00 USD</g:price>')
  const customer = await shop.visitor().signIn(await shop.customer())
  expect(tableOf(await customer.get(`/instruments/${id}`))).toEqual(lines)
  const json = await (await visitor.fetch(`/instruments/${id}`)).json()
  expect(json).toMatchObject({
    price: 1450,
    priceBreaks: [
      { from: 10, price: 1350 },
      { from: 25, price: 1200 },
    ],
  })
  const plain = await visitor.fetch(`/instruments/${await shop.sells()}`)
  expect(await plain.json()).not.toHaveProperty('priceBreaks')
})

test('says the new price when a break has changed while the form was open, and loses nothing', async ({ shop }) => {
  const id = await aViolin(shop)
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const form = await browser.get(`/instruments/${id}`)
  const [, second] = priceBreaks
  await shop.deps.db.update(instruments).set({ priceBreaks: [{ from: 10, priceCents: 1_400_00 }, second!] })
  const refused = await browser.press(form, 'Order Now', { ...parcel, orderQuantity: '10' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('The price is now $1,400.00 each. Nothing was ordered.')
  expect(tableOf(refused)[0]).toBe('From 10: $1,400.00 each')
  expect(refused.page.querySelector('#customerAddress')!.textContent.trim()).toBe('1 Bow Lane')
  const placed = await browser.press(refused, 'Order Now')
  expect(placed.path).toMatch(/^\/dashboard\/myOrders\/payment\//)
  expect(await shop.ordersOf(ada)).toMatchObject([{ quantity: 10, unitPriceCents: 1_400_00 }])
})
