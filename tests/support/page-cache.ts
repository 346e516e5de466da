import { afterEach, beforeEach, vi } from 'vitest'
import { servePublicPage } from '../../app/http/cache/page-cache.server'
import { localVars } from '../../dev/environment'

export const origin = 'http://127.0.0.1:8788'
const vars = localVars({
  origin,
  database: { url: 'http://127.0.0.1:1', authToken: '' },
  sandboxUrl: 'http://127.0.0.1:2',
})

/** Each test of the file begins at noon, without the copies of the one before. */
export function atNoon(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 24, 12) }))
  afterEach(() => void vi.useRealTimers())
  afterEach(() => void vi.unstubAllGlobals())
}

export function open({ seconds = '15', version = 'v1', API_ORIGINS = '' } = {}) {
  const tasks: Promise<unknown>[] = []
  const env = { ...vars, EDGE_CACHE_SECONDS: seconds, API_ORIGINS }
  const platform = { env, version, ctx: { waitUntil: (task: Promise<unknown>) => void tasks.push(task) } }
  const rendered: Request[] = []
  const next: { status: number; headers: HeadersInit; body: (() => BodyInit) | string | null } = {
    status: 200,
    headers: {},
    body: null,
  }
  const render = (request: Request) => {
    rendered.push(request)
    const { status, headers, body } = next
    return Promise.resolve(
      new Response(typeof body === 'function' ? body() : (body ?? `made ${rendered.length}`), { status, headers }),
    )
  }
  const ask = (path: string, headers: HeadersInit = { accept: 'text/html' }, method = 'GET') =>
    servePublicPage(new Request(origin + path, { method, headers }), platform, render)
  const text = async (path: string, headers?: HeadersInit) => (await ask(path, headers))!.text()
  const settled = () => Promise.all(tasks.splice(0))
  return { platform, rendered, next, ask, text, settled }
}

export const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

export function stubEdge() {
  const stored = new Map<string, Response>()
  const cache = {
    put: (key: string, response: Response) => Promise.resolve(void stored.set(key, response)),
    match: (key: string) => Promise.resolve(stored.get(key)?.clone()),
    delete: (key: string) => Promise.resolve(stored.delete(key)),
  }
  vi.stubGlobal('caches', { default: cache })
  return stored
}

export const html = { accept: 'text/html' }
export const json = { accept: 'application/json' }
