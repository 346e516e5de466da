import { readdirSync } from 'node:fs'
import { XMLParser } from 'fast-xml-parser'
import { SyntaxValidator } from 'fast-xml-validator'
import { demoInstruments } from '../../dev/demo/instruments'
import { seedDemoShop } from '../../dev/demo'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const parser = new XMLParser()

function parseXml(xml: string): unknown {
  expect(SyntaxValidator.validate(xml)).toBe(true)
  return parser.parse(xml)
}

const namesIn = ({ page }: PageResponse) => page.querySelectorAll('tbody th a').map((link) => link.textContent.trim())

const structuredData = ({ page }: PageResponse) =>
  JSON.parse(page.querySelector('script[type="application/ld+json"]')!.innerHTML) as Record<string, unknown>[]

test('shows an instrument to anybody, with the way to buy it', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const page = await visitor.get('/catalog/concert-violin-4-4')
  expect(page.status).toBe(200)
  expect(page.text).toMatch(
    /Concert Violin 4\/4.*\$1,450\.00 each.*In stock.*Minimum order: 2 pieces, 36 available.*flamed maple/s,
  )
  expect(page.html).not.toMatch(/<script(?!>| type="application\/ld\+json")/)
  const links = page.page.querySelectorAll('main a').map((link) => link.getAttribute('href'))
  expect(links).toEqual(
    expect.arrayContaining([
      '/dashboard/quotes/new?instrument=violin-4-4',
      '/allInstruments?family=strings',
      '/catalog/violin-case-oblong',
    ]),
  )
  const [product, trail] = structuredData(page)
  expect(product).toMatchObject({
    '@type': 'Product',
    image: ['', '-back'].map((part) => `${shop.deps.origin}/plates/violin-4-4${part}.png`),
    offers: {
      ...{ price: '2900.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
      eligibleQuantity: { minValue: 2, unitCode: 'C62' },
      priceSpecification: { price: '2900.00', referenceQuantity: { value: 2, valueReference: { value: 1 } } },
    },
  })
  expect(trail).toMatchObject({ '@type': 'BreadcrumbList', itemListElement: [{}, {}, { position: 3 }] })
  const image = await visitor.fetch('/plates/violin-4-4.png')
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test('takes the quantity along to the purchase page, in one form', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 2, stock: 5 })
  const visitor = shop.visitor()
  const { page, text } = await visitor.get('/catalog/oboe')
  expect(text).toContain('Only 5 left')
  const forms = page.querySelectorAll(`main form[action="/instruments/${id}"]`)
  expect(forms).toHaveLength(1)
  const [form] = forms
  expect([form!.getAttribute('method'), form!.querySelectorAll('button').map(({ text }) => text)]).toEqual([
    undefined,
    ['Purchase'],
  ])
  expect(form!.querySelector('label[for=quantity]')!.text).toBe('Quantity')
  expect(form!.querySelector('input[name=quantity]')!.getAttribute('value')).toBe('2')
  const login = await visitor.get(`/instruments/${id}?quantity=2`)
  expect(login.path).toBe(`/login?redirectTo=${encodeURIComponent(`/instruments/${id}?quantity=2`)}`)
})

test.for([
  ['1', '1', 'cannot be less than minimum order'],
  ['6', '6', 'Cannot be more than available'],
  ['2.5', '', 'Order quantity must be a whole number'],
  ['<b>', '', 'Order quantity must be a whole number'],
  ['9'.repeat(400), '', 'Cannot be more than available'],
] as const)('refuses a quantity of "%s" at its field, before the login', async ([typed, value, words], { shop }) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 2, stock: 5 })
  const visitor = shop.visitor()
  const start = await visitor.get('/catalog/oboe')
  const refused = await visitor.press(start, 'Purchase', { quantity: typed })
  expect([refused.status, refused.path.split('?')[0]]).toEqual([422, '/catalog/oboe'])
  const field = refused.page.querySelector('#quantity')!
  expect(field.getAttribute('value') ?? '').toBe(value)
  expect(field.attributes).toMatchObject({ 'aria-invalid': 'true', 'aria-describedby': 'quantity-error minimum' })
  expect(refused.page.querySelector('#quantity-error')!.text).toBe(words)
  expect(refused.page.querySelector('title')!.text).toMatch(/^Error: Oboe/)
  const again = await visitor.press(refused, 'Purchase', { quantity: '5' })
  expect(again.path).toBe(`/login?redirectTo=${encodeURIComponent(`/instruments/${id}?quantity=5`)}`)
  // The copy for everybody has the minimum.
  const fresh = (await shop.visitor().get('/catalog/oboe')).page
  expect(fresh.querySelector('#quantity')!.getAttribute('value')).toBe('2')
  expect(fresh.querySelector('#quantity-error')).toBeNull()
})

test('refuses no quantity of what is sold out, nor of who is logged in: the purchase page does', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 2, stock: 1 })
  const path = `/instruments/${id}?quantity=1`
  expect((await shop.visitor().get(path)).path).toBe(`/login?redirectTo=${encodeURIComponent(path)}`)
  const ada = await shop.signedIn(await shop.customer())
  expect((await ada.get(path)).path).toBe(path)
  expect((await shop.visitor().get('/instruments/none?quantity=1')).path).toMatch(/^\/login\?/)
})

test('leads who is new from an instrument to Register, with the quantity, and whoever is logged in past it', async ({
  shop,
}) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 2, stock: 5 })
  const visitor = shop.visitor()
  const start = await visitor.get('/catalog/oboe')
  const refused = await visitor.press(start, 'New here? Create an account', { quantity: '9' })
  expect(refused.path).toBe('/catalog/oboe?quantity=9')
  const register = await visitor.press(refused, 'New here? Create an account', { quantity: '4' })
  expect(register.path).toBe(`/register?redirectTo=${encodeURIComponent(`/instruments/${id}?quantity=4`)}`)
  const purchase = await visitor.press(register, 'Register', {
    ...{ name: 'Zoë', email: 'zoe@example.com', password: 'correct horse' },
  })
  expect([purchase.path, purchase.page.querySelector('#orderQuantity')!.getAttribute('value')]).toEqual([
    `/instruments/${id}?quantity=4`,
    '4',
  ])
  expect((await visitor.get('/catalog/oboe')).text).not.toContain('New here?')
  expect((await visitor.get(`/instruments/${id}?quantity=4&new=1`)).page.querySelector('#orderQuantity')).not.toBeNull()
})

test('leads to Purchase also what is sold out, and says the time of a delivery and the returns', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 2, stock: 0 })
  await shop.sells({ name: 'Horn' })
  const { page } = await shop.visitor().get('/catalog/oboe')
  const buttons = page.querySelectorAll('main button').map(({ text }) => text)
  expect(buttons).toEqual(['Email me when it is back', 'Purchase'])
  expect(page.querySelector(`form[action="/instruments/${id}"] input`)).toBeNull()
  expect(page.querySelector('.facts')!.text).toBe('DeliveryIncluded in the price')
  await shop.configure({ DELIVERY_TIME: '5 to 8 days <b>', RETURNS: 'Within 30 days' })
  const { page: told } = await shop.visitor().get('/catalog/horn')
  expect(told.querySelector('.facts')!.textContent).toBe(
    'Delivery5 to 8 days <b>, included in the priceReturnsWithin 30 days',
  )
})

test('shows up to four others of the family, small', async ({ shop }) => {
  for (const name of ['Oboe', 'Flute', 'Bassoon', 'Recorder', 'Clarinet', 'Cornett'])
    await shop.sells({ name, family: 'woodwind' })
  await shop.sells({ name: 'Horn', family: 'brass' })
  const { page } = await shop.visitor().get('/catalog/recorder')
  const more = page.querySelector('section[aria-label="More woodwind"]')!
  const names = more.querySelectorAll('a').map(({ text }) => text.split(' $')[0])
  expect(names).toEqual(['Clarinet', 'Cornett', 'Bassoon', 'Flute'])
})

test('shows every drawing of a part or a back that the shop has, after that of its instrument', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const { page } = await visitor.get('/catalog/cello-4-4')
  const picture = page.querySelector('.gallery li:nth-child(2) img')!
  expect(picture.attributes).toMatchObject({ src: '/plates/cello-4-4-detail.svg', loading: 'lazy' })
  expect(picture.getAttribute('alt')).toMatch(/f-holes/)
  expect((await visitor.get('/catalog/oboe-conservatoire-system')).page.querySelector('.gallery nav')).toBeNull()

  const details = readdirSync('public/plates').filter((name) => /-(detail|back)\./.test(name))
  const pages = await Promise.all(
    (await visitor.get('/allInstruments')).page
      .querySelectorAll('tbody th a')
      .map((link) => visitor.get(link.getAttribute('href')!)),
  )
  const shown = pages.flatMap(({ page }) =>
    page.querySelectorAll('.gallery li ~ li img').map((img) => img.getAttribute('src')),
  )
  expect(shown.sort()).toEqual(details.map((name) => `/plates/${name}`).sort())
})

test('leads to the page of an instrument from every list', async ({ shop }) => {
  await seedDemoShop(shop.database)
  for (const path of ['/home', '/allInstruments']) {
    const { page } = await shop.visitor().get(path)
    const links = page.querySelectorAll('main a').map((link) => link.getAttribute('href'))
    expect([path, links.includes('/catalog/concert-violin-4-4')]).toEqual([path, true])
  }
})

test('redirects ids and other spellings of a slug, and tells unknown from removed', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe d’amore' })
  const visitor = shop.visitor()
  const answer = async (path: string) => {
    const { status, headers } = await visitor.fetch(path, { headers: { accept: 'text/html' } })
    return [status, headers.get('location')]
  }
  expect(await answer('/catalog/oboe-d-amore')).toEqual([200, null])
  for (const slug of [id, 'Oboe-d-amore', 'oboe%20d%E2%80%99amore'])
    expect(await answer(`/catalog/${slug}`)).toEqual([301, '/catalog/oboe-d-amore'])
  expect(await answer('/catalog/oboe')).toEqual([404, null])
  const admin = await shop.visitor().signIn(await shop.admin())
  await admin.post('/dashboard/manageProduct', { command: 'delete', instrumentId: id })
  expect(await answer('/catalog/oboe-d-amore')).toEqual([410, null])
  expect((await visitor.get('/catalog/oboe-d-amore')).text).toContain('Page not found')
})

test('escapes what a shopkeeper types, in the page, its data and the feeds', async ({ shop }) => {
  const name = `</script><b title="x">&amp;\u0008`
  await shop.sells({ name: `Horn ${name.slice(0, -1)}` })
  const visitor = shop.visitor()
  const { page } = await visitor.get('/allInstruments')
  const path = page.querySelector('tbody th a')!.getAttribute('href')!
  const product = await visitor.get(path)
  expect(product.page.querySelectorAll('main b')).toEqual([])
  expect(structuredData(product)[0]).toMatchObject({ name: `Horn ${name.slice(0, -1)}` })
  for (const file of ['/sitemap.xml', '/feed.xml', '/merchant.xml']) parseXml((await visitor.get(file)).html)
})

test('makes a filter of a price in the words of a search, which can be taken away', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const under = await visitor.press(await visitor.get('/'), 'Find', { q: 'clarinet under $1,000' })
  expect(under.path).toBe('/allInstruments?q=clarinet&max=1000')
  expect(under.text).toMatch(/Nothing matches “clarinet”, up to \$1,000.*1 clarinet, above \$1,000/s)
  const [link] = under.page.querySelectorAll('main a').filter(({ text }) => text === 'At any price')
  expect(namesIn(await visitor.get(link!.getAttribute('href')!))[0]).toBe('Bb Clarinet, grenadilla')
  const between = await visitor.get('/allInstruments?family=cases&q=between+600+and+300&page=2&sort=price')
  expect(between.path).toBe('/allInstruments?family=cases&min=300&max=600&sort=price')
  expect(between.text).toContain('1 on sale, from $300, up to $600')
  expect(between.page.querySelector('form.search [name=min]')!.getAttribute('value')).toBe('300')
  const prices = async (path: string) =>
    (await visitor.get(path)).page
      .querySelectorAll('tbody .price')
      .map(({ text }) => Number(text.replaceAll(/[$,]/g, '')))
  const [all, over, some] = [
    await prices('/allInstruments'),
    await prices('/allInstruments?q=over+2000'),
    await prices('/allInstruments?q=between+300+and+600'),
  ]
  expect(over).toEqual(all.filter((price) => price >= 2000))
  expect(some).toEqual(all.filter((price) => price >= 300 && price <= 600))
  expect(Math.min(over.length, some.length)).toBeGreaterThan(1)
  const nothing = await visitor.get('/allInstruments?q=recorder+over+9000')
  expect(nothing.text).toContain('1 recorder, below $9,000')
  const wrong = await visitor.get('/allInstruments?min=cheap')
  expect([namesIn(wrong).length, wrong.text.includes('In dollars, like 1,450.00')]).toEqual([24, true])
})

test('says what the shop does not sell, and shows what belongs to it', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const strings = await visitor.get('/allInstruments?q=strings+for+a+cello')
  expect(namesIn(strings)).toEqual(['Cello 4/4', 'Cello Case, hard shell'])
  expect(strings.text).toContain('We do not sell strings. What we have for “cello”:')
  expect((await visitor.get('/allInstruments?q=gig+bag')).text).toContain(
    'We do not sell gig bags. These are hard cases.',
  )
  const rosin = await visitor.get('/allInstruments?q=rosin')
  expect([rosin.text.includes('We do not sell rosin.'), namesIn(rosin)]).toEqual([true, []])
  const cheap = await visitor.get('/allInstruments?q=saxophone&max=100')
  expect(cheap.text).toContain('1 saxophone and 1 case, above $100')
})

test('compares what is ticked in the list, or begins with one instrument', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const list = await visitor.get('/allInstruments')
  const ticks = list.page.querySelectorAll('input[name=ids][form=compare]')
  expect([ticks.length, list.page.querySelector('form#compare')!.getAttribute('action')]).toEqual([24, '/compare'])
  const rowsOf = async (path: string) =>
    (await visitor.get(path)).page
      .querySelectorAll('tbody tr')
      .map((row) => row.querySelectorAll('th, td').map((cell) => cell.innerHTML))
  const rows = await rowsOf('/compare?ids=violin-4-4&ids=violin-3-4')
  expect(rows).toContainEqual(['Level', '<b>Intermediate</b>', '<b>Beginner</b>'])
  expect(rows).toContainEqual(['For ages', '<b>From about 12 years</b>', '<b>For about 9 to 11 years</b>'])
  expect(rows).toContainEqual(['Stock', 'In stock', 'In stock'])
  expect((await rowsOf('/compare?ids=oboe,oboe,gone,,bassoon'))[0]).toEqual([
    'Price',
    '<b>$2,300.00</b>',
    '<b>$6,800.00</b>',
  ])
  expect((await rowsOf('/compare?ids=oboe,bassoon,cello-4-4,viola-16,flute-c'))[0]).toHaveLength(5)
  const one = await visitor.get('/compare?ids=oboe')
  expect(one.page.querySelector('a[href="/compare?ids=oboe,bassoon"]')!.text).toBe('Bassoon, German system')
  expect(one.page.querySelector('meta[name=robots]')!.getAttribute('content')).toBe('noindex')
  for (const path of ['/compare', '/compare?ids=gone'])
    expect((await visitor.get(path)).text).toContain('Tick two to four instruments in the list.')
})

test('searches, filters, sorts and pages, and keeps the query in every link', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const list = await visitor.get('/allInstruments')
  expect(list.page.querySelector('main')!.text).toContain('24 on sale')
  expect(list.page.querySelectorAll('select[name=family] option').map((each) => each.textContent)).toEqual([
    'All (24)',
    'Strings (8)',
    'Brass (6)',
    'Woodwind (6)',
    'Cases (4)',
  ])
  const searched = await visitor.press(list, 'Find', { q: 'clarinett' })
  const found = await visitor.press(searched, 'Search', { sort: 'price' })
  expect(namesIn(found)[0]).toBe('Bb Clarinet, grenadilla')
  expect(found.text).toContain('No results for “clarinett”. Showing results for “clarinet”.')
  expect(found.page.querySelector('input[name=q]')!.getAttribute('value')).toBe('clarinett')
  const fewer = await visitor.get('/allInstruments?q=used+violin')
  expect(fewer.page.querySelectorAll('.notice[role=status]').map((each) => each.text)).toEqual([
    'Nothing for “used”. These are our matches for “violin”.',
  ])
  expect([namesIn(fewer)[0], fewer.text.includes('Nothing matches')]).toEqual(['Concert Violin 4/4', false])
  expect(fewer.page.querySelector('input[name=q]')!.getAttribute('value')).toBe('used violin')
  const student = await visitor.get('/allInstruments?q=student&sort=price')
  const narrowed = await visitor.press(student, 'Search', {
    ...{ family: 'strings', level: 'beginner', max: '1,000', inStock: '1' },
  })
  expect(namesIn(narrowed)).toEqual(['Student Violin 3/4 with bow', 'A-Style Mandolin', 'Classical Guitar'])
  expect(narrowed.text).toContain('3 matches for “student”, Beginner, up to $1,000, in stock')
  for (const [name, value] of Object.entries({ q: 'student', max: '1,000', sort: 'price', family: 'strings' })) {
    const field = narrowed.page.querySelector(`form.search [name=${name}]`)!
    const chosen = field.querySelector('option[selected]') ?? field
    expect(chosen.getAttribute('value'), name).toBe(value)
  }
  expect(narrowed.page.querySelector('form.search [name=inStock]')!.hasAttribute('checked')).toBe(true)
  const nothing = await visitor.get('/allInstruments?q=theremin&family=brass')
  const words = nothing.page.querySelector('main')!.textContent
  expect(words.match(/theremin/g)).toHaveLength(1)
  expect(words).toContain('Nothing matches “theremin”')
  expect(nothing.page.querySelector('.empty a[href="/home#contact"]')!.textContent).toBe('ask us')
  const links = (answer: typeof nothing) =>
    answer.page
      .querySelectorAll('nav[aria-label="Instead"] a')
      .map((link) => [link.textContent, link.getAttribute('href')])
  expect(links(nothing)).toEqual([
    ['Strings', '/allInstruments?family=strings'],
    ['Brass', '/allInstruments?family=brass'],
    ['Woodwind', '/allInstruments?family=woodwind'],
    ['Cases', '/allInstruments?family=cases'],
  ])
  const tooCheap = await visitor.get('/allInstruments?q=clarinets&max=800&sort=price')
  expect(links(tooCheap)).toEqual([['1 clarinet, above $800', '/allInstruments?q=clarinets&sort=price']])
  const elsewhere = await visitor.get('/allInstruments?q=clarinett&family=brass&max=9.50')
  expect(links(elsewhere)).toEqual([['1 clarinet, without these limits', '/allInstruments?q=clarinet']])
  expect(links(await visitor.get('/allInstruments?q=electric+guitar'))[0]).toEqual([
    'Only “guitar”',
    '/allInstruments?q=guitar',
  ])
  const wrong = await visitor.get('/allInstruments?max=cheap')
  expect([wrong.status, namesIn(wrong).length]).toEqual([200, 24])
  expect(wrong.text).toContain('In dollars, like 1,450.00')

  for (let number = 1; number <= 60; number++) await shop.sells({ name: `Kazoo ${number}`, price: 1_00 })
  const second = await visitor.get('/allInstruments?q=kazoo&sort=name&page=2')
  expect(namesIn(second)).toHaveLength(10)
  expect(second.text).toContain('60 matches for “kazoo”')
  const back = second.page.querySelector('a[rel=prev]')!
  expect([back.textContent, back.getAttribute('href')]).toEqual(['← Previous', '/allInstruments?q=kazoo&sort=name'])
  const first = await visitor.get('/allInstruments?q=kazzoo')
  expect(first.page.querySelector('a[rel=next]')!.getAttribute('href')).toBe('/allInstruments?q=kazoo&page=2')
  expect((await visitor.get('/allInstruments?page=9')).text).toContain('Nothing on this page')
  expect(namesIn(await visitor.get('/allInstruments?q=kazoo&page=2e0'))).toHaveLength(50)
  for (const page of ['0x0', '0e1', '-1']) expect((await visitor.get(`/sitemap.xml?page=${page}`)).status).toBe(404)
})

test.for([
  '"*()-',
  `'; --`,
  '\u0000',
  'a\u0000b',
  '1e308',
  '🎻'.repeat(9),
  'x'.repeat(1000),
  '%',
  'a AND (',
  'name:',
  '\ud800',
])('answers a search for %j', async (q, { shop }) => {
  await shop.sells({ name: 'Oboe' })
  const page = await shop.visitor().get(`/allInstruments?${new URLSearchParams({ q, page: q, max: q, sort: q })}`)
  expect(page.status).toBe(200)
  const list = await shop.visitor().get(`/instruments?${new URLSearchParams({ q })}`, { accept: 'application/json' })
  expect([200, 422]).toContain(list.status)
})

test('lists everything on sale for crawlers, feed readers and Google Merchant', async ({ shop }) => {
  await seedDemoShop(shop.database)
  for (const [name, stock] of [
    ['Sold-out Rebec', 0],
    ['Short Rebec', 1],
    ['Rebec', 2],
  ] as const)
    await shop.sells({ name, stock, minimum: 2 })
  const visitor = shop.visitor()
  const xml = async (path: string) => {
    const { html, headers } = await visitor.get(path)
    expect([path, headers.get('content-type')]).toEqual([path, expect.stringContaining('xml; charset=utf-8')])
    return parseXml(html)
  }
  const { urlset } = (await xml('/sitemap.xml')) as { urlset: { url: { loc: string }[] } }
  const locations = urlset.url.map(({ loc }) => loc)
  expect(locations.filter((loc) => loc.includes('/catalog/'))).toHaveLength(demoInstruments.length + 3)
  for (const loc of locations.slice(0, 8))
    expect((await visitor.get(loc.replace(shop.deps.origin, ''))).status).toBe(200)
  expect((await visitor.get('/robots.txt')).html).toContain(`Sitemap: ${shop.deps.origin}/sitemap.xml`)

  const { feed } = (await xml('/feed.xml')) as { feed: { entry: { updated: string }[] } }
  const updated = feed.entry.map((entry) => entry.updated)
  expect(updated).toHaveLength(demoInstruments.length + 3)
  expect(updated).toEqual([...updated].sort().reverse())

  const { rss } = (await xml('/merchant.xml')) as { rss: { channel: { item: Record<string, string>[] } } }
  expect(rss.channel.item[0]).toMatchObject({
    'g:id': 'violin-4-4',
    'g:link': `${shop.deps.origin}/catalog/concert-violin-4-4`,
    'g:price': '2900.00 USD',
    'g:unit_pricing_measure': '2 ct',
    'g:unit_pricing_base_measure': '1 ct',
    'g:availability': 'in_stock',
    'g:image_link': `${shop.deps.origin}/plates/violin-4-4.png`,
  })
  // One piece is too few to order.
  const rebecs = rss.channel.item.filter((item) => item['g:title']!.includes('Rebec'))
  expect(rebecs.map((item) => [item['g:title'], item['g:availability']])).toEqual([
    ['Sold-out Rebec', 'out_of_stock'],
    ['Short Rebec', 'out_of_stock'],
    ['Rebec', 'in_stock'],
  ])
})

test('streams a Merchant feed that is too long for memory, without losing an instrument', async ({ shop }) => {
  await addMany(shop, 1_203)
  const { html } = await shop.visitor().get('/merchant.xml')
  parseXml(html)
  expect(new Set(html.match(/<g:id>[^<]*/g)).size).toBe(1_203)
})

async function addMany(shop: Shop, count: number): Promise<void> {
  await shop.deps.db.run(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at)
    SELECT 'many-' || i, 'Kazoo ' || i, '/a.svg', 100, 1, i FROM n`)
}
