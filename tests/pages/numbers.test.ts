import type { HTMLElement } from 'node-html-parser'
import { programOf, type Program } from '../support/api-client'
import { fillOddly, nothingDone, type Done, type Listed } from '../support/odd-shop'
import { expect, test, type Customer } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

/*
 * Every number that a page states, in its order, against a count of what the JSON API gives and of what the test did. Names have
 * no digits here, so that every digit on a page is a number that somebody reads.
 */

interface Ordered {
  _id: string
  productName: string
  customerEmail: string
  orderPrice: number
  orderQuantity: number
  paid: boolean
  refunded?: number
}

/** Dates, times, order and invoice numbers, ids, addresses and phones are no counts. */
const names =
  /\S+@\S+|[\da-f-]{36}|\d{1,2} [A-Z][a-z]{2} \d{4}(, \d\d:\d\d UTC)?|\b(C|INV-\d+|CN-\d+)-\d+|\b(pi|re|cs)_\w+|https?:\S+|<[^>]*>|127\.0\.0\.1:\d+|IT\d+|dei Liutai 4|\+39 0372 \d+ \d+|[0-9A-Z]{5}(-[0-9A-Z]{5}){4}/g

function numbersIn(text: string): number[] {
  const found = text.replace(names, ' ').match(/[−-]?\$?\d[\d,]*(\.\d+)?/g) ?? []
  return found.map((each) => Number(each.replace(/[$,]/g, '').replace('−', '-')))
}

/** Without what does not depend on the shop: the fields of forms with their hints, and how to reach it; and without the menu. */
function numbersOn(page: HTMLElement): number[] {
  const main = page.querySelector('main')!
  for (const each of main.querySelectorAll(
    'script, style, svg, caption, .field, .stars, #contact, [hidden], nav[aria-label=Dashboard]',
  ))
    each.remove()
  return numbersIn(main.structuredText)
}

/** `Only 2 left` */
const shortage = ({ availableQuantity, minQuantity }: Listed) =>
  availableQuantity > 0 && availableQuantity < minQuantity ? [availableQuantity] : []

const cardOf = (each: Listed) => [each.price, each.minQuantity, each.availableQuantity, ...shortage(each)]
const rowOf = (each: Listed, index: number) => [
  ...[index + 1, ...shortage(each)],
  ...[each.price, each.availableQuantity, each.minQuantity],
]
const inCents = (dollars: number) => Number(dollars.toFixed(2))
const sum = (all: number[]) => inCents(all.reduce((total, each) => total + each, 0))

class Numbers {
  readonly wrong: Record<string, { shown: unknown; counted: unknown }> = {}
  pages = 0

  constructor(readonly visitor: TestBrowser) {}

  compare(what: string, shown: unknown, counted: unknown): void {
    this.pages++
    if (JSON.stringify(shown) !== JSON.stringify(counted)) this.wrong[what] = { shown, counted }
  }

  async page(browser: TestBrowser, path: string, counted: (number | undefined)[]): Promise<void> {
    const { page, status, path: reached } = await browser.get(path)
    if (status !== 200 || reached !== path) throw new Error(`${path}: ${status} ${reached}`)
    this.compare(path, numbersOn(page), counted)
  }

  /** Also as text, which anybody may ask for. */
  async publicPage(path: string, counted: number[]): Promise<void> {
    await this.page(this.visitor, path, counted)
    const text = await (await this.visitor.fetch(path, { headers: { accept: 'text/plain' } })).text()
    this.compare(`${path} as text`, numbersIn(text.replace(/## Contact us[^]*/, '')), counted)
  }

  /** The entries of all pages of a list, by Next. */
  async entries(browser: TestBrowser, path: string, entry: string, counted: number): Promise<void> {
    let count = 0
    for (let next: string | undefined = path; next !== undefined;) {
      const { page } = await browser.get(next)
      count += page.querySelectorAll(entry).length
      next = page.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&')
    }
    this.compare(`${entry} at ${path}`, count, counted)
  }
}

const pageSize = 50
/** From 5 to 10 days, until the money is on the card. */
const daysOfRefund = [5, 10]
const filters: { max?: string; inStock?: string; q?: string }[] = [
  {},
  { max: '19.99' },
  { max: '0.50', inStock: '1' },
  { max: '1234.50', q: 'kazoo' },
]
const families = ['strings', 'brass', 'woodwind', 'cases']

interface ListSearch {
  family?: string
  max?: string
  inStock?: string
  q?: string
}

function fits(each: Listed, { family = '', max = '', inStock = '', q = '' }: ListSearch): boolean {
  return (
    (family === '' || each.family === family) &&
    (max === '' || each.price <= Number(max)) &&
    (inStock === '' || each.availableQuantity >= each.minQuantity) &&
    each.name.toLowerCase().includes(q)
  )
}

/** `4 instruments, not in Brass`, `13 instruments, above $19.99`; without all limits, when no single one is in the way. */
function fewerFilters(listed: Listed[], search: ListSearch): number[] {
  const limits = (['family', 'max', 'inStock'] as const).filter((limit) => search[limit])
  const countWithout = (some: readonly (keyof ListSearch)[]) => {
    const rest = Object.fromEntries(Object.entries(search).filter(([name]) => !some.includes(name as keyof ListSearch)))
    return listed.filter((each) => fits(each, rest)).length
  }
  const single = limits
    .map((limit) => [countWithout([limit]), ...(limit === 'max' ? [Number(search.max)] : [])])
    .filter(([count]) => count! > 0)
  const all = countWithout(limits)
  return single.length > 0 || limits.length < 2 || all === 0 ? single.flat() : [all]
}

async function publicPages(numbers: Numbers, { listed, written }: Json, { notOnHome }: Done): Promise<void> {
  const { visitor } = numbers
  const home = listed.length >= 6 ? 6 : listed.length > 3 ? 3 : listed.length
  await numbers.publicPage('/home', [...listed.slice(0, home).flatMap(cardOf), 105, 543, 222])
  const onHome = Math.min(6, written.filter(({ name }) => !notOnHome.includes(name)).length)
  await numbers.entries(visitor, '/home', '.review', onHome)
  await numbers.publicPage('/reviews', [])
  await numbers.entries(visitor, '/reviews', '.review', written.length)

  const countOf = (family: string) => listed.filter((each) => family === '' || each.family === family).length
  const onSale = ['', ...families].map(countOf)
  const inList = (list: Listed[], page: number) =>
    list
      .slice((page - 1) * pageSize, page * pageSize)
      .flatMap((each, index) => rowOf(each, index + (page - 1) * pageSize))
  for (const page of [1, 2, 9])
    await numbers.publicPage(page === 1 ? '/allInstruments' : `/allInstruments?page=${page}`, [
      listed.length,
      ...inList(listed, page),
    ])
  await numbers.entries(visitor, '/allInstruments', 'tbody tr', listed.length)
  for (const family of ['', ...families]) {
    for (const filter of filters) {
      const search: ListSearch = { ...(family && { family }), ...filter }
      const found = listed.filter((each) => fits(each, search))
      const query = new URLSearchParams({ ...search })
      const limits = filter.max ? [Number(filter.max)] : []
      // Without a match, the limits alone; else `3 matches`, or `50+`.
      const matches = found.length === 0 ? [] : [Math.min(found.length, pageSize)]
      const isNamed = found.length > 0 || filter.q !== undefined
      const stated = query.size > (family ? 1 : 0) ? [...matches, ...(isNamed ? limits : [])] : [countOf(family)]
      const instead = found.length === 0 ? fewerFilters(listed, search) : []
      await numbers.page(visitor, `/allInstruments?${query}`, [...stated, ...inList(found, 1), ...instead])
      const { page } = await visitor.get(`/allInstruments?${query}`)
      const options = page.querySelectorAll('select[name=family] option').flatMap((each) => numbersIn(each.textContent))
      numbers.compare(`the families of ${query}`, options, onSale)
      const answer = await visitor.fetch(`/instruments?${query}`, { headers: { accept: 'application/json' } })
      numbers.compare(`GET /instruments?${query}`, (await answer.json<Listed[]>()).length, found.length)
    }
  }
  const by = {
    price: (a: Listed, b: Listed) => a.price - b.price || (a._id < b._id ? -1 : 1),
    name: (a: Listed, b: Listed) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
  }
  await numbers.publicPage('/allInstruments?sort=price', [listed.length, ...inList([...listed].sort(by.price), 1)])
  await numbers.publicPage('/allInstruments?sort=newest', [listed.length, ...inList([...listed].reverse(), 1)])
  for (const each of listed.slice(0, 12)) {
    const breaks = (each.priceBreaks ?? []).flatMap(({ from, price }) => [from, price])
    const { availableQuantity: stock, minQuantity: minimum } = each
    const isInWords = stock <= 5 || stock < minimum
    const { page, html } = await visitor.get(`/catalog/${each._id}`)
    for (const card of page.querySelectorAll('.small-card > span')) {
      const shown = listed.find(({ name }) => card.textContent.startsWith(`${name} $`))
      card.childNodes[0]!.remove()
      numbers.compare(`a card on /catalog of ${each.name}`, numbersIn(card.structuredText), shown && [shown.price])
    }
    page.querySelectorAll('.section').forEach((more) => more.remove())
    numbers.compare(`/catalog of ${each.name}`, numbersOn(page), [
      each.price,
      ...(isInWords && stock > 0 ? [stock] : []),
      minimum,
      ...(isInWords ? [] : [stock]),
      ...breaks,
    ])
    const offers = /"price":"([\d.]+)"/.exec(html)
    numbers.compare(`the structured data of ${each.name}`, Number(offers?.[1]), ofSmallestOrder(each))
  }
  await feeds(numbers, listed)
}

/** No break begins at the minimum. */
const ofSmallestOrder = ({ price, minQuantity }: Listed) => Math.round(price * 100 * minQuantity) / 100

async function feeds(numbers: Numbers, listed: Listed[]): Promise<void> {
  const file = async (path: string) => (await numbers.visitor.get(path)).html
  numbers.compare('/sitemap.xml', (await file('/sitemap.xml')).match(/\/catalog\//g)?.length ?? 0, listed.length)
  numbers.compare('/feed.xml', (await file('/feed.xml')).match(/<entry>/g)?.length ?? 0, Math.min(30, listed.length))
  const prices = [...(await file('/merchant.xml')).matchAll(/<g:price>([\d.]+) USD/g)].map(([, price]) => Number(price))
  numbers.compare('/merchant.xml', prices, listed.map(ofSmallestOrder))
  const { page } = await numbers.visitor.get('/catalog.html')
  const inFile = [...families, undefined].flatMap((family) => listed.filter((each) => each.family === family))
  const stated = ({ price, priceBreaks = [], ...each }: Listed) => [
    ...[price, ...priceBreaks.flatMap(({ from, price }) => [price, from])],
    ...(each.availableQuantity === 0 ? [] : [each.availableQuantity]),
    ...(each.minQuantity > 1 ? [each.minQuantity] : []),
  ]
  numbers.compare('/catalog.html', numbersOn(page), inFile.flatMap(stated))
}

interface Json {
  listed: Listed[]
  ordered: Ordered[]
  users: { email: string }[]
  written: { _id: string; name: string }[]
}

async function readJson(program: Program): Promise<Json> {
  const list = async <Row>(path: string) => (await program.call<Row[]>('GET', path)).body
  return {
    listed: await list('/instruments'),
    ordered: await list('/order'),
    users: await list('/user'),
    written: await list('/reviews'),
  }
}

const refundOf = ({ refunded }: Ordered) => (refunded === undefined ? [] : [refunded])
const isToShip =
  ({ shipped, returned }: Done) =>
  ({ _id, paid, refunded = 0, orderPrice, orderQuantity }: Ordered) =>
    paid && !shipped.includes(_id) && refunded < orderPrice && (returned[_id] ?? 0) < orderQuantity

async function adminPages(numbers: Numbers, browser: TestBrowser, json: Json, done: Done): Promise<void> {
  const { listed, ordered, users, written } = json
  const toShip = ordered.filter(isToShip(done)).reverse()
  const low = listed
    .filter((each) => each.availableQuantity < (done.thresholds[each.name] ?? each.minQuantity - 1) + 1)
    .sort((a, b) => a.availableQuantity - b.availableQuantity || (a._id < b._id ? -1 : 1))
  const asked = done.requests.filter(({ offer }) => !offer)
  const sales = ordered.filter(({ paid }) => paid)
  const revenue = sum(sales.map(({ orderPrice }) => orderPrice))
  const chart = [revenue, revenue, sales.length, revenue]
  await numbers.page(browser, '/dashboard', [
    ...[toShip.length, low.length, done.messages.open, asked.length],
    // Today, this week, this month. There were none on the same days before.
    ...(sales.length > 0 ? Array.from({ length: 3 }, () => [sales.length, revenue]).flat() : [52]),
    ...(sales.length > 0 ? [30, ...chart] : []),
    ...toShip.slice(0, 5).flatMap(({ orderQuantity, orderPrice }) => [orderQuantity, orderPrice]),
    ...(sales.length > 0 ? [52, ...chart] : []),
    ...(low.length > 5 ? [5, low.length] : []),
    ...low
      .slice(0, 5)
      .flatMap(({ name, availableQuantity, minQuantity }) => [
        availableQuantity,
        minQuantity,
        ...(done.thresholds[name] === undefined ? [] : [done.thresholds[name]]),
      ]),
  ])
  const tabs = [
    ...[ordered.length, toShip.length, ordered.filter(({ paid }) => !paid).length, done.shipped.length],
    ...[ordered.filter(({ refunded }) => refunded !== undefined).length, done.cancelled.length],
  ]
  // Of a part of it: all of it is in the word 'Refunded'.
  const rows = (list: Ordered[]) => [
    ...tabs,
    ...list.flatMap((order) => [
      ...[order.orderQuantity, order.orderPrice],
      ...(order.refunded === order.orderPrice ? [] : refundOf(order)),
    ]),
  ]
  const unpaid = ordered.filter(({ paid }) => !paid)
  const shipped = ordered.filter(({ _id }) => done.shipped.includes(_id))
  const orderRows = (status: string) => `/dashboard/manageOrders${status && `?status=${status}`}`
  await numbers.page(browser, orderRows(''), rows(ordered))
  await numbers.page(browser, orderRows('paid'), rows([...toShip].reverse()))
  await numbers.page(browser, orderRows('unpaid'), rows(unpaid))
  await numbers.page(browser, orderRows('shipped'), rows(shipped))
  const cancelled = done.cancelled.flatMap(({ orderQuantity, orderPrice }) => [orderQuantity, orderPrice])
  await numbers.page(browser, orderRows('cancelled'), [...tabs, ...cancelled])
  const isRefunded = ({ refunded }: Ordered) => refunded !== undefined
  await numbers.page(browser, orderRows('refunded'), rows(ordered.filter(isRefunded)))
  const lines = async (path: string) => (await (await browser.fetch(path)).text()).split('\r\n').slice(1, -1)
  numbers.compare(
    'manageOrders.csv',
    (await lines('/dashboard/manageOrders.csv')).length,
    ordered.length + done.cancelled.length,
  )
  numbers.compare('manageProduct.csv', (await lines('/dashboard/manageProduct.csv')).length, listed.length)
  await numbers.entries(browser, '/dashboard/manageProduct', 'tbody tr', listed.length + done.hidden.length)
  await numbers.entries(browser, '/dashboard/makeAdmin', 'tbody tr', users.length)
  await numbers.entries(browser, '/dashboard/messages', '.entries > li', done.messages.open)
  await numbers.entries(browser, '/dashboard/messages?done=1', '.entries > li', done.messages.done)
  await numbers.entries(browser, '/dashboard/reviews', '.entries > li', written.length + done.hiddenReviews)
  await numbers.page(browser, '/dashboard/manageQuotes', asked.map(({ asked }) => asked).reverse())
  const offers = done.requests.flatMap(({ offer }) => (offer ? [offer.quantity, offer.price] : []))
  await numbers.page(browser, '/dashboard/manageQuotes?answered=1', offers)
  for (const { page } of [await browser.get('/dashboard/manageProduct')]) {
    const names = page.querySelectorAll('tbody tr').map((row) => row.querySelector('th a')!.textContent)
    const known = listed.filter(({ name }) => names.includes(name))
    const stated = page
      .querySelectorAll('tbody tr')
      .filter((row) => !row.querySelector('th')!.textContent.includes('Hidden'))
    numbers.compare(
      '/dashboard/manageProduct',
      stated.map((row) =>
        numbersIn(
          row
            .querySelectorAll('td.numeric')
            .map(
              (cell) => cell.querySelector('input[name=availableQuantity]')?.getAttribute('value') ?? cell.textContent,
            )
            .join(' '),
        ),
      ),
      known.map(({ price, availableQuantity, minQuantity }) => [price, availableQuantity, minQuantity]),
    )
  }
  for (const { name, _id, availableQuantity } of listed.slice(0, 12)) {
    const { page } = await browser.get(`/dashboard/manageProduct/${_id}/history`)
    const deltas = page.querySelectorAll('td[data-label=Stock]').flatMap((cell) => numbersIn(cell.textContent))
    // An expired hold is available, and moves no stock before it is released.
    numbers.compare(`the history of ${name}`, sum(deltas), availableQuantity - (done.expired[name] ?? 0))
  }
  for (const order of ordered) await adminOrder(numbers, browser, order, done)
}

async function adminOrder(numbers: Numbers, browser: TestBrowser, order: Ordered, { returned }: Done): Promise<void> {
  const { _id, orderPrice, orderQuantity, paid, refunded } = order
  const path = `/dashboard/manageOrders/${_id}`
  const back = returned[_id] ?? 0
  const refund = refunded === undefined ? [] : [refunded, ...(back > 0 ? [back] : [])]
  const history = [...(refunded === undefined ? [] : [refunded, refunded]), ...(back > 0 ? [back] : []), orderQuantity]
  const item = [inCents(orderPrice / orderQuantity), orderQuantity, orderPrice]
  const { page } = await browser.get(path)
  const stateOf = numbersIn(page.querySelector('dl.receipt-lines')!.structuredText)
  numbers.compare(`${path} (lines)`, stateOf, refundOf(order))
  const tables = page.querySelectorAll('table').map((table) => numbersIn(table.querySelector('tbody')!.structuredText))
  const stated = tables.flat().sort((a, b) => a - b)
  numbers.compare(
    `${path} (tables)`,
    stated,
    [...item, ...refund, ...history].sort((a, b) => a - b),
  )
  const label = page.querySelectorAll('label').find(({ textContent }) => textContent.includes('All that is left'))
  const left = inCents(orderPrice - (refunded ?? 0))
  numbers.compare(`${path} (refund)`, numbersIn(label?.textContent ?? ''), paid && left > 0 ? [left] : [])
  if (orderQuantity > back) await numbers.page(browser, `${path}/packingSlip`, [orderQuantity - back])
}

async function customerPages(
  numbers: Numbers,
  browser: TestBrowser,
  customer: Customer,
  { listed, ordered, written }: Json,
  done: Done,
): Promise<void> {
  const own = ordered.filter(({ customerEmail }) => customerEmail === customer.email)
  await numbers.page(
    browser,
    '/dashboard',
    own.slice(0, 3).flatMap(({ orderQuantity, orderPrice }) => [orderQuantity, orderPrice]),
  )
  await numbers.page(
    browser,
    '/dashboard/myOrders',
    own.flatMap((order) => [order.orderPrice, order.orderQuantity, ...refundOf(order)]),
  )
  for (const order of own) {
    const { _id, orderPrice, orderQuantity, paid, refunded } = order
    const each = inCents(orderPrice / orderQuantity)
    const { page } = await browser.get(`/dashboard/myOrders/${_id}`)
    const lines = (page: HTMLElement) => numbersIn(page.querySelector('dl.receipt-lines')!.structuredText)
    numbers.compare(`/dashboard/myOrders/${_id}`, lines(page), [each, orderQuantity, orderPrice, ...refundOf(order)])
    if (!paid) {
      await numbers.page(browser, `/dashboard/myOrders/payment/${_id}`, [orderQuantity, orderPrice])
      continue
    }
    numbers.compare(
      `the timeline of ${_id}`,
      [...new Set(numbersIn(page.querySelector('ol')!.structuredText))],
      [...new Set([orderPrice, ...(refunded === undefined ? [] : [refunded, ...daysOfRefund])])],
    )
    const receipt = await browser.get(`/dashboard/myOrders/receipt/${_id}`)
    // The total is in the row and below it.
    const once = (counted: number[]) => [...new Set(counted)].sort((one, other) => one - other)
    const sums = (page: HTMLElement) =>
      once(
        numbersIn(
          page
            .querySelectorAll('.item-table tbody td, .item-table tfoot, .item-table + dl')
            .map((part) => part.structuredText)
            .join('\n'),
        ),
      )
    numbers.compare(
      `the receipt of ${_id}`,
      sums(receipt.page),
      once([each, orderQuantity, orderPrice, ...refundOf(order)]),
    )
    const vat = Math.round((orderPrice * 100 * 22) / 122) / 100
    const invoice = await browser.get(`/dashboard/myOrders/invoice/${_id}`)
    const net = inCents(orderPrice - vat)
    numbers.compare(`the invoice of ${_id}`, sums(invoice.page), once([each, orderQuantity, net, 22, vat, orderPrice]))
  }
  await numbers.page(
    browser,
    '/dashboard/quotes',
    done.requests.flatMap(({ asked, offer }) => (offer ? [offer.quantity, offer.price] : [asked])),
  )
  for (const { id, asked, offer } of done.requests) {
    const { page } = await browser.get(`/dashboard/quotes/${id}`)
    const stated = numbersIn(page.querySelector('dl.receipt-lines')!.structuredText)
    const total = offer && [offer.quantity, offer.price, offer.quantity * offer.price]
    numbers.compare(`/dashboard/quotes/${id}`, stated, [asked, ...(total ?? [])])
  }
  const [unpaid, unshipped, paid] = [
    own.filter((order) => !order.paid).length,
    own.filter(isToShip(done)).length,
    own.filter((order) => order.paid).length,
  ]
  const mine = written.filter(({ name }) => name === customer.name).length
  await numbers.page(browser, '/dashboard/myProfile/data/close', [
    ...[unpaid, unshipped, ...(paid > 0 ? [paid, 10] : [])].filter((count) => count > 0),
    ...(mine > 1 ? [mine] : []),
  ])
  await numbers.page(browser, '/dashboard/addReview', [])
  for (const each of listed.slice(0, 12)) {
    const breaks = (each.priceBreaks ?? []).flatMap(({ from, price }) => [from, price])
    const can = each.availableQuantity >= each.minQuantity
    const total = inCents(each.price * each.minQuantity)
    const { page } = await browser.get(`/instruments/${each._id}`)
    const box = page.querySelector('main .checkbox')?.textContent ?? ''
    const held = sum(
      own
        .filter((order) => !order.paid && order.productName === each.name && !done.expired[each.name])
        .map(({ orderQuantity }) => orderQuantity),
    )
    numbers.compare(`the hold of ${each.name}`, numbersIn(box), held > 0 ? [held] : [])
    page.querySelector('main .checkbox')?.remove()
    page.querySelectorAll('form > .hint, .notice:not(.notice-error)').forEach((words) => words.remove())
    const { availableQuantity: stock, minQuantity: minimum } = each
    numbers.compare(`/instruments of ${each.name}`, numbersOn(page), [
      ...[each.price, ...(stock > 0 && (stock <= 5 || stock < minimum) ? [stock] : []), minimum, stock, ...breaks],
      // The hours that an unpaid order holds its pieces.
      72,
      ...(can || held > 0 ? [total] : shortage(each)),
    ])
  }
}

test.for(['empty', 'odd'] as const)('states the right numbers on every page of an %s shop', async (kind, { shop }) => {
  const admin = await shop.admin()
  const program = await programOf(shop, admin)
  const eve = { ...(await shop.user({ name: 'Eve', email: 'eve@example.com', verified: false })), password: '' }
  const { ada, done } =
    kind === 'odd' ? await fillOddly(shop, { admin, eve, program }) : { ada: null, done: nothingDone() }
  const json = await readJson(program)
  const numbers = new Numbers(shop.visitor())
  await publicPages(numbers, json, done)
  await adminPages(numbers, await shop.signedIn(admin), json, done)
  const evening = await shop.signedIn(eve)
  if (ada) await customerPages(numbers, await shop.signedIn(ada), ada, json, done)
  else await customerPages(numbers, evening, eve, json, done)
  expect(numbers.wrong).toEqual({})
  expect(numbers.pages).toBeGreaterThan(80)
})
