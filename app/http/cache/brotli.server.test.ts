import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isCompressible, compress, brotliVariant, accepts } from './brotli.server'

test.each([
  ['br', true],
  ['gzip, br', true],
  ['gzip,br;q=0.2', true],
  ['BR; q=1.0, gzip', true],
  ['gzip', false],
  ['br;q=0, gzip', false],
  ['br; q=0.000', false],
  ['brotli, xbr', false],
  ['*', false],
])('Accept-Encoding: %s', (accepted, isAccepted) => {
  expect(accepts('br', new Request('https://shop.example/', { headers: { 'accept-encoding': accepted } }))).toBe(
    isAccepted,
  )
})

test('on Cloudflare, reads the Accept-Encoding of the browser', () => {
  const request = new Request('https://shop.example/', { headers: { 'accept-encoding': 'gzip, br' } })
  const from = (clientAcceptEncoding?: string) => Object.assign(request.clone(), { cf: { clientAcceptEncoding } })
  expect(accepts('br', from('gzip'))).toBe(false)
  expect(accepts('br', from())).toBe(false)
  expect(accepts('br', from('gzip, deflate, br, zstd'))).toBe(true)
})

test('takes dcb for dcb only', () => {
  const from = (accepted: string) => new Request('https://shop.example/', { headers: { 'accept-encoding': accepted } })
  expect(['gzip, br, zstd, dcb, dcz', 'br', 'dcb;q=0'].map((each) => accepts('dcb', from(each)))).toEqual([
    true,
    false,
    false,
  ])
  expect(accepts('br', from('dcb'))).toBe(false)
})

test('does not compress large bodies', () => {
  const response = (bytes: number) => ({ body: new ArrayBuffer(bytes), headers: new Headers(), etag: '"x"' })
  expect([response(40_000), response(400_000)].map(isCompressible)).toEqual([true, false])
})

test('the brotli variant has its own ETag and encoding, and the same text', async () => {
  const headers = new Headers({ etag: '"x"', vary: 'Cookie' })
  const variant = brotliVariant({ body: new ArrayBuffer(0), headers, etag: '"x"' })
  expect([variant.etag, Object.fromEntries(variant.headers), headers.has('content-encoding')]).toEqual([
    '"x-br"',
    { 'content-encoding': 'br', etag: '"x-br"', vary: 'Cookie' },
    false,
  ])
  const text = 'the same again and again '.repeat(100)
  const body = await new Response(text).arrayBuffer()
  const compressed = compress(body)
  expect(compressed.byteLength).toBeLessThan(100)
  expect(brotliDecompressSync(compressed).toString()).toBe(text)
})
