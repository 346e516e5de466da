import { sql } from 'drizzle-orm'
import { dailyVisits, instrumentViews } from '../../app/db/schema'
import { parseCsv } from '../../app/http/csv/csv.server'
import { recordVisits } from '../../app/store/catalog/visits.server'
import { isWhole } from '../support/depth'
import { expect, test, type Shop } from '../support/shop'

/** Each test has a Worker of its own: that of all may still write the visits of another test. */
async function sums(shop: Shop) {
  const days = await shop.deps.db.select().from(dailyVisits)
  const views = await shop.deps.db.all<{ name: string; views: number }>(sql`
    SELECT name, sum(views) AS views FROM ${instrumentViews} JOIN instruments ON instruments.id = instrument_id GROUP BY name ORDER BY name`)
  const sum = (of: 'views' | 'searches') => days.reduce((sum, day) => sum + day[of], 0)
  return {
    views: sum('views'),
    searches: sum('searches'),
    of: Object.fromEntries(views.map((row) => [row.name, row.views])),
  }
}

test('counts each view and search once, wherever its response comes from, and nothing else', async ({ shop }) => {
  await shop.sells({ name: 'Violin', price: 100_00 })
  const oboe = await shop.sells({ name: 'Oboe' })
  await shop.configure({ EDGE_CACHE_SECONDS: '15', VISITS: 'on' })
  const visitor = shop.visitor()
  const signedIn = await shop.signedIn(await shop.customer())
  const expected = { views: 0, searches: 0, of: { Oboe: 0, Violin: 0 } }
  let status: number
  const view = async (
    of: 'Oboe' | 'Violin',
    path: string,
    init: { headers?: Record<string, string> } = {},
    by = visitor,
  ) => {
    ;({ status } = await by.fetch(path, { headers: { accept: 'text/html', ...init.headers } }))
    expected.views++
    expected.of[of]++
    return status
  }
  // Cold, and then from the cache.
  for (let i = 0; i < 20; i++) expect(await view('Violin', '/catalog/violin')).toBe(200)
  const etag = (await visitor.fetch('/catalog/violin', { method: 'HEAD' })).headers.get('etag')!
  for (let i = 0; i < 3; i++)
    expect(await view('Violin', '/catalog/violin', { headers: { 'if-none-match': etag } })).toBe(304)
  for (const path of ['/catalog/oboe?utm_source=leaflet', '/catalog/oboe/', '/CATALOG/oboe'])
    expect([path, await view('Oboe', path)]).toEqual([path, 200])
  for (let i = 0; i < 4; i++) expect(await view('Oboe', '/catalog/oboe', {}, signedIn)).toBe(200)
  expect(await view('Oboe', '/catalog/oboe', { headers: { accept: 'text/plain', 'user-agent': 'Lynx/2.9' } })).toBe(200)
  await Promise.all(Array.from({ length: 10 }, () => view('Oboe', '/catalog/oboe')))
  for (const path of [
    '/allInstruments?q=violin',
    '/allInstruments?q=kazoo&sort=name',
    '/allInstruments?q=oboe&page=1',
  ]) {
    expect((await visitor.fetch(path)).status).toBe(200)
    expected.searches++
  }
  // None of these counts.
  const uncounted: [path: string, init: { method?: string; headers?: Record<string, string> }, status: number][] = [
    ['/catalog/violin', { method: 'HEAD' }, 200],
    ['/catalog/violin', { headers: { 'sec-purpose': 'prefetch' } }, 200],
    ['/catalog/violin', { headers: { 'sec-purpose': 'prefetch;prerender' } }, 200],
    ['/catalog/violin', { headers: { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' } }, 200],
    ['/catalog/violin', { headers: { 'user-agent': 'Googlebot/2.1' } }, 200],
    ['/catalog/VIOLIN', {}, 301],
    ['/catalog/kazoo', {}, 404],
    ['/de/catalog/violin', {}, 404],
    ['/allInstruments', {}, 200],
    ['/allInstruments?q=violin&page=2', {}, 200],
    ['/instruments?q=violin', { headers: { accept: 'application/json' } }, 200],
    [`/instruments/${oboe}`, { headers: { accept: 'application/json' } }, 200],
    ['/', {}, 200],
  ]
  for (const [path, init, expectedStatus] of uncounted)
    expect([path, init, (await visitor.fetch(path, init)).status]).toEqual([path, init, expectedStatus])
  await expect.poll(() => sums(shop), { timeout: 20_000, interval: 200 }).toEqual(expected)
})

test.runIf(isWhole)(
  'gathers many views in few writes, and makes no rows for pages that do not exist',
  async ({ shop }) => {
    for (let i = 0; i < 5; i++) await shop.sells({ name: `Flute ${i}` })
    await shop.configure({ VISITS: 'on' })
    const visitor = shop.visitor()
    for (let i = 0; i < 60; i++) expect((await visitor.fetch(`/catalog/nothing-${i}`)).status).toBe(404)
    for (let i = 0; i < 60; i++)
      expect((await visitor.fetch(`/catalog/flute-${i % 5}?page=${i}&x=${'y'.repeat(i)}`)).status).toBe(200)
    await expect.poll(async () => (await sums(shop)).views, { timeout: 20_000, interval: 200 }).toBe(60)
    const rows = await shop.deps.db.select().from(instrumentViews)
    // Two days, where midnight was in between.
    expect(rows.length).toBeLessThanOrEqual(10)
    expect(rows.reduce((sum, { views }) => sum + views, 0)).toBe(60)
  },
)

test('serves a page although its view cannot be written, and goes on counting afterwards', async ({ shop }) => {
  await shop.sells({ name: 'Violin' })
  await shop.configure({ VISITS: 'on' })
  const visitor = shop.visitor()
  await shop.deps.db.run(
    sql`CREATE TRIGGER full BEFORE INSERT ON daily_visits BEGIN SELECT RAISE(ABORT, 'no visits'); END`,
  )
  expect((await visitor.get('/catalog/violin')).status).toBe(200)
  await expect.poll(() => shop.log.some((line) => line.includes('no visits')), { timeout: 20_000 }).toBe(true)
  await shop.deps.db.run(sql`DROP TRIGGER full`)
  expect((await visitor.get('/catalog/violin')).status).toBe(200)
  await expect.poll(async () => (await sums(shop)).views, { timeout: 20_000, interval: 200 }).toBe(1)
})

test('shows the visits of a month in the reports and in two files, and of 30 days on the pages of a product', async ({
  shop,
}) => {
  const violin = await shop.sells({ name: 'Violin' })
  await shop.sells({ name: '=Oboe' })
  const today = Math.floor(shop.deps.now() / 86_400_000)
  const month = new Date(shop.deps.now()).toISOString().slice(0, 7)
  await recordVisits(shop.deps, {
    ...{ day: today, views: 1234, searches: 56 },
    viewsOf: new Map([
      ['violin', 1200],
      ['oboe', 34],
    ]),
  })
  const admin = await shop.visitor().signIn(await shop.admin())
  const cells = ({ page }: { page: { querySelectorAll: (of: string) => { textContent: string }[] } }, of: string) =>
    page.querySelectorAll(`section[aria-labelledby=visits] ${of}`).map((cell) => cell.textContent.trim())
  const reports = await admin.get('/dashboard/reports')
  expect(cells(reports, 'dd')).toEqual(['1234', '56', '0'])
  expect(cells(reports, 'tbody td')).toEqual(['1200', '0', '0', '34', '0', '0', '1234', '56', '0'])
  const before = await admin.get('/dashboard/reports?month=2026-01')
  expect(cells(before, 'p')[0]).toBe('No visit was counted and no order was paid.')
  const csv = async (query: string) => {
    const response = await admin.fetch(`/dashboard/reports.csv?${query}`)
    return [...parseCsv((await response.text()).replace('\uFEFF', ''), ',')]
  }
  expect(await csv(`of=views&month=${month}`)).toEqual([
    ['Month', 'Product', 'Views', 'Paid orders', 'Pieces'],
    [month, 'Violin', '1200', '0', '0'],
    [month, "'=Oboe", '34', '0', '0'],
  ])
  expect(await csv('of=days')).toEqual([
    ['Day', 'Views', 'Searches', 'Paid orders'],
    [new Date(today * 86_400_000).toISOString().slice(0, 10), '1234', '56', '0'],
  ])
  expect((await admin.fetch('/dashboard/reports.csv?of=days&month=2026-13')).status).toBe(400)
  expect((await admin.get(`/dashboard/manageProduct/${violin}`)).text).toContain(
    'In the last 30 days: 1200 views, 0 paid orders of 0 pieces.',
  )
  expect(cells(await admin.get(`/dashboard/manageProduct/${violin}/history`), 'tbody td')).toEqual(['1200', '0', '0'])
})
