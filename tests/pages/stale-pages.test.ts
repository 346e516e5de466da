import { expect, vi } from 'vitest'
import { test, type Shop } from '../support/shop'

const pages = ['/', '/home', '/allInstruments', '/reviews', '/catalog/concert-violin', '/login']
const lists = ['/instruments', '/feed.xml', '/merchant.xml', '/sitemap.xml', '/robots.txt']

test('serves dated copies of public pages and lists while the database is away, then fresh ones', async ({ shop }) => {
  const violin = await shop.sells()
  const ada = await shop.customer()
  await shop.configure({ EDGE_CACHE_SECONDS: '15' })
  const visitor = shop.visitor()
  const customer = await shop.signedIn(ada)
  const read = (path: string, headers: Record<string, string> = {}) =>
    visitor.fetch(path, { headers: { accept: lists.includes(path) ? '*/*' : 'text/html', ...headers } })
  const etags = new Map<string, string>()
  for (const path of [...pages, ...lists]) etags.set(path, (await read(path)).headers.get('etag')!)
  await makeStale(shop, violin)

  const logStart = shop.log.length
  await shop.stopDatabase()
  for (const path of [...pages, ...lists]) {
    // A browser that has the page asks with its tag, and must not take this copy for the same.
    const response = await read(path, { 'if-none-match': etags.get(path)! })
    const { headers } = response
    expect([path, response.status, headers.get('cache-control'), headers.has('etag')]).toEqual([
      path,
      200,
      'no-store',
      false,
    ])
    expect([path, headers.get('warning')]).toEqual([path, '110 - "Response is Stale"'])
    const text = await response.text()
    const notice = /<p class="notice" role="status">The shop cannot be reached completely. As of \d\d:\d\d UTC\./
    if (pages.includes(path)) expect(text).toMatch(notice)
    else expect(text).not.toContain('notice')
  }
  const failures = () => shop.log.slice(logStart).filter((line) => line.includes('"event":"request failed"'))
  await vi.waitUntil(() => failures().length > 0)
  // One look at the database in five seconds, and not one for each visit.
  expect(failures().length).toBeLessThan(5)
  expect(failures()[0]).toContain('"code":"database-away"')
  // What is somebody's own, or is in no copy, is not there.
  const own = await customer.get('/home')
  expect([own.status, own.headers.get('retry-after')]).toEqual([503, '10'])
  expect(own.text).toContain('Something went wrong')
  expect((await read('/allInstruments?page=1')).status).toBe(503)

  await shop.restartDatabase()
  await vi.waitUntil(async () => !(await read('/allInstruments')).headers.has('warning'), {
    timeout: 20_000,
    interval: 300,
  })
  const fresh = await read('/allInstruments', { 'if-none-match': etags.get('/allInstruments')! })
  expect([fresh.status, fresh.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  expect(await fresh.text()).toContain('Renamed Violin')
})

test('lets one visitor wait for a database that hangs, and serves the next ones from copies', async ({ shop }) => {
  const violin = await shop.sells()
  await shop.configure({ EDGE_CACHE_SECONDS: '15' })
  const visitor = shop.visitor()
  await visitor.get('/home')
  await makeStale(shop, violin)
  process.kill(shop.database.pid, 'SIGSTOP')
  try {
    expect((await visitor.get('/home')).text).toContain('As of ')
    const startedAt = Date.now()
    for (let visits = 0; visits < 5; visits++) expect((await visitor.get('/home')).text).toContain('As of ')
    expect(Date.now() - startedAt).toBeLessThan(4_000)
  } finally {
    process.kill(shop.database.pid, 'SIGCONT')
  }
})

/** After a change through the Worker its copies are not good enough while the database is there. */
async function makeStale(shop: Shop, violin: string): Promise<void> {
  const admin = await shop.signedIn(await shop.admin())
  const form = await admin.get(`/dashboard/manageProduct/${violin}`)
  expect((await admin.press(form, 'Save', { name: 'Renamed Violin' })).text).toContain('Product updated.')
}
