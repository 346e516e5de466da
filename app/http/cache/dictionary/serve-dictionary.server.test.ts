import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { atNoon, html, later, open, stubEdge } from '../../../../tests/support/page-cache'

atNoon()

test('a public page tells Chromium where the dictionary is, but not under Save-Data, and a list does not', async () => {
  const { ask } = open()
  const linkOf = async (path: string, headers: Record<string, string>) =>
    (await ask(path, headers))!.headers.get('link')
  const chromium = { ...html, 'sec-ch-ua': '"Chromium";v="156"' }
  expect(await linkOf('/', chromium)).toBe('</dictionary>; rel="compression-dictionary"')
  // Firefox would fetch it and never use it. The copy is the same.
  expect(await linkOf('/', { ...html, 'accept-encoding': 'gzip, deflate, br, zstd' })).toBeNull()
  expect(await linkOf('/', chromium)).not.toBeNull()
  expect(await linkOf('/', { ...chromium, 'save-data': 'on' })).toBeNull()
  expect(await linkOf('/instruments', { ...chromium, accept: 'application/json' })).toBeNull()
})

test('sends a page as its difference to the dictionary of any isolate', async () => {
  const edge = stubEdge()
  const [first, second] = [open(), open()]
  const markup = '<p>An instrument of the shop, made by hand</p>'
  first.next.body = `<html>${markup.repeat(20)}</html>`
  const dictionary = (await first.ask('/dictionary'))!
  const { headers } = dictionary
  expect([headers.get('use-as-dictionary'), headers.get('cache-control')]).toEqual([
    'match="/*", match-dest=("document" "")',
    'public, max-age=86400',
  ])
  const bytes = Buffer.from(await dictionary.arrayBuffer())
  const packed = (await first.ask('/dictionary', { 'accept-encoding': 'br' }))!
  expect(brotliDecompressSync(await packed.arrayBuffer()).equals(bytes)).toBe(true)
  expect(first.rendered.map(({ url }) => new URL(url).pathname)).toEqual(['/home', '/allInstruments'])
  await first.settled()
  expect([...edge.keys()].some((key) => key.includes('/dictionary/'))).toBe(true)

  const hash = createHash('sha256').update(bytes).digest('base64')
  const offer = { ...html, 'accept-encoding': 'br, dcb', 'available-dictionary': `:${hash}:` }
  second.next.body = `<html>${markup.repeat(10)}<p>A difference</p></html>`
  second.next.headers = { 'content-type': 'text/html' }
  for (const path of ['/login', '/login', '/allInstruments?q=x']) {
    const page = (await second.ask(path, offer))!
    expect([page.headers.get('content-encoding'), page.headers.get('vary')]).toEqual([
      'dcb',
      'Accept, Accept-Encoding, Available-Dictionary, Cookie',
    ])
    const body = Buffer.from(await page.arrayBuffer())
    expect(body.length).toBeLessThan(100)
    expect(body.subarray(0, 36).toString('base64')).toBe(
      Buffer.concat([Buffer.from('ff444342', 'hex'), Buffer.from(hash, 'base64')]).toString('base64'),
    )
    const etag = page.headers.get('etag')!
    const known = (await second.ask(path, { ...offer, 'if-none-match': etag }))!
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag])
  }
  const plain = (await second.ask('/login', { ...html }))!.headers.get('etag')!
  expect((await second.ask('/login', { ...offer, 'if-none-match': plain }))!.status).toBe(304)
})

test.each([
  ['an unknown dictionary', { 'available-dictionary': `:${'a'.repeat(43)}=:` }],
  ['no dcb', { 'accept-encoding': 'br, zstd' }],
  ['a session', { cookie: 'session=x' }],
  ['a list', { accept: 'application/json' }],
])('sends no difference for %s', async (_, headers) => {
  const { ask, next } = open()
  next.headers = { etag: '"e"' }
  const bytes = new Uint8Array(await (await ask('/dictionary'))!.arrayBuffer())
  const hash = createHash('sha256').update(bytes).digest('base64')
  const offer = { ...html, 'accept-encoding': 'br, dcb', 'available-dictionary': `:${hash}:` }
  expect((await ask('/reviews', offer))!.headers.get('content-encoding')).toBe('dcb')
  expect((await ask('/reviews', { ...offer, ...headers }))?.headers.get('content-encoding')).not.toBe('dcb')
})

test('makes no dictionary while a page of it fails', async () => {
  const { ask, next } = open()
  next.status = 503
  const response = (await ask('/dictionary'))!
  expect([response.status, response.headers.has('use-as-dictionary')]).toEqual([503, false])
  next.status = 200
  expect((await ask('/dictionary'))!.status).toBe(200)
})

test('makes no dictionary of the last copies of an outage', async () => {
  const { ask, text, next, settled } = open()
  for (const path of ['/home', '/allInstruments']) await text(path)
  await settled()
  later(60 * 60_000)
  next.status = 503
  expect([(await ask('/home'))!.status, (await ask('/dictionary'))!.status]).toEqual([200, 503])
})
