import { isPublicPage } from '../../pages'

/*
 * The service worker (decision 39): public pages and pictures that were seen can be read offline. It keeps only what
 * the server calls `public`: a page with a visitor's name or cookie is `private` (decision 15).
 */

interface Lasting {
  waitUntil: (task: Promise<unknown>) => void
}

interface Fetching extends Lasting {
  request: Request
  respondWith: (response: Promise<Response>) => void
}

interface Installing extends Lasting {
  addRoutes?: (rules: object) => Promise<void>
}

interface Scope {
  addEventListener: ((type: 'fetch', handle: (event: Fetching) => void) => void) &
    ((type: 'install' | 'activate', handle: (event: Installing) => void) => void)
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void>; matchAll: () => Promise<{ url: string }[]> }
}

const scope = self as unknown as Scope

/** A new name drops the copies of the old one. */
const [pages, pictures] = ['pages-1', 'pictures-1'] as const
const limits = { [pages]: 40, [pictures]: 120 }
const maxBytes = 200_000

/** Milliseconds. After that a copy is better than to wait, and without one some honest words. */
const [patience, longPatience] = [4000, 30_000]
const day = 86_400_000

const isReadable = (path: string) => path === '/catalog.html' || isPublicPage(path.replace(/^\/de(?=\/.|$)/, '') || '/')
const copiedAt = 'x-copied-at'
const title = 'x-title'

scope.addEventListener('install', (event) => {
  event.waitUntil(scope.skipWaiting())
  // All else goes by this worker, as if there were none.
  const handled = [{ requestMode: 'navigate', requestMethod: 'GET' }, { requestDestination: 'image' }]
  const others = { condition: { not: { or: handled } }, source: 'network' }
  event.waitUntil(event.addRoutes?.(others).catch(() => undefined) ?? Promise.resolve())
})

scope.addEventListener('activate', (event) => event.waitUntil(begin()))

async function begin(): Promise<void> {
  for (const name of await caches.keys()) if (!(name in limits)) await caches.delete(name)
  await scope.clients.claim()
  // The page that registered this worker did not come through it. Its pictures are in the browser's own cache.
  for (const { url } of await scope.clients.matchAll()) {
    const paths = (await fetchShared(new URL(url))).match(/\/(art|plates|pictures)\/[\w/-]+\.\w+/g)
    await Promise.all([...new Set(paths)].map(copyPicture))
  }
}

scope.addEventListener('fetch', (event) => {
  const { method, url, mode, destination, headers } = event.request
  const address = new URL(url)
  const { origin, pathname } = address
  if (method !== 'GET' || origin !== location.origin || headers.has('range')) return
  if (mode === 'navigate' && isReadable(pathname)) event.respondWith(servePage(event, address))
  else if (destination === 'image') event.respondWith(servePicture(event, pathname))
})

async function servePage(event: Fetching, url: URL): Promise<Response> {
  const copy = await find(pages, keyOf(url))
  const fresh = fetchPage(event, url, copy)
  event.waitUntil(fresh.catch(() => undefined))
  const late = new Promise<null>((resolve) => setTimeout(resolve, copy ? patience : longPatience, null))
  try {
    return (await Promise.race([fresh, late])) ?? (await (copy ? asOf(copy, 'The connection is slow.') : offlinePage()))
  } catch {
    if (!copy) return offlinePage()
    return asOf(copy, 'The shop cannot be reached. You cannot log in, order or write to us right now.')
  }
}

/** Rejects also if the connection breaks within the page. */
async function fetchPage(event: Fetching, url: URL, copy: Response | undefined): Promise<Response> {
  const response = await fetch(event.request)
  const { status } = response
  if (status >= 500 && copy) throw new Error()
  if (status === 404 || status === 410) await (await caches.open(pages)).delete(keyOf(url))
  const text = await response.clone().text()
  if (isShared(response)) event.waitUntil(storePage(url, response, text))
  // A signed-in visitor gets a page of their own: what may be kept is the one for everybody.
  else if (response.ok && ageOf(copy) > day) event.waitUntil(fetchShared(url))
  return response
}

/** As anybody gets it: without cookies. */
async function fetchShared(url: URL): Promise<string> {
  if (!isReadable(url.pathname)) return ''
  const response = await fetch(url, { credentials: 'omit', headers: { accept: 'text/html' } })
  const text = await response.text()
  if (isShared(response)) await storePage(url, response, text)
  return text
}

/** Without a request. */
async function copyPicture(path: string): Promise<void> {
  const url = location.origin + path
  try {
    const response = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' })
    if (isShared(response, 'image/')) await storePicture(url, response)
  } catch {
    // It was not shown.
  }
}

/** Of the page, without the shop's name. */
function titleOf(html: string): string {
  const [, whole = ''] = /<title>(.*?)<\/title>/.exec(html) ?? []
  const end = ending(html)
  return end && whole.endsWith(end) ? whole.slice(0, -end.length) : whole
}

/** Of titles: the page says who the shop is. */
function ending(html: string): string {
  const [, shop] = /<meta property="og:site_name" content="([^"]*)"/.exec(html) ?? []
  return shop ? ` · ${shop}` : ''
}

function storePage(url: URL, { headers }: Response, text: string): Promise<void> {
  const own = new Headers({ [title]: encodeURIComponent(titleOf(text)) })
  for (const name of ['content-type', 'content-security-policy']) own.set(name, headers.get(name) ?? '')
  return store(pages, keyOf(url), new Blob([text]), own)
}

async function servePicture(event: Fetching, path: string): Promise<Response> {
  const { request } = event
  const copy = await find(pictures, request.url)
  // The name has the hash of the picture.
  if (copy && path.startsWith('/pictures/')) return copy
  try {
    const response = await fetch(request)
    if (isShared(response, 'image/')) event.waitUntil(storePicture(request.url, response.clone()))
    return response
  } catch {
    return copy ?? Response.error()
  }
}

async function storePicture(key: string, response: Response): Promise<void> {
  await store(pictures, key, await response.blob(), new Headers(response.headers))
}

function isShared({ status, type, headers }: Response, contentType = 'text/html'): boolean {
  const has = (name: string, start: string) => headers.get(name)?.startsWith(start)
  return Boolean(
    status === 200 && type === 'basic' && has('cache-control', 'public') && has('content-type', contentType),
  )
}

/** The newest stands last, the oldest goes first. */
async function store(name: keyof typeof limits, key: string, body: Blob, headers: Headers): Promise<void> {
  if (body.size > maxBytes) return
  headers.set(copiedAt, String(Date.now()))
  const cache = await caches.open(name)
  // `put` replaces the older copy at once: a visit meanwhile always finds one.
  await cache.put(key, new Response(body, { headers }))
  for (const old of (await cache.keys()).slice(0, -limits[name])) await cache.delete(old)
}

async function find(name: string, key: string): Promise<Response | undefined> {
  return (await caches.open(name)).match(key, { ignoreVary: true })
}

function keyOf({ origin, pathname, search }: URL): string {
  return origin + pathname + search
}

function ageOf(copy: Response | undefined): number {
  return Date.now() - timeOf(copy)
}

function timeOf(copy: Response | undefined): number {
  return Number(copy?.headers.get(copiedAt) ?? 0)
}

function wordsOf(copy: Response): string {
  return new Date(timeOf(copy)).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' })
}

async function asOf(copy: Response, reason: string): Promise<Response> {
  const notice = `<p class="notice" role="status">${reason} This is a copy, as of ${wordsOf(copy)}. <a href="">Try again</a></p>`
  const text = (await copy.text()).replace('<title>', '$&Copy: ').replace('<main id="main">', `$&${notice}`)
  return new Response(text, { headers: copy.headers })
}

/** In the frame of a page that was seen, with its header and styles. */
async function offlinePage(): Promise<Response> {
  const cache = await caches.open(pages)
  const list: string[] = []
  let frame: Response | undefined
  for (const { url } of await cache.keys()) {
    const copy = await find(pages, url)
    if (!copy) continue
    const link = `<a href="${url.replace(/&/g, '&amp;')}">${decodeURIComponent(copy.headers.get(title) ?? '')}</a>`
    list.unshift(`<li>${link} <span class="hint">as of ${wordsOf(copy)}</span></li>`)
    if (!url.endsWith('.html')) frame = copy
  }
  const name = 'You are offline'
  const read = `<section class="section"><h2>You can read</h2><ul class="section">${list.join('')}</ul></section>`
  const main =
    `<main id="main"><h1>${name}</h1><p>The shop cannot be reached right now, and this page was not opened here before. ` +
    `<a href="">Try again</a></p>${list.length > 0 ? read : ''}</main>`
  const html = frame ? await frame.text() : `<!DOCTYPE html><html lang="en"><title></title><main></main></html>`
  return new Response(
    html
      .replace(/<title>.*?<\/title>/, () => `<title>${name}${ending(html)}</title>`)
      .replace(/<main.*<\/main>/s, () => main)
      .replace(' aria-current="page"', ''),
    { status: 503, headers: frame?.headers ?? { 'content-type': 'text/html; charset=utf-8' } },
  )
}
