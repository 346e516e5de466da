import { updateInstrument } from '../../app/store/catalog/manage-instruments.server'
import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { expect } from 'vitest'
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

async function enablePageCache(shop: Shop, seconds = 15) {
  await shop.configure({ EDGE_CACHE_SECONDS: String(seconds) })
  const [someone, pageActions] = [await shop.customer(), await shop.admin()]
  const customer = await shop.visitor().signIn(someone)
  const admin = await shop.visitor().signIn(pageActions)
  return { visitor: shop.visitor(), customer, admin }
}
