import { brotliDecompressSync } from 'node:zlib'
import { seedDemoShop } from '../../dev/demo'
import { expect, test } from '../support/shop'

const plain = { accept: 'text/plain' }

test('serves every public page as text', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  const text = async (path: string) => {
    const response = await visitor.fetch(path, { headers: plain })
    expect([path, response.headers.get('content-type')]).toEqual([path, 'text/plain; charset=utf-8'])
    return { status: response.status, body: await response.text() }
  }
  const list = await text('/allInstruments')
  expect(list.body).toMatch(/^# All instruments$/m)
  expect(list.body).toMatch(/^1 +Concert Violin 4\/4 <\/catalog\/concert-violin-4-4> +\$1,450\.00 +36 +2 /m)
  expect(list.body.match(/<\/catalog\//g)).toHaveLength(24)
  for (const path of ['/', '/home', '/reviews', '/login', '/register', '/forgot-password', '/allInstruments?q=flute'])
    expect([path, (await text(path)).status]).toEqual([path, 200])
  const product = await text('/catalog/bb-clarinet-grenadilla')
  expect(product.body).toContain('# Bb Clarinet, grenadilla')
  expect(product.body).toContain('$1,180.00 each In stock\n\nMinimum order: 2 pieces, 40 available')
  expect(await text('/catalog/nothing')).toMatchObject({
    status: 404,
    body: expect.stringContaining('Page not found') as string,
  })
  for (const { body } of [list, product]) expect(body).not.toMatch(/<\/?(p|div|td|a)\b|&\w+;/)
})

test('sends the list as text in at most 1.5 KB', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const ask = () => shop.visitor().fetch('/allInstruments', { headers: { ...plain, 'accept-encoding': 'br' } })
  await (await ask()).arrayBuffer()
  const response = await ask()
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([response.headers.get('content-encoding'), bytes.length <= 1500]).toEqual(['br', true])
  expect(brotliDecompressSync(bytes).toString()).toContain('Bassoon')
})

test('serves the text to whoever asks for text alone, signed in or not, and confirms an ETag', async ({ shop }) => {
  await shop.sells({ name: 'Violin' })
  const ada = await shop.visitor().signIn(await shop.customer({ name: 'Ada' }))
  const first = await ada.fetch('/allInstruments', { headers: plain })
  expect(await first.text()).not.toContain('Ada')
  const etag = first.headers.get('etag')!
  expect((await ada.fetch('/allInstruments', { headers: { ...plain, 'if-none-match': etag } })).status).toBe(304)
  const typeOf = async (accept: string, path = '/allInstruments') =>
    (await shop.visitor().fetch(path, { headers: { accept } })).headers.get('content-type')?.split(';')[0]
  expect(await typeOf('text/html,text/plain;q=0.9,*/*;q=0.8')).toBe('text/html')
  expect(await typeOf('*/*')).toBe('text/html')
  expect(await typeOf('text/plain, */*;q=0.1')).toBe('text/plain')
  expect(await typeOf('text/plain', '/instruments')).toBe('application/json')
  expect(first.headers.get('vary')).toContain('Accept')
})
