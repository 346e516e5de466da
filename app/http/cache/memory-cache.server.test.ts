import { expect, test, vi } from 'vitest'
import { MemoryCache } from './memory-cache.server'
import type { CachedResponse } from './responses.server'

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

test('ends at midnight, when sales begin and end', () => {
  const cache = new MemoryCache(ttl)
  const midnight = Date.UTC(2026, 11, 1)
  cache.set('/', page(midnight - 2), midnight - 1)
  expect(cache.get('/', midnight - 1)).toMatchObject({ stale: false })
  expect(cache.get('/', midnight)).toBeNull()
  expect(cache.set('/', page(midnight - 1), midnight)).toBe(false)
  expect(cache.set('/', page(midnight), midnight)).toBe(true)
})

test('waits no longer than half a minute for a rendering that never ends', async () => {
  const cache = new MemoryCache(ttl)
  let renders = 0
  const never = () => {
    renders++
    return new Promise<void>(() => undefined)
  }
  for (const now of [1_000, 2_000]) void cache.renderOnce('/', now, never)
  expect(renders).toBe(1)
  void cache.renderOnce('/', 31_000, never)
  await vi.waitFor(() => expect(renders).toBe(2))
})

test('caches nothing with a ttl of 0', () => {
  expect(new MemoryCache(0).set('/', page(1_000), 1_000)).toBe(false)
})

test('drops the oldest responses above 24 MB, or above 500', () => {
  const cache = new MemoryCache(ttl)
  const has = (key: string) => cache.get(key, 1_000) !== null
  const large = page(1_000, 8 * 1024 * 1024)
  for (const key of ['a', 'b', 'c', 'b']) cache.set(key, large, 1_000)
  expect(['a', 'b', 'c'].map(has)).toEqual([true, true, true])
  cache.set('d', page(1_000, 1), 1_000)
  expect(['a', 'b', 'c', 'd'].map(has)).toEqual([false, true, true, true])
  for (let n = 0; n < 500; n++) cache.set(String(n), page(1_000, 1), 1_000)
  expect(['b', 'c', 'd', '0', '499'].map(has)).toEqual([false, false, false, true, true])
})

test('serves stock of a list above one page that is at most fifteen seconds old', () => {
  const cache = new MemoryCache(60_000)
  cache.set('/', { ...page(1_000), isPacked: true }, 1_000)
  cache.invalidateStock(2_000)
  expect(cache.get('/', 15_999)).not.toBeNull()
  expect(cache.get('/', 16_000)).toBeNull()
  cache.set('/', { ...page(17_000), isPacked: true }, 17_000)
  cache.invalidate(18_000)
  expect(cache.get('/', 18_000)).toBeNull()
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
