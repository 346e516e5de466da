import { sql } from 'drizzle-orm'
import { updateInstrument } from '../../app/store/catalog/manage-instruments.server'
import { FaultProxy } from '../../dev/fault-proxy'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, vi } from 'vitest'
import { cacheTarget } from '../../app/http/cache/target.server'
import { test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

const everybodys = ['/', '/home', '/allInstruments', '/reviews', '/login', '/register', '/forgot-password']

test('passes on every parameter that the forms and links of its pages send', async ({ shop }) => {
  const slug = await shop.sells({ id: 'viola', name: 'Viola', family: 'strings' })
  const visitor = shop.visitor()
  const sent = new Set<string>()
  for (const path of ['/', '/allInstruments', '/allInstruments?q=zither', '/reviews', `/catalog/${slug}`]) {
    const { page } = await visitor.get(path)
    for (const form of page.querySelectorAll('form:not([method=post])'))
      for (const field of form.querySelectorAll('[name]'))
        sent.add(`${form.getAttribute('action')!}?${field.getAttribute('name')}=1`)
    for (const link of page.querySelectorAll('a[href*="?"]')) sent.add(link.getAttribute('href')!.replace(/#.*/, ''))
  }
  const passedOn = [...sent].flatMap((path) => {
    const { url } = cacheTarget(new Request(`https://shop.example${path}`, { headers: { accept: 'text/html' } })) ?? {}
    return url === undefined ? [] : [[path, [...new URL(url).searchParams.keys()]]]
  })
  expect(passedOn.length).toBeGreaterThan(6)
  expect(passedOn).toEqual(
    passedOn.map(([path]) => [path, [...new URL(path as string, 'https://shop.example').searchParams.keys()]]),
  )
})

test('answers 304 for an unchanged page', async ({ shop }) => {
  await shop.sells()
  const visitor = shop.visitor()
  for (const path of [...everybodys, '/allInstruments?page=1', '/instruments']) {
    // R40
    const accept = path === '/instruments' ? '*/*' : 'text/html'
    const first = await visitor.fetch(path, { headers: { accept } })
    const etag = first.headers.get('etag')!
    expect([path, first.status, first.headers.get('cache-control')]).toEqual([path, 200, 'public, no-cache'])
    // The list for programs is the same for everybody.
    expect(first.headers.get('vary')?.includes('Cookie')).toBe(path !== '/instruments')
    const again = await visitor.fetch(path, { headers: { accept, 'if-none-match': `"other", W/${etag}` } })
    expect([path, again.status, await again.text(), again.headers.get('etag')]).toEqual([path, 304, '', etag])
    // A shared response must not carry the id of one request.
    expect([first, again].map(({ headers }) => headers.has('x-request-id'))).toEqual([false, false])
    const head = await visitor.fetch(path, { method: 'HEAD', headers: { accept } })
    expect([path, head.status, await head.text(), head.headers.get('etag')]).toEqual([path, 200, '', etag])
  }
  const list = (etag: string) => visitor.fetch('/instruments', { headers: { accept: '*/*', 'if-none-match': etag } })
  const etag = (await list('')).headers.get('etag')!
  expect((await list(etag)).status).toBe(304)
  await shop.sells()
  expect((await list(etag)).status).toBe(200)
})

test('serves one copy of a long list or feed to all who ask, and a new one after a change', async ({ shop }) => {
  const proxy = new FaultProxy()
  await shop.configure({ DATABASE_URL: await proxy.open('database', () => shop.database.url), API_ORIGINS: friend })
  const { visitor, admin } = await enablePageCache(shop)
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
    INSERT INTO instruments (id, name, slug, img, price_cents, min_quantity, listed_at)
    SELECT 'i' || i, 'Flute No. ' || i, 'flute-no-' || i, '/plates/flute-c.svg', 10000, 1, i FROM n`)
  const bytes: Record<string, number[]> = {}
  const tripsOf = async (run: () => Promise<unknown>) => {
    const before = proxy.requests.length
    await run()
    return proxy.requests.length - before
  }
  for (const [path, parts, spellings] of [
    [
      '/merchant.xml',
      17,
      ['/merchant.xml?x=1', '/MERCHANT.xml/', '/merchant%2exml?utm_source=x', '/merchant.xml.data'],
    ],
    ['/instruments', 16, ['/Instruments', '/instruments/', '/instruments.data']],
    ['/sitemap.xml', 1, ['/sitemap.xml?x=1']],
  ] as const) {
    const text = async (at: string, headers: Record<string, string> = {}) => {
      const response = await visitor.fetch(at, { headers: { accept: '*/*', ...headers } })
      const body = Buffer.from(await response.arrayBuffer())
      ;(bytes[path] ??= []).push(body.length)
      return (response.headers.get('content-encoding') === 'gzip' ? gunzipSync(body) : body).toString()
    }
    const texts: string[] = []
    const ask = async (...args: Parameters<typeof text>) => texts.push(await text(...args))
    expect([path, await tripsOf(() => Promise.all(Array.from({ length: 8 }, () => ask(path))))]).toEqual([path, parts])
    const others: Record<string, string>[] = [
      { 'accept-encoding': 'gzip' },
      { cookie: 'session=x' },
      { authorization: 'Bearer x' },
      { origin: friend, 'save-data': 'on' },
    ]
    const again = async () => {
      for (const spelling of spellings) await ask(spelling)
      for (const headers of others) await ask(path, headers)
      expect(await (await visitor.fetch(path, { method: 'HEAD' })).text()).toBe('')
    }
    expect([path, await tripsOf(again)]).toEqual([path, 0])
    expect([path, new Set(texts).size]).toEqual([path, 1])
    expect(texts[0]).toMatch(/flute-no-4000|Flute No\. 4000/)
  }
  expect(Math.min(...bytes['/merchant.xml']!)).toBeLessThan(Math.max(...bytes['/merchant.xml']!) / 5)
  const list = await visitor.fetch('/instruments', { headers: { accept: '*/*', origin: friend } })
  expect(list.headers.get('access-control-allow-origin')).toBe(friend)
  const feed = await visitor.fetch('/merchant.xml', { headers: { origin: friend } })
  expect(feed.headers.get('access-control-allow-origin')).toBeNull()

  await admin.press(await admin.get('/dashboard/manageProduct/i3999'), 'Save', { name: 'Ocarina' })
  for (const path of ['/merchant.xml', '/instruments'])
    expect(await (await visitor.fetch(path, { headers: { accept: '*/*' } })).text()).toContain('Ocarina')
  proxy.close()
})

const friend = 'https://friend.example'

test('serves a brotli variant with its own ETag on repeated requests', async ({ shop }) => {
  const { visitor } = await enablePageCache(shop)
  await shop.sells()
  const ask = (headers: Record<string, string>) =>
    visitor.fetch('/home', { headers: { accept: 'text/html', ...headers } })
  const acceptsBrotli = { 'accept-encoding': 'gzip, deflate, br' }
  const first = await ask(acceptsBrotli)
  expect(first.headers.get('content-encoding')).toBeNull()
  const plain = await first.text()

  const packed = await ask(acceptsBrotli)
  expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
    'br',
    // An extra of the cache may add its own.
    expect.stringMatching(/^Save-Data, Sec-CH-Prefers-Reduced-Data, Accept, Accept-Encoding, (.*, )?Cookie$/),
  ])
  expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(plain)
  const tags = [first, packed].map(({ headers }) => headers.get('etag')!)
  expect(new Set(tags).size).toBe(2)
  for (const tag of tags) {
    const cached = await ask({ ...acceptsBrotli, 'if-none-match': tag })
    expect([cached.status, cached.headers.get('etag'), cached.headers.has('content-encoding')]).toEqual([
      304,
      tag,
      false,
    ])
  }
  for (const unable of ['', 'gzip', 'br;q=0', 'brotli']) {
    const response = await ask({ 'accept-encoding': unable })
    const isGzip = response.headers.get('content-encoding') === 'gzip'
    const body = Buffer.from(await response.arrayBuffer())
    // That is not of the Worker, but of the server before it.
    expect([unable, isGzip, String(isGzip ? gunzipSync(body) : body)]).toEqual([unable, unable === 'gzip', plain])
    // The ETag of the brotli variant must not match for a client without brotli.
    expect((await ask({ 'accept-encoding': unable, 'if-none-match': tags[1]! })).status).toBe(200)
  }
})

test('sends a public page as its difference to the dictionary, and a personal page never', async ({ shop }) => {
  const { visitor } = await enablePageCache(shop)
  for (const name of ['Oboe', 'Bassoon', 'Tuba']) await shop.sells({ name })
  const chromium = { accept: 'text/html', 'sec-ch-ua': '"Chromium";v="156"' }
  const link = (await visitor.fetch('/home', { headers: chromium })).headers.get('link')
  expect(link).toBe('</dictionary>; rel="compression-dictionary"')
  const dictionary = Buffer.from(await (await visitor.fetch('/dictionary')).arrayBuffer())
  const hash = createHash('sha256').update(dictionary).digest()
  const offer = {
    accept: 'text/html',
    'accept-encoding': 'gzip, br, dcb',
    'available-dictionary': `:${hash.toString('base64')}:`,
  }
  for (const path of [...everybodys, '/allInstruments?q=oboe']) {
    const { html } = await visitor.get(path)
    const packed = await visitor.fetch(path, { headers: offer })
    expect([path, packed.headers.get('content-encoding')]).toEqual([path, 'dcb'])
    const body = Buffer.from(await packed.arrayBuffer())
    expect(body.length, path).toBeLessThan(1200)
    expect(body.subarray(4, 36).equals(hash)).toBe(true)
    expect(decode(body.subarray(36), dictionary), path).toBe(html)
  }
  const customer = await shop.signedIn(await shop.customer())
  for (const path of [...everybodys, '/dashboard', '/dashboard/myProfile']) {
    const personal = await customer.fetch(path, { headers: offer })
    expect([path, personal.headers.get('content-encoding')]).toEqual([path, null])
    expect(personal.headers.get('link') ?? '').not.toContain('compression-dictionary')
  }
})

/** zlib takes no dictionary: it gets the same bytes as an uncompressed block, after the window size (2 bytes). */
function decode(stream: Buffer, dictionary: Buffer): string {
  const header = Buffer.alloc(3)
  header.writeUIntLE(((dictionary.length - 1) << 3) | (1 << 19), 0, 3)
  const whole = brotliDecompressSync(Buffer.concat([stream.subarray(0, 2), header, dictionary, stream.subarray(2)]))
  expect(whole.subarray(0, dictionary.length).equals(dictionary)).toBe(true)
  return whole.subarray(dictionary.length).toString()
}

test('serves cached pages without queries and shows admin changes at once', async ({ shop }) => {
  const { visitor, admin } = await enablePageCache(shop)
  const id = await shop.sells({ name: 'Concert Violin' })
  expect((await visitor.get('/home')).text).toContain('Concert Violin')
  await updateInstrument(shop.deps, { id: 'behind' }, id, { ...described, name: 'Changed From Behind' })
  expect((await visitor.get('/home')).text).toContain('Concert Violin')

  const form = await admin.get(`/dashboard/manageProduct/${id}`)
  await admin.press(form, 'Save', { name: 'Baroque Violin' })
  expect((await visitor.get('/home')).text).toContain('Baroque Violin')
  expect((await visitor.get('/allInstruments')).text).toContain('Baroque Violin')
  expect((await visitor.get('/instruments', { accept: 'application/json' })).html).toContain('Baroque Violin')

  await admin.post('/dashboard/manageProduct', { command: 'delete', instrumentId: id })
  expect((await visitor.get('/home')).text).not.toContain('Baroque Violin')
})

test('shows stock changes a second later and a review at once', async ({ shop }) => {
  const { visitor, customer } = await enablePageCache(shop)
  const id = await shop.sells({ stock: 41 })
  const available = async () => /Available\s*(\d+)/.exec((await visitor.get('/home')).text)?.[1]
  expect(await available()).toBe('41')
  const delivery = { orderQuantity: '5', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await customer.press(await customer.get(`/instruments/${id}`), 'Order Now', delivery)
  await vi.waitFor(async () => expect(await available()).toBe('36'), 5000)

  await customer.press(await customer.get('/dashboard/addReview'), 'Submit', { description: 'A warm and even tone.' })
  expect((await visitor.get('/reviews')).text).toContain('A warm and even tone.')
})

test('serves a stale page while it is rendered again, but not an old one', async ({ shop }) => {
  const { visitor } = await enablePageCache(shop, 1)
  await visitor.get('/home')
  await shop.sells({ name: 'New From Behind' })
  await waitUntilStale()
  expect((await visitor.get('/home')).text).not.toContain('New From Behind')
  await vi.waitFor(async () => expect((await visitor.get('/home')).text).toContain('New From Behind'), 5000)
})

test('sends no decoration and no prefetching under Save-Data', async ({ shop }) => {
  const { visitor } = await enablePageCache(shop)
  for (let visits = 0; visits < 2; visits++) {
    const usual = await visitor.get('/home')
    const saving = await visitor.get('/home', { 'save-data': 'on' })
    expect(usual.html).toContain('/art/hero.svg')
    expect(usual.headers.get('speculation-rules')).not.toBeNull()
    expect(saving.html).not.toContain('/art/hero.svg')
    expect(saving.headers.get('speculation-rules')).toBeNull()
  }
})

test('never leaks one customer’s pages to another through a hostile cache', async ({ shop }) => {
  const { visitor } = await enablePageCache(shop)
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
        const response = await cache.fetch(person.browser, path)
        for (const other of people) {
          if (other !== person) crossed += other.secrets.filter((secret) => response.includes(secret)).length
        }
      }
    }
    expect([turn, crossed]).toEqual([turn, 0])
  }
  expect(cache.cacheHits).toBeGreaterThan(20)
})

/** Ignores Vary and revalidation: stores all that is not forbidden, by URL alone. */
class HostileCache {
  cacheHits = 0
  private readonly cached = new Map<string, string>()

  async fetch(browser: TestBrowser, path: string): Promise<string> {
    const entry = this.cached.get(path)
    if (entry !== undefined) {
      this.cacheHits++
      return entry
    }
    const response = await browser.fetch(path, { headers: { accept: 'text/html' } })
    const text = JSON.stringify([...response.headers]) + (await response.text())
    if (!/\b(private|no-store)\b/.test(response.headers.get('cache-control') ?? '')) this.cached.set(path, text)
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

async function waitUntilStale(): Promise<void> {
  const made = Date.now()
  await vi.waitUntil(() => Date.now() > made + 1000, { timeout: 5000 })
}

async function enablePageCache(shop: Shop, seconds = 15) {
  await shop.configure({ EDGE_CACHE_SECONDS: String(seconds) })
  const [someone, pageActions] = [await shop.customer(), await shop.admin()]
  const customer = await shop.visitor().signIn(someone)
  const admin = await shop.visitor().signIn(pageActions)
  return { visitor: shop.visitor(), customer, admin }
}
