import { updateInstrument } from '../../app/store/catalog/update-instrument.server'
import { brotliDecompressSync } from 'node:zlib'
import { expect, vi } from 'vitest'
import { test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

const everybodys = ['/', '/home', '/allInstruments', '/reviews', '/login', '/register', '/forgot-password']

test('a page that a browser has is not sent again', async ({ shop }) => {
  await shop.sells()
  const visitor = shop.visitor()
  for (const path of [...everybodys, '/allInstruments?after=nothing', '/instruments']) {
    // The list is JSON, and none for a browser that asks for a page (R40).
    const accept = path === '/instruments' ? '*/*' : 'text/html'
    const first = await visitor.fetch(path, { headers: { accept } })
    const etag = first.headers.get('etag')!
    expect([path, first.status, first.headers.get('cache-control')]).toEqual([path, 200, 'public, no-cache'])
    expect(first.headers.get('vary')).toContain('Cookie')
    const again = await visitor.fetch(path, { headers: { accept, 'if-none-match': `"other", W/${etag}` } })
    expect([path, again.status, await again.text(), again.headers.get('etag')]).toEqual([path, 304, '', etag])
    // A name of one request's would be of no use: the log says nothing of who is shown what everybody sees.
    expect([first, again].map(({ headers }) => headers.has('x-request-id'))).toEqual([false, false])
    const head = await visitor.fetch(path, { method: 'HEAD', headers: { accept } })
    expect([path, head.status, await head.text(), head.headers.get('etag')]).toEqual([path, 200, '', etag])
  }
})

test('a list that is asked for with a token, or from elsewhere, is nobody else’s; a page hears neither', async ({
  shop,
}) => {
  const { visitor } = await openWindow(shop)
  for (const [name, value] of [
    ['authorization', 'Bearer none'],
    ['origin', 'https://elsewhere.example'],
  ] as const) {
    for (let visits = 0; visits < 2; visits++) {
      const named = async (path: string, accept: string) =>
        (await visitor.fetch(path, { headers: { accept, [name]: value } })).headers.has('x-request-id')
      expect(await named('/instruments', 'application/json')).toBe(true)
      expect(await named('/reviews', 'application/json')).toBe(true)
      expect(await named('/reviews', 'text/html')).toBe(false)
    }
  }
})

test('what is asked for again is packed for whoever can read it, under a tag of its own', async ({ shop }) => {
  const { visitor } = await openWindow(shop)
  await shop.sells()
  const ask = (headers: Record<string, string>) =>
    visitor.fetch('/home', { headers: { accept: 'text/html', ...headers } })
  const packs = { 'accept-encoding': 'gzip, deflate, br' }
  const first = await ask(packs)
  expect(first.headers.get('content-encoding')).toBeNull()
  const plain = await first.text()

  const packed = await ask(packs)
  expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
    'br',
    'Accept-Encoding, Cookie, Save-Data',
  ])
  expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(plain)
  const tags = [first, packed].map(({ headers }) => headers.get('etag')!)
  expect(new Set(tags).size).toBe(2)
  for (const tag of tags) {
    const known = await ask({ ...packs, 'if-none-match': tag })
    expect([known.status, known.headers.get('etag'), known.headers.has('content-encoding')]).toEqual([304, tag, false])
  }
  for (const unable of ['', 'gzip', 'br;q=0', 'brotli']) {
    const sent = await ask({ 'accept-encoding': unable })
    expect([unable, sent.headers.get('content-encoding'), await sent.text()]).toEqual([unable, null, plain])
    // Its tag for the packed form is of no use to somebody who cannot read it.
    expect((await ask({ 'accept-encoding': unable, 'if-none-match': tags[1]! })).status).toBe(200)
  }
})

test('what is kept costs the database nothing, and what the shopkeeper changes shows at once', async ({ shop }) => {
  const { visitor, admin } = await openWindow(shop)
  const id = await shop.sells({ name: 'Concert Violin' })
  expect((await visitor.get('/home')).text).toContain('Concert Violin')
  await updateInstrument(shop.deps, { id: 'behind' }, id, { ...described, name: 'Changed From Behind' })
  expect((await visitor.get('/home')).text).toContain('Concert Violin')

  const form = await admin.get(`/dashboard/manageProduct/${id}`)
  await admin.press(form, 'Save', { name: 'Baroque Violin' })
  expect((await visitor.get('/home')).text).toContain('Baroque Violin')
  expect((await visitor.get('/allInstruments')).text).toContain('Baroque Violin')
  expect((await visitor.get('/instruments', { accept: 'application/json' })).html).toContain('Baroque Violin')

  await admin.post('/dashboard/manageProduct', { instrumentId: id })
  expect((await visitor.get('/home')).text).not.toContain('Baroque Violin')
})

test('what orders take shows a second later, and a review at once', async ({ shop }) => {
  const { visitor, customer } = await openWindow(shop)
  const id = await shop.sells({ stock: 41 })
  const available = async () => /Available\s*(\d+)/.exec((await visitor.get('/home')).text)?.[1]
  expect(await available()).toBe('41')
  const delivery = { orderQuantity: '5', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await customer.press(await customer.get(`/instruments/${id}`), 'Order Now', delivery)
  await vi.waitFor(async () => expect(await available()).toBe('36'), 5000)

  await customer.press(await customer.get('/dashboard/addReview'), 'Submit', { description: 'A warm and even tone.' })
  expect((await visitor.get('/reviews')).text).toContain('A warm and even tone.')
})

test('a page that is not fresh is shown once more while it is made anew; an old one is not', async ({ shop }) => {
  const { visitor } = await openWindow(shop, 1)
  await visitor.get('/home')
  await shop.sells({ name: 'New From Behind' })
  await isStale()
  expect((await visitor.get('/home')).text).not.toContain('New From Behind')
  await vi.waitFor(async () => expect((await visitor.get('/home')).text).toContain('New From Behind'), 5000)
})

test('what is kept is shown while the database is away', async ({ shop }) => {
  shop.breaks('the database is gone')
  const { visitor } = await openWindow(shop, 1)
  await shop.sells({ name: 'Concert Violin' })
  await visitor.get('/home')
  await shop.database.stop()
  await isStale()
  for (let visits = 0; visits < 2; visits++) expect((await visitor.get('/home')).text).toContain('Concert Violin')
  expect((await visitor.get('/allInstruments')).status).toBe(503)
})

test('a visitor who saves data gets no decoration and no prefetching', async ({ shop }) => {
  const { visitor } = await openWindow(shop)
  for (let visits = 0; visits < 2; visits++) {
    const usual = await visitor.get('/home')
    const saving = await visitor.get('/home', { 'save-data': 'on' })
    expect(usual.html).toContain('/art/hero.svg')
    expect(usual.headers.get('speculation-rules')).not.toBeNull()
    expect(saving.html).not.toContain('/art/hero.svg')
    expect(saving.headers.get('speculation-rules')).toBeNull()
  }
})

test('nothing of one customer reaches another, whatever is kept on the way', async ({ shop }) => {
  const { visitor } = await openWindow(shop)
  const [ada, bela] = [await shop.customer({ name: 'Ada Adagio' }), await shop.customer({ name: 'Béla Bariolage' })]
  const people = [
    { secrets: ['Ada Adagio', ada.email], browser: await shop.visitor().signIn(ada) },
    { secrets: ['Béla Bariolage', bela.email], browser: await shop.visitor().signIn(bela) },
    { secrets: [], browser: visitor },
  ]
  const id = await shop.sells()
  const paths = [...everybodys, '/dashboard', '/dashboard/myProfile', '/dashboard/myOrders', `/instruments/${id}`]
  const cache = new HostileCache()
  let crossed = 0
  for (const [turn, order] of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ].entries()) {
    for (const path of paths) {
      for (const person of order.map((index) => people[index]!)) {
        const seen = await cache.fetch(person.browser, path)
        for (const other of people) {
          if (other !== person) crossed += other.secrets.filter((secret) => seen.includes(secret)).length
        }
      }
    }
    expect([turn, crossed]).toEqual([turn, 0])
  }
  expect(cache.given).toBeGreaterThan(20)
})

/** Keeps whatever it is not forbidden to keep, by address alone, and asks nobody whether it is still right. */
class HostileCache {
  given = 0
  private readonly kept = new Map<string, string>()

  async fetch(browser: TestBrowser, path: string): Promise<string> {
    const known = this.kept.get(path)
    if (known !== undefined) {
      this.given++
      return known
    }
    const response = await browser.fetch(path, { headers: { accept: 'text/html' } })
    const text = JSON.stringify([...response.headers]) + (await response.text())
    if (!/\b(private|no-store)\b/.test(response.headers.get('cache-control') ?? '')) this.kept.set(path, text)
    return text
  }
}

const described = {
  name: 'Concert Violin',
  img: '/plates/violin-4-4.svg',
  price: 1_000_00,
  minQuantity: 1,
  stockChange: 0,
  stockNote: null,
}

/** What was made a moment ago is fresh for a second here. */
async function isStale(): Promise<void> {
  const made = Date.now()
  await vi.waitUntil(() => Date.now() > made + 1000, { timeout: 5000 })
}

/** A shop that keeps what it shows to everybody for so many seconds. */
async function openWindow(shop: Shop, seconds = 15) {
  await shop.configure({ EDGE_CACHE_SECONDS: String(seconds) })
  const [someone, keeper] = [await shop.customer(), await shop.admin()]
  const customer = await shop.visitor().signIn(someone)
  const admin = await shop.visitor().signIn(keeper)
  return { visitor: shop.visitor(), customer, admin }
}
