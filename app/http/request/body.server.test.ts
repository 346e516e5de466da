import { expect, test } from 'vitest'
import { readAtMost } from './body.server'

const post = (init: RequestInit) =>
  new Request('https://shop.example/', { method: 'POST', duplex: 'half', ...init } as RequestInit)

function pieces(sizes: number[]) {
  let pulled = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        const size = sizes[pulled++]
        if (size === undefined) controller.close()
        else controller.enqueue(new Uint8Array(size).fill(pulled))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, pulled: () => pulled }
}

test('reads a body in chunks, up to the limit', async () => {
  expect(await readAtMost(post({ body: pieces([2, 1, 2]).body }), 5)).toEqual(new Uint8Array([1, 1, 2, 3, 3]))
  expect(await readAtMost(post({}), 5)).toEqual(new Uint8Array())
})

test('stops reading a body that is too large', async () => {
  const { body, pulled } = pieces([3, 3, 3, 3])
  expect(await readAtMost(post({ body }), 5)).toBeNull()
  expect(pulled()).toBe(2)
  const announced = pieces([1])
  expect(await readAtMost(post({ body: announced.body, headers: { 'content-length': '6' } }), 5)).toBeNull()
  expect(announced.pulled()).toBe(0)
  expect(await readAtMost(post({ body: pieces([5]).body, headers: { 'content-length': '5' } }), 5)).toHaveLength(5)
})

test('reads on without storing, so that the sender gets the response', async () => {
  const { body, pulled } = pieces([3, 3, 3])
  expect(await readAtMost(post({ body }), 5, 9)).toBeNull()
  expect(pulled()).toBe(4)
  const endless = pieces([3, 3, 3, 3, 3])
  expect(await readAtMost(post({ body: endless.body }), 5, 9)).toBeNull()
  expect(endless.pulled()).toBe(4)
  const announced = pieces([1])
  expect(await readAtMost(post({ body: announced.body, headers: { 'content-length': '10' } }), 5, 9)).toBeNull()
  expect(announced.pulled()).toBe(0)
})
