import { expect, test } from 'vitest'
import { MemoryCache, type CachedResponse } from './memory-cache.server'

const fresh = 15_000

function page(renderedAt: number, bytes = 10): CachedResponse {
  return { body: new ArrayBuffer(bytes), headers: new Headers(), etag: '"x"', renderedAt }
}

test('what was renderedAt before a change is not kept, however late it is done', () => {
  const keeper = new MemoryCache(fresh)
  keeper.invalidate(200)
  expect(keeper.set('/', page(100), 300)).toBe(false)
  expect(keeper.set('/', page(200), 300)).toBe(false)
  expect(keeper.set('/', page(201), 300)).toBe(true)
  keeper.invalidate(400)
  expect(keeper.get('/', 400)).toBeNull()
})

test('while orders come in, what is shown of stock is a second old at most', () => {
  const keeper = new MemoryCache(fresh)
  keeper.set('/', page(1_000), 1_100)
  for (let at = 1_200; at < 2_000; at += 100) {
    keeper.invalidateStock(at)
    expect(keeper.get('/', at)).toMatchObject({ stale: false })
  }
  expect(keeper.get('/', 2_000)).toBeNull()
})

test('what is not fresh is shown for a minute more, while one visitor has it made anew', async () => {
  const keeper = new MemoryCache(fresh)
  keeper.set('/', page(1_000), 1_000)
  expect(keeper.get('/', 1_000 + fresh)).toMatchObject({ stale: false })
  expect(keeper.get('/', 1_001 + fresh)).toMatchObject({ stale: true })
  expect(keeper.get('/', 1_001 + fresh + 60_000)).toBeNull()
  let made = 0
  const renew = () => Promise.resolve(made++)
  await Promise.all([keeper.revalidate('/', renew), keeper.revalidate('/', renew)])
  await keeper.revalidate('/', renew)
  expect(made).toBe(2)
})

test('nothing is kept for 0 seconds, and nothing large', () => {
  expect(new MemoryCache(0).set('/', page(1_000), 1_000)).toBe(false)
  expect(new MemoryCache(fresh).set('/', page(1_000, 600 * 1024), 1_000)).toBe(false)
})

test('what has been brotli is not brotli again while it stays the same', () => {
  const keeper = new MemoryCache(fresh)
  const brotli = { headers: new Headers(), etag: '"x-br"', body: new ArrayBuffer(3) }
  keeper.set('/', { ...page(1_000), brotli }, 1_000)
  keeper.set('/', page(2_000), 2_000)
  expect(keeper.get('/', 2_000)?.kept).toMatchObject({ renderedAt: 2_000, brotli })
  keeper.set('/', { ...page(3_000), etag: '"y"' }, 3_000)
  expect(keeper.get('/', 3_000)?.kept.brotli).toBeUndefined()
})
