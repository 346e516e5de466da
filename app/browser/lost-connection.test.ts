import type { ClientActionFunctionArgs } from '@remix-run/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientAction } from './lost-connection'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(globalThis, 'setTimeout')
  vi.spyOn(globalThis, 'clearTimeout')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Node sets timers of its own when a request is read. */
function expectOwnTimersCleared(): void {
  const { calls, results } = vi.mocked(setTimeout).mock
  const own = calls.flatMap(([, delay], nth) => (delay === 30_000 ? [results[nth]!.value as unknown] : []))
  expect(own.length).toBeGreaterThan(0)
  for (const timer of own) expect(clearTimeout).toHaveBeenCalledWith(timer)
}

const typed = { submissionId: 'a-number', description: 'A warm tone.' }

function send(answer: () => Promise<unknown>): Promise<unknown> {
  const request = new Request('http://shop.invalid/', { method: 'POST', body: new URLSearchParams(typed) })
  return clientAction({ request, params: {}, serverAction: answer } as unknown as ClientActionFunctionArgs)
}

test.for([
  ['breaks off', () => Promise.reject(new TypeError('Failed to fetch')), 0],
  ['gives no response for 30 seconds', () => new Promise(() => undefined), 30_000],
] as const)('keeps the input and the submission id when the connection %s', async ([, answer, wait]) => {
  const outcome = send(answer)
  const settled = vi.fn()
  void outcome.then(settled)
  if (wait > 0) {
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(settled).not.toHaveBeenCalled()
  }
  await vi.advanceTimersByTimeAsync(1)
  const response = (await outcome) as Response
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    lastResult: { initialValue: typed, error: { '': ['Could not reach the shop. Try again'] } },
  })
  expectOwnTimersCleared()
})

test('passes on what the shop responds', async () => {
  expect(await send(() => Promise.resolve('a response'))).toBe('a response')
  const redirect = new Response(null, { status: 303 })
  await expect(send(() => Promise.reject(redirect as unknown as Error))).rejects.toBe(redirect)
  expectOwnTimersCleared()
})

test('waits longer for a form with a file', async () => {
  const body = new FormData()
  body.set('picture', new File([new Uint8Array(320_000)], 'photo.jpg'))
  const request = new Request('http://shop.invalid/', { method: 'POST', body })
  const never = () => new Promise(() => undefined)
  const settled = vi.fn()
  void clientAction({ request, serverAction: never } as unknown as ClientActionFunctionArgs).then(settled)
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  await vi.advanceTimersByTimeAsync(39_000)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(settled).toHaveBeenCalled()
})
