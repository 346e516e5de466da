import { instruments } from '../../app/db/schema'
import { dayText, formatDay } from '../../app/store/shared/dates'
import { day, expect, test, type Shop } from '../support/shop'

const dayFromNow = (days: number) => dayText(Date.now() + days * day)
const until = dayFromNow(5)
const untilWords = formatDay(Date.now() + 5 * day)
const sale = { salePrice: '1,160.00', saleUntil: until }

async function reduced(shop: Shop, fields: Record<string, string> = sale) {
  const id = await shop.sells({
    name: 'Viola',
    price: 1_450_00,
    stock: 100,
    priceBreaks: [{ from: 10, priceCents: 1_300_00 }],
  })
  const admin = await shop.signedIn(await shop.admin())
  const saved = await admin.press(await admin.get(`/dashboard/manageProduct/${id}`), 'Save', fields)
  expect(saved.text).toContain('Product updated.')
  return { id, admin }
}

const words = (text: string) => text.replace(/\s+/g, ' ')

test('an admin plans a sale in the product form, sees it again, and ends it', async ({ shop }) => {
  const { id, admin } = await reduced(shop)
  const path = `/dashboard/manageProduct/${id}`
  const form = await admin.get(path)
  const typed = (name: string) => form.page.querySelector(`input[name=${name}]`)!.getAttribute('value')
  expect([typed('price'), typed('salePrice'), typed('saleFrom'), typed('saleUntil')]).toEqual([
    ...['1450.00', '1160.00', dayFromNow(0), until],
  ])
  expect(form.page.querySelector('#salePrice')!.closest('details')!.hasAttribute('open')).toBe(true)
  const refused = await admin.press(form, 'Save', { salePrice: '1450', saleUntil: '' })
  expect([refused.status, refused.page.querySelector('#salePrice')!.getAttribute('value')]).toEqual([422, '1450'])
  expect(refused.text).toContain('Give the last day of the sale, like 2026-12-31')
  const again = await admin.press(refused, 'Save', { saleUntil: until })
  expect(again.text).toContain('Sale price must be below the normal price, $1,450.00')
  await admin.press(await admin.get(path), 'Save', { salePrice: '', saleFrom: '', saleUntil: '' })
  expect((await shop.visitor().get('/catalog/viola')).text).toContain('$1,450.00 each')
  const added = await admin.get('/dashboard/addProduct')
  expect(added.page.querySelector('#salePrice')!.closest('details')!.hasAttribute('open')).toBe(false)
})

test('shows the sale price with the old one and its end, in every list and on every page', async ({ shop }) => {
  const { id } = await reduced(shop)
  const visitor = shop.visitor()
  for (const path of ['/home', '/allInstruments', '/catalog/viola']) {
    const { page } = await visitor.get(path)
    const old = page.querySelector('main s')!
    expect([path, old.text, old.parentNode!.text.includes('$1,160.00')]).toEqual([
      ...[path, '30-day low before the sale: $1,450.00', true],
    ])
    const text = words(await (await visitor.fetch(path, { headers: { accept: 'text/plain' } })).text())
    expect([path, text]).toEqual([path, expect.stringContaining('$1,160.00 30-day low before the sale: $1,450.00')])
  }
  const end = `Sale price until ${untilWords}. Lowest price of the 30 days before: $1,450.00.`
  const catalog = await visitor.get('/catalog/viola')
  const purchase = await (await shop.signedIn(await shop.customer())).get(`/instruments/${id}?quantity=3`)
  for (const { page } of [catalog, purchase]) {
    expect(words(page.querySelector('main')!.text)).toContain(end)
    // The break of ten pieces is dearer.
    expect(page.querySelector('main')!.text).not.toContain('1,300')
  }
  expect(purchase.page.querySelector('[data-total]')!.text).toBe('$3,480.00')
  expect((await visitor.get('/catalog.html')).text).toContain('$1,160.00 each, 30-day low before the sale $1,450.00')
  expect((await visitor.get('/feed.xml')).text).toContain('$1,160.00.')
})

test('tells programs, search engines and merchants', async ({ shop }) => {
  const { id } = await reduced(shop)
  const visitor = shop.visitor()
  const json = { price: 1160, sale: { until, regularPrice: 1450, priorPrice: 1450 } }
  expect(await (await visitor.fetch(`/instruments/${id}`)).json()).toMatchObject(json)
  expect(await (await visitor.fetch('/instruments')).json()).toMatchObject([json])
  const { page } = await visitor.get('/catalog/viola')
  const [product] = JSON.parse(page.querySelector('script[type="application/ld+json"]')!.text) as [{ offers: object }]
  expect(product.offers).toMatchObject({
    ...{ price: '1160.00', priceCurrency: 'USD', priceValidUntil: until },
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      ...{ priceType: 'https://schema.org/StrikethroughPrice', price: '1450.00', priceCurrency: 'USD' },
    },
  })
  const feed = await (await visitor.fetch('/merchant.xml')).text()
  expect(feed).toContain(
    `<g:price>1450.00 USD</g:price><g:sale_price>1160.00 USD</g:sale_price><g:sale_price_effective_date>${dayFromNow(0)}T00:00+0000/${until}T23:59+0000</g:sale_price_effective_date>`,
  )
  await shop.deps.db.update(instruments).set({ priorCents: null })
  const plain = await shop.sells({ name: 'Oboe', price: 10_00 })
  expect(await (await visitor.fetch(`/instruments/${plain}`)).json()).not.toHaveProperty('sale')
})

test('says nothing of a planned sale but to merchants, who fetch the feed once a day', async ({ shop }) => {
  const { id } = await reduced(shop, { ...sale, saleFrom: dayFromNow(2) })
  const visitor = shop.visitor()
  const json = await (await visitor.fetch(`/instruments/${id}`)).json()
  expect([json, (json as { sale?: object }).sale]).toEqual([expect.objectContaining({ price: 1450 }), undefined])
  const { html } = await visitor.get('/catalog/viola')
  expect(html).not.toMatch(/1,160|1160|<s>|priceValidUntil/)
  const feed = await (await visitor.fetch('/merchant.xml')).text()
  expect(feed).toContain('<g:price>1450.00 USD</g:price><g:sale_price>1160.00 USD</g:sale_price>')
})

test('tells search engines and merchants what twelve cost where nobody can order fewer, in a sale too', async ({
  shop,
}) => {
  await reduced(shop, { ...sale, minQuantity: '12', breakFrom1: '', breakPrice1: '' })
  await shop.sells({ name: 'Reed', price: 2_35, minimum: 12, stock: 90 })
  await shop.sells({ name: 'Oboe', price: 10_00 })
  const visitor = shop.visitor()
  const feed = await (await visitor.fetch('/merchant.xml')).text()
  const pricesOf = (item: string) =>
    [...item.matchAll(/<g:(price|sale_price|unit_pricing_\w+)>([^<]*)/g)].map(([, , text]) => text)
  expect(feed.split('<item>').slice(1).map(pricesOf)).toEqual([
    ['17400.00 USD', '13920.00 USD', '12 ct', '1 ct'],
    ['28.20 USD', '12 ct', '1 ct'],
    ['10.00 USD'],
  ])
  const offersOf = async (path: string) => {
    const { page } = await visitor.get(path)
    const text = page.querySelector('script[type="application/ld+json"]')!.text
    return (JSON.parse(text) as [{ offers: object }])[0].offers
  }
  const twelve = { value: 12, unitCode: 'C62', valueReference: { value: 1, unitCode: 'C62' } }
  expect(await offersOf('/catalog/viola')).toMatchObject({
    ...{ price: '13920.00', eligibleQuantity: { minValue: 12 } },
    priceSpecification: [
      { '@type': 'UnitPriceSpecification', price: '13920.00', referenceQuantity: twelve },
      { price: '17400.00', priceType: 'https://schema.org/StrikethroughPrice' },
    ],
  })
  expect(await offersOf('/catalog/reed')).toMatchObject({
    ...{ price: '28.20', priceSpecification: { price: '28.20', referenceQuantity: twelve } },
  })
  expect(await offersOf('/catalog/oboe')).not.toHaveProperty('priceSpecification')
  expect((await visitor.get('/feed.xml')).text).toContain('$2.35 each, 12 at least: $28.20')
})
