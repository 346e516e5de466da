import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// The worker of app/browser/offline/worker.ts, with the caches, the clock and the connection of a browser played by this file.

const origin = 'https://shop.example'
const day = 86_400_000

class FakeCache {
  readonly copies = new Map<string, Response>()
  beforePut: Promise<void> | undefined
  match = (key: string) => Promise.resolve(this.copies.get(key)?.clone())
  put = async (key: string, copy: Response) => {
    await this.beforePut
    // As in a browser: what is put stands last.
    this.copies.delete(key)
    this.copies.set(key, copy)
  }
  delete = (key: string | { url: string }) =>
    Promise.resolve(this.copies.delete(typeof key === 'string' ? key : key.url))
  keys = () => Promise.resolve([...this.copies.keys()].map((url) => ({ url })))
}

const stores = new Map<string, FakeCache>()
const handlers: Record<string, (event: object) => void> = {}
const unregister = vi.fn(() => Promise.resolve(true))
/** What the shop answers, or throws; and what it was asked. */
let answer: (path: string, init?: RequestInit) => Response | Promise<Response>
const asked: string[] = []

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 24, 12) })
  stores.clear()
  asked.splice(0)
  vi.stubGlobal('location', new URL(origin))
  vi.stubGlobal('caches', {
    open: (name: string) => Promise.resolve(stores.get(name) ?? stores.set(name, new FakeCache()).get(name)!),
    keys: () => Promise.resolve([...stores.keys()]),
    delete: (name: string) => Promise.resolve(stores.delete(name)),
  })
  vi.stubGlobal('fetch', async (request: { url: string } | URL | string, init?: RequestInit) => {
    const { pathname, search } = new URL(typeof request === 'object' && 'url' in request ? request.url : request)
    asked.push(`${init?.credentials === 'omit' ? 'as anybody: ' : ''}${pathname}${search}`)
    return Object.defineProperty(await answer(pathname + search, init), 'type', { value: 'basic' })
  })
  await start('./worker')
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function start(script: './worker' | './end-worker'): Promise<void> {
  vi.stubGlobal('self', {
    addEventListener: (type: string, handle: (event: object) => void) => (handlers[type] = handle),
    skipWaiting: () => Promise.resolve(),
    clients: { claim: () => Promise.resolve(), matchAll: () => Promise.resolve([]) },
    registration: { unregister },
  })
  vi.resetModules()
  await (script === './worker' ? import('./worker') : import('./end-worker'))
}

async function begin(type: 'activate' | 'install'): Promise<void> {
  const tasks: Promise<unknown>[] = []
  handlers[type]!({ waitUntil: (task: Promise<unknown>) => tasks.push(task) })
  await Promise.all(tasks)
}

/** What the browser shows; null where the worker leaves the request alone. */
async function visit(path: string, more: object = {}): Promise<{ status: number; text: string } | null> {
  const tasks: Promise<unknown>[] = []
  const shown: Promise<Response>[] = []
  const url = path.startsWith('https:') ? path : origin + path
  const request = { method: 'GET', url, mode: 'navigate', destination: 'document', headers: new Headers(), ...more }
  handlers.fetch!({
    request,
    waitUntil: (task: Promise<unknown>) => tasks.push(task),
    respondWith: (response: Promise<Response>) => shown.push(response),
  })
  if (shown.length === 0) return null
  const response = await shown[0]!
  while (tasks.length > 0) await tasks.shift()
  return { status: response.status, text: await response.text() }
}

const image = { mode: 'no-cors', destination: 'image' }

function page(words: string, { control = 'public, no-cache', status = 200, type = 'text/html; charset=utf-8' } = {}) {
  const html = `<title>${words} · Cadenza</title><meta property="og:site_name" content="Cadenza"/><main id="main">${words}</main>`
  return new Response(html, { status, headers: { 'content-type': type, 'cache-control': control } })
}

const own = { control: 'private, no-store' }
const noLine = () => {
  throw new TypeError('Failed to fetch')
}
const kept = (name = 'pages-1') => [...(stores.get(name)?.copies.keys() ?? [])].map((url) => url.slice(origin.length))

test('shows the copy of a page offline, and says as of when it is', async () => {
  answer = () => page('Oboe')
  await visit('/catalog/oboe')
  vi.setSystemTime(Date.now() + 3 * day)
  answer = noLine
  const { text } = (await visit('/catalog/oboe'))!
  expect(text).toContain('<title>Copy: Oboe')
  expect(text).toContain('The shop cannot be reached.')
  expect(text).toContain('This is a copy, as of Tuesday, November 24, 2026')
  const other = (await visit('/catalog/flute'))!
  expect([other.status, other.text]).toEqual([
    503,
    expect.stringContaining('<a href="https://shop.example/catalog/oboe">'),
  ])
})

test('keeps the page as anybody gets it, never that of a signed-in visitor, and renews it once a day', async () => {
  answer = (_, init) => (init?.credentials === 'omit' ? page('Oboe') : page('Oboe, Ada', own))
  expect((await visit('/catalog/oboe'))!.text).toContain('Ada')
  expect(asked.splice(0)).toEqual(['/catalog/oboe', 'as anybody: /catalog/oboe'])
  vi.setSystemTime(Date.now() + day - 1000)
  await visit('/catalog/oboe')
  expect(asked.splice(0)).toEqual(['/catalog/oboe'])
  vi.setSystemTime(Date.now() + 2000)
  await visit('/catalog/oboe')
  expect(asked).toEqual(['/catalog/oboe', 'as anybody: /catalog/oboe'])
  for (const copy of stores.get('pages-1')!.copies.values()) expect(await copy.clone().text()).not.toContain('Ada')
  answer = () => page('Error', { status: 500 })
  await visit('/reviews')
  answer = () => page('Large'.repeat(50_000))
  await visit('/home')
  answer = () => page('{}', { type: 'application/json' })
  await visit('/allInstruments')
  expect(kept()).toEqual(['/catalog/oboe'])
})

test.for([404, 410])('forgets the copy of an instrument whose page answers %d', async (status) => {
  answer = () => page('Oboe')
  await visit('/catalog/oboe')
  await visit('/catalog/flute')
  answer = () => page('Not found', { status, control: 'private, no-store' })
  expect((await visit('/catalog/oboe'))!.status).toBe(status)
  expect(kept()).toEqual(['/catalog/flute'])
  answer = noLine
  expect((await visit('/catalog/oboe'))!.text).not.toContain('Oboe</main>')
})

test('keeps the copy while the shop fails, and shows it', async () => {
  answer = () => page('Oboe')
  await visit('/catalog/oboe')
  answer = () => page('Broken', { status: 503 })
  expect((await visit('/catalog/oboe'))!.text).toContain('Copy: Oboe')
  expect(kept()).toEqual(['/catalog/oboe'])
})

test('shows the older copy when the connection goes while a newer one is stored', async () => {
  answer = () => page('Oboe')
  await visit('/catalog/oboe')
  const endPut = vi.fn<() => void>()
  stores.get('pages-1')!.beforePut = new Promise((resolve) => endPut.mockImplementation(resolve))
  const second = visit('/catalog/oboe')
  await vi.advanceTimersByTimeAsync(0)
  answer = noLine
  expect((await visit('/catalog/oboe'))!.text).toContain('Copy: Oboe')
  endPut()
  await second
})

test('shows the copy after four seconds on a slow line, and waits half a minute without one', async () => {
  answer = () => page('Oboe')
  await visit('/catalog/oboe')
  answer = () => new Promise((resolve) => setTimeout(() => resolve(page('Oboe, new')), 20_000))
  const slow = visit('/catalog/oboe')
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await slow)!.text).toContain('The connection is slow.')
  const first = visit('/reviews')
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await first)!.text).toContain('Oboe, new')
})

test('keeps the 40 pages that were read last, each once', async () => {
  answer = (path) => page(path)
  for (let nth = 1; nth <= 40; nth++) await visit(`/catalog/${nth}`)
  await visit('/catalog/1')
  await visit('/catalog/41')
  expect(kept()).toHaveLength(40)
  expect([kept().includes('/catalog/1'), kept().includes('/catalog/2')]).toEqual([true, false])
})

test('leaves everything else to the browser: accounts, forms, other sites and parts of files', async () => {
  answer = () => page('Something')
  for (const path of [
    '/dashboard',
    '/instruments/oboe',
    '/login',
    '/catalog/oboe/x',
    '/home.data',
    'https://other.example/home',
  ])
    expect(await visit(path), path).toBeNull()
  expect(await visit('/reviews', { method: 'POST' })).toBeNull()
  expect(await visit('/reviews', { headers: new Headers({ range: 'bytes=0-1' }) })).toBeNull()
  expect(await visit('/reviews', { mode: 'cors', destination: '' })).toBeNull()
  expect(kept()).toEqual([])
})

test('asks for a picture again unless its name has its hash, and has the copy when the connection is gone', async () => {
  answer = () =>
    new Response('svg', { headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=60' } })
  for (const path of ['/art/a.svg', '/art/a.svg', '/pictures/x/1.avif', '/pictures/x/1.avif']) await visit(path, image)
  expect(asked).toEqual(['/art/a.svg', '/art/a.svg', '/pictures/x/1.avif'])
  answer = () => new Response('png', { headers: { 'content-type': 'image/png', 'cache-control': 'private' } })
  await visit('/art/own.png', image)
  expect(kept('pictures-1')).toEqual(['/art/a.svg', '/pictures/x/1.avif'])
  answer = noLine
  expect((await visit('/art/a.svg', image))!.text).toBe('svg')
  await expect(visit('/art/b.svg', image)).resolves.toMatchObject({ status: 0 })
})

test('drops the copies of an earlier version when it begins, and all of them when copies are switched off', async () => {
  answer = () => page('Oboe')
  await visit('/catalog/oboe')
  stores.set('pages-0', new FakeCache())
  await begin('activate')
  expect([...stores.keys()]).toEqual(['pages-1'])
  await start('./end-worker')
  await begin('activate')
  expect([stores.size, unregister.mock.calls.length]).toEqual([0, 1])
})

test('signing out takes the token and the unsent orders from both stores of the browser, and nothing else', async () => {
  const store = () => ({
    ...{ accessToken: 't', 'unsentOrder.1': '{}', 'unsentOrder.2': '{}', theme: 'dark', accessTokens: 'x' },
    removeItem(this: Record<string, unknown>, key: string) {
      Reflect.deleteProperty(this, key)
    },
  })
  const window = { localStorage: store(), sessionStorage: store() }
  vi.stubGlobal('window', window)
  await import.meta.glob('../sign-out.ts')['../sign-out.ts']!()
  for (const { removeItem: _, ...left } of [window.localStorage, window.sessionStorage])
    expect(left).toEqual({ theme: 'dark', accessTokens: 'x' })
})
