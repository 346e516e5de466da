import { expect, test } from 'vitest'
import { Keeper, type Kept } from './memory-cache.server'

const fresh = 15_000

function page(begun: number, bytes = 10): Kept {
  return { body: new ArrayBuffer(bytes), headers: new Headers(), etag: '"x"', begun }
}

test('what was begun before a change is not kept, however late it is done', () => {
  const keeper = new Keeper(fresh)
  keeper.changed(200)
  expect(keeper.keep('/', page(100), 300)).toBe(false)
  expect(keeper.keep('/', page(200), 300)).toBe(false)
  expect(keeper.keep('/', page(201), 300)).toBe(true)
  keeper.changed(400)
  expect(keeper.find('/', 400)).toBeNull()
})

test('while orders come in, what is shown of stock is a second old at most', () => {
  const keeper = new Keeper(fresh)
  keeper.keep('/', page(1_000), 1_100)
  for (let at = 1_200; at < 2_000; at += 100) {
    keeper.moved(at)
    expect(keeper.find('/', at)).toMatchObject({ stale: false })
  }
  expect(keeper.find('/', 2_000)).toBeNull()
})

test('what is not fresh is shown for a minute more, while one visitor has it made anew', async () => {
  const keeper = new Keeper(fresh)
  keeper.keep('/', page(1_000), 1_000)
  expect(keeper.find('/', 1_000 + fresh)).toMatchObject({ stale: false })
  expect(keeper.find('/', 1_001 + fresh)).toMatchObject({ stale: true })
  expect(keeper.find('/', 1_001 + fresh + 60_000)).toBeNull()
  let made = 0
  const renew = () => Promise.resolve(made++)
  await Promise.all([keeper.once('/', renew), keeper.once('/', renew)])
  await keeper.once('/', renew)
  expect(made).toBe(2)
})

test('nothing is kept for 0 seconds, and nothing large', () => {
  expect(new Keeper(0).keep('/', page(1_000), 1_000)).toBe(false)
  expect(new Keeper(fresh).keep('/', page(1_000, 600 * 1024), 1_000)).toBe(false)
})

test('what has been packed is not packed again while it stays the same', () => {
  const keeper = new Keeper(fresh)
  const packed = { headers: new Headers(), etag: '"x-br"', body: new ArrayBuffer(3) }
  keeper.keep('/', { ...page(1_000), packed }, 1_000)
  keeper.keep('/', page(2_000), 2_000)
  expect(keeper.find('/', 2_000)?.kept).toMatchObject({ begun: 2_000, packed })
  keeper.keep('/', { ...page(3_000), etag: '"y"' }, 3_000)
  expect(keeper.find('/', 3_000)?.kept.packed).toBeUndefined()
})
