import { brotli } from '../../dev/weigh'
import { seedDemoShop } from '../../dev/demo'
import { adminPages, customerPages, openPages } from '../support/pages'
import { expect, test } from '../support/shop'

const registration = /<script>[^<]{1,120}"\/sw\.js"[^<]{1,40}<\/script>/

test('registers a service worker of at most 3 KB on pages for everybody', async ({ shop }) => {
  const visitor = shop.visitor()
  const worker = await visitor.fetch('/sw.js')
  expect([worker.status, worker.headers.get('content-type'), worker.headers.get('cache-control')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, no-cache',
  ])
  expect(worker.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const etag = worker.headers.get('etag')!
  expect((await visitor.fetch('/sw.js', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const brotliOne = await visitor.fetch('/sw.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect([brotliOne.headers.get('content-encoding'), brotliOne.headers.get('etag')]).toEqual([
    'br',
    etag.replace(/"$/, '-br"'),
  ])
  const ofBrotli = { 'accept-encoding': 'gzip, br', 'if-none-match': brotliOne.headers.get('etag')! }
  expect((await visitor.fetch('/sw.js', { headers: ofBrotli })).status).toBe(304)
  const script = await worker.text()
  expect(brotli(script)).toBeLessThanOrEqual(3 * 1024)

  const { html, headers } = await visitor.get('/allInstruments')
  expect(html).toMatch(registration)
  expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^ ]+'; worker-src 'self'/)
  for (const [path, saving] of [
    ['/login', {}],
    ['/allInstruments', { 'save-data': 'on' }],
  ] as const)
    expect((await visitor.get(path, saving)).html, path).not.toMatch(registration)

  await shop.configure({ OFFLINE_COPIES: 'off' })
  const end = await (await shop.visitor().fetch('/sw.js', { headers: { 'if-none-match': etag } })).text()
  expect(end).toContain('unregister')
  expect((await shop.visitor().get('/allInstruments')).html).not.toMatch(registration)
})

test('calls no page of a signed-in visitor public, so that no browser copies it', async ({ shop }) => {
  await shop.configure({ EDGE_CACHE_SECONDS: '15' })
  await seedDemoShop(shop.database)
  for (const email of ['ada@example.com', 'admin@example.com']) {
    const browser = await shop.visitor().signIn({ email, password: 'practice' })
    for (const path of ['/home', '/allInstruments', ...openPages, ...customerPages, ...adminPages]) {
      // The first visit puts the page for everybody into the cache.
      await shop.visitor().get(path)
      const { headers } = await browser.get(path)
      // The whole shop in one file is the same for everybody.
      const expected = path === '/catalog.html' ? /^public/ : /^private/
      expect([path, headers.get('cache-control')]).toEqual([path, expect.stringMatching(expected)])
    }
  }
  const visitor = shop.visitor()
  const thanked = await visitor.press(await visitor.get('/home'), 'Send', {
    name: 'Zoë',
    email: 'zoe@example.com',
    message: 'Hello',
  })
  expect([thanked.text.includes('Zoë') || thanked.status === 200, thanked.headers.get('cache-control')]).toEqual([
    true,
    'private, no-store',
  ])
})

test('writes the whole shop into one file of at most 80,000 bytes, which asks for nothing', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const { page, html, text, headers } = await visitor.get('/catalog.html')
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(80_000)
  expect(page.querySelectorAll('li')).toHaveLength(24)
  expect(page.querySelectorAll('symbol')).toHaveLength(24)
  expect(page.querySelectorAll('li use')).toHaveLength(24)
  expect(text).toMatch(/Prices and stock as of \d+ \w+ \d{4}, \d\d:\d\d UTC/)
  expect(text).toContain('$1,450.00 each')
  expect(text).toContain('36 in stock, minimum order 2 pieces')
  const links = page.querySelectorAll('a').map((link) => link.getAttribute('href')!)
  expect(links.filter((href) => !href.startsWith(shop.vars.SHOP_ORIGIN!))).toEqual([])
  expect(html).not.toMatch(/ src=|url\(|@import|<script/)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; img-src data:; style-src 'sha256-")
  await shop.configure({ EDGE_CACHE_SECONDS: '15' })
  const first = await visitor.fetch('/catalog.html')
  const known = await visitor.fetch('/catalog.html', { headers: { 'if-none-match': first.headers.get('etag')! } })
  expect([first.status, known.status]).toEqual([200, 304])
})

test('says how many instruments of a large shop the file leaves out', async ({ shop }) => {
  const name = (number: number) => `<b>"Ünicode" & ${'Geige '.repeat(10)}${number}`
  // One after the other: sqld refuses a hundred writes at once on a busy machine.
  for (let number = 0; number < 160; number++) await shop.sells({ name: name(number) })
  const { html, page, text } = await shop.visitor().get('/catalog.html')
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(80_000)
  const shown = page.querySelectorAll('li').length
  expect(shown).toBeGreaterThan(50)
  expect(text).toContain(`These are ${shown} instruments. The shop has more: this file stays small.`)
  expect(html).not.toContain('<b>"')
  expect(page.querySelectorAll('symbol')).toHaveLength(1)
})
