import { expect, test } from 'vitest'
import { visitOf, VisitCounter } from './visits.server'

const shop = 'https://shop.example'

test.each([
  ['/catalog/violin', { slug: 'violin' }],
  ['/catalog/violin/', { slug: 'violin' }],
  ['/catalog/violin?utm_source=x&code=SPRING', { slug: 'violin' }],
  ['/Catalog/violin', { slug: 'violin' }],
  ['/de/catalog/violin', { slug: 'violin' }],
  ['/catalog/viol%69n', { slug: 'violin' }],
  ['/catalog/viol%', { slug: 'viol%' }],
  ['/catalog/violin.data', null],
  ['/catalog/', null],
  ['/catalog/violin/more', null],
  ['/catalog.html', null],
  ['/de/de/catalog/violin', null],
  ['/home?next=/catalog/violin', null],
  ['/instruments/violin', null],
  ['/allInstruments?q=violin', 'search'],
  ['/allinstruments/?family=brass&q=horn&page=1', 'search'],
  ['/de/allInstruments?q=Geige', 'search'],
  ['/allInstruments?q=violin&page=2', null],
  ['/allInstruments?q=+', null],
  ['/allInstruments?family=brass', null],
  ['/allInstruments', null],
  ['/instruments?q=violin', null],
])('counts %s as %j', (path, visit) => {
  expect(visitOf(new Request(shop + path))).toEqual(visit)
})

test.each([
  [{}, true],
  [{ 'sec-fetch-mode': 'navigate', 'user-agent': 'Mozilla/5.0 (Linux; Android 14; CUBOT NOTE)' }, true],
  [{ 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }, false],
  [{ 'user-agent': 'facebookexternalhit/1.1' }, false],
  [{ 'sec-purpose': 'prefetch' }, false],
  [{ 'sec-purpose': 'prefetch;prerender' }, false],
  [{ purpose: 'prefetch' }, false],
  // A page that a visitor opens through the service worker, and one that it copies by itself.
  [{ 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate' }, true],
  [{ 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, false],
])('of a request with %j: counts it is %j', (headers, isCounted) => {
  for (const path of ['/catalog/violin', '/allInstruments?q=violin'])
    expect(visitOf(new Request(shop + path, { headers })) !== null).toBe(isCounted)
})

test('does not count HEAD', () => {
  expect(visitOf(new Request(`${shop}/catalog/violin`, { method: 'HEAD' }))).toBeNull()
})

const [today, midnight] = [Date.UTC(2026, 10, 25, 23, 59, 59), Date.UTC(2026, 10, 26)]

test('gathers what was counted for one write, by day, and hands out nothing twice', () => {
  const counter = new VisitCounter()
  let writes = 0
  const count = (visit: Parameters<VisitCounter['count']>[0], now: number) => counter.count(visit, now, () => writes++)
  for (const slug of ['violin', 'oboe', 'violin']) count({ slug }, today)
  count('search', today)
  count({ slug: 'violin' }, midnight)
  expect(writes).toBe(1)
  expect(counter.take()).toEqual(
    [
      {
        ...{ day: today / 86_400_000, views: 3, searches: 1 },
        viewsOf: new Map([
          ['violin', 2],
          ['oboe', 1],
        ]),
      },
      { day: midnight / 86_400_000, views: 1, searches: 0, viewsOf: new Map([['violin', 1]]) },
    ].map((visits) => ({ ...visits, day: Math.floor(visits.day) })),
  )
  expect(counter.take()).toEqual([])
  count('search', midnight)
  expect(writes).toBe(2)
})

test('asks again for a write when the first one never came', () => {
  const counter = new VisitCounter()
  const asked: number[] = []
  for (const seconds of [0, 1, 29, 30, 31, 59, 60])
    counter.count('search', midnight + seconds * 1000, () => asked.push(seconds))
  expect(asked).toEqual([0, 30, 60])
})

test('holds at most a thousand instruments of a day, and the sum of all', () => {
  const counter = new VisitCounter()
  for (let i = 0; i < 1500; i++) counter.count({ slug: `i${i}` }, midnight, () => undefined)
  counter.count({ slug: 'i1' }, midnight, () => undefined)
  const [{ views, viewsOf }] = counter.take() as [ReturnType<VisitCounter['take']>[number]]
  expect([views, viewsOf.size, viewsOf.get('i1')]).toEqual([1501, 1000, 2])
})
