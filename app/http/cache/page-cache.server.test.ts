import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { atNoon, html, json, later, open, origin, stubEdge } from '../../../tests/support/page-cache'
import { invalidatePageCache } from './page-cache.server'

atNoon()

test.each(['/', '/home', '/allInstruments', '/reviews', '/login', '/register', '/forgot-password'])(
  'renders %s once for all visitors',
  async (path) => {
    const { text } = open()
    expect([await text(path), await text(path)]).toEqual(['made 1', 'made 1'])
  },
)

const lists = ['/instruments', '/reviews', '/merchant.xml', '/feed.xml', '/sitemap.xml', '/robots.txt']

test.each(lists)('renders the list %s once, for whoever asks', async (path) => {
  const { text, ask } = open()
  const others: Record<string, string>[] = [
    {},
    { cookie: 'session=x; toast=y' },
    { authorization: 'Bearer x' },
    { 'save-data': 'on' },
  ]
  for (const headers of others) expect(await text(path, { ...json, ...headers })).toBe('made 1')
  expect((await ask(path, json))!.headers.get('vary')).toBe('Accept-Encoding')
})

test('lets a configured origin read the copy of a JSON list, and no other origin', async () => {
  const friend = 'https://friend.example'
  const { text, ask } = open({ API_ORIGINS: friend })
  expect(await text('/instruments', json)).toBe('made 1')
  for (const [path, origin, allowed] of [
    ['/instruments', friend, friend],
    ['/reviews', friend, friend],
    ['/instruments', 'https://evil.example', null],
    ['/feed.xml', friend, null],
  ] as const) {
    const { headers } = (await ask(path, { ...json, origin }))!
    expect([path, origin, headers.get('access-control-allow-origin')]).toEqual([path, origin, allowed])
  }
  expect(await text('/instruments', { ...json, origin: friend })).toBe('made 1')
})

test.each([
  ['/merchant.xml', '/merchant.xml?x=1'],
  ['/merchant.xml', '/Merchant.XML/?utm_source=x&utm_source=y'],
  ['/merchant.xml', '/merchant%2exml'],
  ['/merchant.xml', '/merchant.xml.data?_routes=x'],
  ['/catalog.html', '/catalog.html.data'],
  ['/feed.xml', '/feed.xml?page=2'],
  ['/sitemap.xml?page=2', '/sitemap.xml?x=1&page=2&page=3'],
  ['/catalog.html', '/CATALOG.html?x'],
  ['/home', '/home?x=1'],
  ['/allInstruments', '/allinstruments/?x=1'],
  ['/catalog/oboe', '/catalog/oboe?q=x'],
  ['/pages/about', '/pages/about?quantity=1'],
  ['/reviews', '/reviews?after=x'],
])('serves the copy of %s for %s', async (path, spelling) => {
  const { text, rendered } = open()
  await text(path)
  expect([await text(spelling), rendered.length]).toEqual(['made 1', 1])
  const other = open()
  await other.text(spelling)
  expect(other.rendered[0]!.url).toBe(origin + path)
})

test.each([
  ['/home?send=', '/home?send='],
  ['/allInstruments?q=violin&page=2', '/allInstruments?page=2&x=1&q=violin'],
  ['/reviews?before=r1', '/reviews?before=r1'],
  ['/catalog/oboe?quantity=1', '/catalog/oboe?x=1&quantity=1'],
  ['/login?redirectTo=%2Fdashboard', '/login?redirectTo=%2Fdashboard'],
])('renders %s each time', async (canonical, path) => {
  const { text, rendered } = open()
  expect([await text(path), await text(path)]).toEqual(['made 1', 'made 2'])
  expect(rendered[1]!.url).toBe(origin + canonical)
})

test('renders once for all who ask at once, again for those who ask after a change', async () => {
  const { platform, rendered, text, next } = open()
  const finish: (() => void)[] = []
  next.body = () => {
    const words = `made ${rendered.length}`
    return new ReadableStream({
      pull: (controller) =>
        new Promise<void>((resolve) =>
          finish.push(() => {
            controller.enqueue(new TextEncoder().encode(words))
            controller.close()
            resolve()
          }),
        ),
    })
  }
  const ask = () => Promise.all(Array.from({ length: 8 }, () => text('/merchant.xml', json)))
  const before = ask()
  await vi.waitUntil(() => finish.length === 1)
  later(1)
  invalidatePageCache(platform, 'catalogue')
  later(1)
  const after = ask()
  await vi.waitUntil(() => finish.length === 2)
  for (const end of finish) end()
  expect([...new Set(await before), ...new Set(await after)]).toEqual(['made 1', 'made 2'])
  expect([await text('/merchant.xml', json), rendered.length]).toEqual(['made 2', 2])
})

test('gives each of those who ask at once a response of its own when it cannot be cached', async () => {
  const { text, next } = open()
  next.status = 404
  expect((await Promise.all([text('/catalog/x'), text('/catalog/x')])).sort()).toEqual(['made 1', 'made 2'])
})

const item = (n: number) => `<item>Flute No. ${n}, silver-plated, with a C foot</item>`
const feed = Array.from({ length: 15_000 }, (_, n) => item(n)).join('')

function streamed(parts: (string | Uint8Array)[], end?: Error): () => BodyInit {
  return () => {
    const source = [...parts]
    return new ReadableStream({
      pull(controller) {
        const part = source.shift()
        if (part !== undefined) controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part)
        else if (end) controller.error(end)
        else controller.close()
      },
    })
  }
}

test('holds a streamed list with gzip, and unpacks it for those that cannot', async () => {
  const edge = stubEdge()
  const { ask, text, next, rendered, settled, platform } = open()
  next.body = streamed(feed.match(/[^]{1,100000}/g)!)
  expect(await text('/merchant.xml', {})).toBe(feed)
  await settled()
  const packed = (await ask('/merchant.xml?x=1', { 'accept-encoding': 'gzip, br' }))!
  const body = Buffer.from(await packed.arrayBuffer())
  expect([packed.headers.get('content-encoding'), gunzipSync(body).toString() === feed]).toEqual(['gzip', true])
  expect(body.length).toBeLessThan(feed.length / 5)
  const plain = (await ask('/merchant.xml', {}))!
  const tags = [plain, packed].map(({ headers }) => headers.get('etag')!)
  expect([plain.headers.get('content-encoding'), await plain.text(), tags[1]]).toEqual([
    null,
    feed,
    tags[0]!.replace(/"$/, '-gzip"'),
  ])
  for (const [tag, status] of [
    [tags[0]!, 304],
    [tags[1]!, 304],
    ['"other"', 200],
  ] as const) {
    const known = (await ask('/merchant.xml', { 'accept-encoding': 'gzip', 'if-none-match': tag }, 'HEAD'))!
    expect([tag, known.status, await known.text()]).toEqual([tag, status, ''])
  }
  expect([...edge.values()].every(({ headers }) => headers.get('x-cache-packed') === 'true')).toBe(true)
  const second = open()
  expect([await second.text('/merchant.xml', {}), second.rendered.length]).toEqual([feed, 0])

  // Orders make it stale in fifteen seconds, a change of the catalogue at once.
  invalidatePageCache(platform, 'stock')
  later(14_999)
  await text('/merchant.xml', {})
  expect(rendered).toHaveLength(1)
  next.body = null
  later(1)
  expect(await text('/merchant.xml', {})).toBe('made 2')
})

test('serves the last copy when a streamed list breaks off', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { ask, text, next } = open()
  next.body = streamed([feed])
  await text('/merchant.xml', {})
  later(60 * 60_000)
  next.body = streamed([feed], new Error('gone'))
  const copy = (await ask('/merchant.xml', { 'accept-encoding': 'gzip' }))!
  expect([copy.headers.get('warning'), copy.headers.get('content-encoding')]).toEqual([
    '110 - "Response is Stale"',
    'gzip',
  ])
  expect(gunzipSync(Buffer.from(await copy.arrayBuffer())).toString()).toBe(feed)
  expect(await text('/merchant.xml', {})).toBe(feed)
  next.body = streamed([feed], new Error('gone'))
  const none = (await ask('/instruments', json))!
  expect([none.status, none.headers.get('retry-after'), logged.mock.calls.length]).toEqual([503, '10', 2])
  logged.mockRestore()
})

test('streams a list to each visitor that is too large for a copy', async () => {
  const { ask, next, rendered } = open()
  const noise = crypto.getRandomValues(new Uint8Array(48 * 1024))
  const large = Array.from({ length: 180 }, (_, n) =>
    Buffer.concat([noise.subarray(n * 97), noise.subarray(0, n * 97)]),
  )
  next.body = streamed(large)
  const bytes = async () => (await (await ask('/merchant.xml', {}))!.arrayBuffer()).byteLength
  const all = large.length * noise.length
  // The first one finds out, after it has read much of the list.
  expect([await bytes(), await bytes(), rendered.length]).toEqual([all, all, 3])
})

test.each([
  ['/dashboard', html, 'GET'],
  ['/instruments/oboe', html, 'GET'],
  ['/__api/reviews', json, 'GET'],
  ['/', html, 'POST'],
])('does not cache %s with %j by %s', (path, headers, method) => {
  expect(open().ask(path, headers as Record<string, string>, method)).toBeNull()
})

test.each(['session=x', 'a=b;__Host-session=x', 'a=b; toast=x', '__Host-signed-out=x'])(
  'renders a page from the request of a visitor with the cookie %s',
  async (cookie) => {
    const { text, rendered } = open()
    expect([await text('/', { ...html, cookie }), await text('/', { ...html, cookie })]).toEqual(['made 1', 'made 2'])
    expect(rendered[0]!.headers.get('cookie')).toBe(cookie)
    expect(open({ seconds: '0' }).ask('/', { ...html, cookie })).toBeNull()
  },
)

test.each<Record<string, string>>([
  { cookie: 'known=x' },
  { cookie: 'my-session=x' },
  { cookie: 'x=session=y' },
  { authorization: 'Bearer x' },
  { origin: 'https://friend.example' },
])('caches a page with %j', async (headers) => {
  expect(await open().text('/', { ...html, ...headers })).toBe('made 1')
})

test('renders from a request without the headers of the visitor', async () => {
  const { ask, rendered } = open()
  await ask('/', { ...html, cookie: 'known=x', 'accept-language': 'it', 'cf-ray': 'r1' })
  await ask('/instruments', { ...json, 'cf-ray': 'r2', 'save-data': 'on' })
  expect(rendered.map(({ headers }) => Object.fromEntries(headers))).toEqual([
    { accept: 'text/html', 'cf-ray': 'r1' },
    { accept: 'application/json', 'cf-ray': 'r2' },
  ])
})

test('sets cache-control, ETag and vary', async () => {
  const { ask, next } = open()
  next.headers = { 'x-request-id': 'r1', vary: 'Accept', 'content-type': 'text/html' }
  const { status, headers } = (await ask('/'))!
  expect([status, headers.has('x-request-id'), Object.fromEntries(headers)]).toMatchObject([
    200,
    false,
    {
      'cache-control': 'public, no-cache',
      'content-type': 'text/html',
      etag: expect.stringMatching(/^"[\da-f]{32}"$/) as string,
      vary: expect.stringMatching(/^Accept, Accept-Encoding, (.*, )?Cookie$/) as string,
    },
  ])
})

test('caches save-data responses separately', async () => {
  const { text } = open()
  const saving = { ...html, 'save-data': 'on' }
  expect([await text('/'), await text('/', saving), await text('/'), await text('/', saving)]).toEqual([
    'made 1',
    'made 2',
    'made 1',
    'made 2',
  ])
})

test.each([
  [{ status: 404 }, 404],
  [{ status: 503 }, 503],
  [{ headers: { 'set-cookie': 'session=x' } }, 200],
])('does not cache a response with %j', async (response, status) => {
  const { ask, next, rendered } = open()
  Object.assign(next, response)
  const head = (await ask('/', html, 'HEAD'))!
  expect([head.status, await head.text()]).toEqual([status, ''])
  const first = (await ask('/'))!
  expect([first.status, await first.text(), first.headers.has('etag')]).toEqual([status, 'made 2', false])
  Object.assign(next, { status: 200, headers: {} })
  expect(await (await ask('/'))!.text()).toBe('made 3')
  expect(rendered).toHaveLength(3)
})

test('caches nothing for 0 seconds', async () => {
  const { text } = open({ seconds: '0' })
  expect([await text('/'), await text('/')]).toEqual(['made 1', 'made 2'])
})

test('answers HEAD without a body, and a matching ETag with 304', async () => {
  const { ask, next } = open()
  next.headers = { 'content-security-policy': 'x', 'cross-origin-opener-policy': 'x', 'content-type': 'text/html' }
  const first = (await ask('/'))!
  const etag = first.headers.get('etag')!
  const head = (await ask('/', html, 'HEAD'))!
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
  const known = (await ask('/', { ...html, 'if-none-match': etag }))!
  expect([
    known.status,
    await known.text(),
    [...known.headers.keys()].filter((name) => name !== 'speculation-rules'),
  ]).toEqual([304, '', ['cache-control', 'etag', 'vary']])
})

test('sends a cache hit with brotli, under its own ETag', async () => {
  const { ask, next } = open()
  const brotli = { ...html, 'accept-encoding': 'br' }
  next.headers = { 'content-type': 'text/html' }
  const plain = (await ask('/', brotli))!
  expect(plain.headers.has('content-encoding')).toBe(false)
  const etag = plain.headers.get('etag')!
  const compressed = (await ask('/', brotli))!
  const own = etag.replace(/"$/, '-br"')
  expect([compressed.headers.get('content-encoding'), compressed.headers.get('etag')]).toEqual(['br', own])
  expect(brotliDecompressSync(await compressed.arrayBuffer()).toString()).toBe('made 1')
  expect((await ask('/'))!.headers.has('content-encoding')).toBe(false)
  for (const tag of [etag, own]) {
    const known = (await ask('/', { ...brotli, 'if-none-match': tag }))!
    expect([known.status, known.headers.get('etag'), known.headers.has('content-encoding')]).toEqual([304, tag, false])
  }
  next.body = 'x'.repeat(64 * 1024 + 1)
  await ask('/home', brotli)
  expect((await ask('/home', brotli))!.headers.has('content-encoding')).toBe(false)
})

test('serves a stale page while it revalidates, or cannot, and no expired page', async () => {
  const { text, next, settled, rendered } = open()
  await text('/')
  later(15_000)
  expect(await text('/')).toBe('made 1')
  expect(rendered).toHaveLength(1)
  later(1)
  expect(await Promise.all([text('/'), text('/')])).toEqual(['made 1', 'made 1'])
  await settled()
  expect([await text('/'), rendered.length]).toEqual(['made 2', 2])
  later(15_000 + 60_001)
  expect(await text('/')).toBe('made 3')
  later(15_001)
  next.status = 503
  expect(await text('/')).toBe('made 3')
  await settled()
  expect([await text('/'), rendered.length]).toEqual(['made 3', 4])
})

test('invalidates a change at once, and stock within a second', async () => {
  const { platform, text } = open()
  await text('/')
  invalidatePageCache(platform, 'stock')
  later(999)
  expect(await text('/')).toBe('made 1')
  later(1)
  expect(await text('/')).toBe('made 2')
  for (const [what, expected] of [
    ['catalogue', 'made 3'],
    ['reviews', 'made 4'],
  ] as const) {
    later(1)
    invalidatePageCache(platform, what)
    later(1)
    expect(await text('/')).toBe(expected)
  }
})

test('isolates share the cache of their data centre', async () => {
  const edge = stubEdge()
  const [first, second, newer] = [open(), open(), open({ version: 'v2' })]
  first.next.headers = { 'content-type': 'text/html' }
  const etag = (await first.ask('/'))!.headers.get('etag')
  await first.settled()
  expect([...edge.values()].map(({ headers }) => headers.get('cache-control'))).toEqual([
    'public, max-age=15',
    'public, max-age=21600',
  ])
  later(1_000)
  const shared = (await second.ask('/'))!
  expect([await shared.text(), shared.headers.get('etag'), shared.headers.get('content-type')]).toEqual([
    'made 1',
    etag,
    'text/html',
  ])
  expect([...shared.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
  expect(second.rendered).toHaveLength(0)
  await newer.text('/')
  expect(newer.rendered).toHaveLength(1)
  later(14_001)
  await second.text('/')
  await second.settled()
  expect(second.rendered).toHaveLength(1)
})

test('a change invalidates pages and lists in the data centre, save-data or not', async () => {
  const edge = stubEdge()
  const { platform, text, ask, next, settled } = open()
  next.headers = { etag: '"e"' }
  await text('/')
  await text('/home', { ...html, 'save-data': 'on' })
  await ask('/instruments', json)
  await settled()
  const fresh = () => [...edge.keys()].filter((key) => !key.endsWith('%23last')).length
  expect([fresh(), edge.size]).toEqual([3, 6])
  invalidatePageCache(platform, 'stock')
  await settled()
  expect(fresh()).toBe(3)
  invalidatePageCache(platform, 'catalogue')
  await settled()
  expect([fresh(), edge.size]).toEqual([0, 3])
})

test('does not serve a page that the data centre cached before a change', async () => {
  const edge = stubEdge()
  const { platform, text, settled } = open()
  await text('/')
  await settled()
  const before = new Map([...edge].map(([key, response]) => [key, response.clone()]))
  later(1)
  invalidatePageCache(platform, 'catalogue')
  await settled()
  for (const [key, response] of before) edge.set(key, response)
  later(1)
  expect(await text('/')).toBe('made 2')
})

const outage = (next: { status: number }) => (next.status = 503)

test('serves the last copy while the database is away, which says so and is stored nowhere', async () => {
  const { ask, next, rendered } = open()
  next.body = '<html><body><main id="main">Violins</main></body></html>'
  next.headers = { 'content-type': 'text/html; charset=utf-8' }
  const etag = (await ask('/home'))!.headers.get('etag')!
  later(6 * 60 * 60_000)
  outage(next)
  const stale = (await ask('/home', { ...html, 'if-none-match': etag, 'accept-encoding': 'br' }))!
  expect(await stale.text()).toBe(
    '<html><body><main id="main"><p class="notice" role="status">The shop cannot be reached completely. As of 12:00 UTC. ' +
      'You cannot log in or order right now.</p>Violins</main></body></html>',
  )
  expect([stale.status, ...['cache-control', 'age', 'etag', 'link'].map((name) => stale.headers.get(name))]).toEqual([
    200,
    'no-store',
    '21600',
    null,
    null,
  ])
  expect(stale.headers.get('warning')).toBe('110 - "Response is Stale"')
  // The others do not wait for the database. One in five seconds looks whether it is back.
  const before = rendered.length
  for (let visits = 0; visits < 3; visits++) await ask('/home')
  expect(rendered.length).toBe(before)
})

test('looks every five seconds whether the database is back', async () => {
  const { text, ask, next, rendered, settled } = open()
  next.headers = { 'content-type': 'application/json', etag: '"a"' }
  next.body = 'old'
  await text('/instruments', json)
  later(60 * 60_000)
  outage(next)
  expect((await ask('/instruments', json))!.headers.get('warning')).not.toBeNull()
  expect((await ask('/reviews'))!.status).toBe(503)
  const renderings = rendered.length
  later(5000)
  next.status = 200
  next.body = 'new'
  next.headers = { ...next.headers, etag: '"b"' }
  expect(await text('/instruments', json)).toBe('old')
  await settled()
  expect(rendered.length).toBe(renderings + 1)
  const fresh = (await ask('/instruments', json))!
  expect([await fresh.text(), fresh.headers.get('warning'), fresh.headers.get('etag')]).toEqual(['new', null, '"b"'])
})

test('has no copy after six hours, of an address with a query, or of a bug', async () => {
  const { ask, text, next } = open()
  const status = async (path: string) => (await ask(path))!.status
  await text('/home')
  await text('/allInstruments?page=2')
  later(6 * 60 * 60_000 + 1)
  outage(next)
  expect([await status('/home'), await status('/allInstruments?page=2')]).toEqual([503, 503])
  next.status = 200
  await text('/home')
  later(60 * 60_000)
  next.status = 500
  expect(await status('/home')).toBe(500)
})

test('another isolate takes the last copy from the data centre', async () => {
  stubEdge()
  const first = open()
  first.next.body = 'violins'
  for (const path of ['/home', '/allInstruments']) await first.text(path)
  await first.settled()
  later(60 * 60_000)
  const second = open()
  outage(second.next)
  // In the data centre the fresh copy would have expired.
  invalidatePageCache(first.platform, 'catalogue')
  await first.settled()
  const copy = (await second.ask('/home'))!
  expect([copy.status, await copy.text(), copy.headers.get('age')]).toEqual([200, 'violins', '3600'])
})
