import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isCompressible, compress, brotliVariant, acceptsBrotli } from './brotli.server'

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
])('Accept-Encoding: %s', (accepted, takes) => {
  expect(acceptsBrotli(new Request('https://shop.example/', { headers: { 'accept-encoding': accepted } }))).toBe(takes)
})

test('the edge asks for brotli in its own name: what counts is what the browser said', () => {
  const request = new Request('https://shop.example/', { headers: { 'accept-encoding': 'gzip, br' } })
  const from = (clientAcceptEncoding?: string) => Object.assign(request.clone(), { cf: { clientAcceptEncoding } })
  expect(acceptsBrotli(from('gzip'))).toBe(false)
  expect(acceptsBrotli(from())).toBe(false)
  expect(acceptsBrotli(from('gzip, deflate, br, zstd'))).toBe(true)
})

test('what would take long to pack is not', () => {
  const made = (bytes: number) => ({ body: new ArrayBuffer(bytes), headers: new Headers(), etag: '"x"' })
  expect([made(40_000), made(400_000)].map(isCompressible)).toEqual([true, false])
})

test('the packed form has a tag and an encoding of its own, and says the same', async () => {
  const headers = new Headers({ etag: '"x"', vary: 'Cookie' })
  const form = brotliVariant({ body: new ArrayBuffer(0), headers, etag: '"x"' })
  expect([form.etag, Object.fromEntries(form.headers), headers.has('content-encoding')]).toEqual([
    '"x-br"',
    { 'content-encoding': 'br', etag: '"x-br"', vary: 'Cookie' },
    false,
  ])
  const text = 'the same again and again '.repeat(100)
  const body = await new Response(text).arrayBuffer()
  const packed = compress(body)
  expect(packed.byteLength).toBeLessThan(100)
  expect(brotliDecompressSync(packed).toString()).toBe(text)
})
