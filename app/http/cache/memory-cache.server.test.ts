import { expect, test } from 'vitest'
import { MemoryCache, type CachedResponse } from './memory-cache.server'

const ttl = 15_000

function page(renderedAt: number, bytes = 10): CachedResponse {
  return { body: new ArrayBuffer(bytes), headers: new Headers(), etag: '"x"', renderedAt }
}

test('does not cache a response that was rendered before an invalidation', () => {
  const cache = new MemoryCache(ttl)
  cache.invalidate(200)
  expect(cache.set('/', page(100), 300)).toBe(false)
  expect(cache.set('/', page(200), 300)).toBe(false)
  expect(cache.set('/', page(201), 300)).toBe(true)
  cache.invalidate(400)
  expect(cache.get('/', 400)).toBeNull()
})

test('serves stock that is at most a second old while orders come in', () => {
  const cache = new MemoryCache(ttl)
  cache.set('/', page(1_000), 1_100)
  for (let at = 1_200; at < 2_000; at += 100) {
    cache.invalidateStock(at)
    expect(cache.get('/', at)).toMatchObject({ stale: false })
  }
  expect(cache.get('/', 2_000)).toBeNull()
})

test('serves a stale response for a minute, and revalidates it once', async () => {
  const cache = new MemoryCache(ttl)
  cache.set('/', page(1_000), 1_000)
  expect(cache.get('/', 1_000 + ttl)).toMatchObject({ stale: false })
  expect(cache.get('/', 1_001 + ttl)).toMatchObject({ stale: true })
  expect(cache.get('/', 1_001 + ttl + 60_000)).toBeNull()
  let renders = 0
  const render = () => Promise.resolve(renders++)
  await Promise.all([cache.revalidate('/', render), cache.revalidate('/', render)])
  await cache.revalidate('/', render)
  expect(renders).toBe(2)
})

test('caches nothing with a ttl of 0, and nothing large', () => {
  expect(new MemoryCache(0).set('/', page(1_000), 1_000)).toBe(false)
  expect(new MemoryCache(ttl).set('/', page(1_000, 600 * 1024), 1_000)).toBe(false)
})

test('reuses the brotli variant of an unchanged response', () => {
  const cache = new MemoryCache(ttl)
  const brotli = { headers: new Headers(), etag: '"x-br"', body: new ArrayBuffer(3) }
  cache.set('/', { ...page(1_000), brotli }, 1_000)
  cache.set('/', page(2_000), 2_000)
  expect(cache.get('/', 2_000)?.response).toMatchObject({ renderedAt: 2_000, brotli })
  cache.set('/', { ...page(3_000), etag: '"y"' }, 3_000)
  expect(cache.get('/', 3_000)?.response.brotli).toBeUndefined()
})
