import { sql } from 'drizzle-orm'
import { expect, test } from '../support/shop'

const program = { headers: { accept: 'application/json' } }

test('returns a list longer than one batch complete, in order and without duplicates', async ({ shop }) => {
  const many = 2345
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at)
    SELECT 'i' || i, 'Flute ' || i, '/plates/flute-c.svg', 10000, 1, 1000 + i / 7 FROM n`)
  const visitor = shop.visitor()
  const response = await visitor.fetch('/instruments', program)
  expect(response.headers.get('etag')).toBeNull()
  const all = await ids(response)
  expect(all).toHaveLength(many)
  expect(new Set(all).size).toBe(many)

  const paged: string[] = []
  for (let next: string | undefined = '/instruments?limit=999'; next;) {
    const page = await visitor.fetch(next, program)
    next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    paged.push(...(await ids(page)))
  }
  expect(paged).toEqual(all)
  expect(await ids(await visitor.fetch('/instruments?after=i2340', program))).toEqual(
    all.slice(all.indexOf('i2340') + 1),
  )
  for (const wrong of ['max=1e3', 'max=0x10', 'max=', 'max=-1', 'max=1.005', 'limit=1e1'])
    expect((await visitor.fetch(`/instruments?${wrong}`, program)).status).toBe(422)
  const head = await visitor.fetch('/instruments', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('finds the next page of reviews at the link in the response', async ({ shop }) => {
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
    INSERT INTO reviews (id, name, img, description, created_at) SELECT 'r' || i, 'Ada', '/x', 'Fine.', i FROM n`)
  const visitor = shop.visitor()
  const all: string[] = []
  for (let next: string | undefined = '/reviews?limit=2'; next;) {
    const page = await visitor.fetch(next, program)
    next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    all.push(...(await ids(page)))
  }
  expect(all).toEqual(['r5', 'r4', 'r3', 'r2', 'r1'])
})

test('answers API clients in JSON for any spelling of a path, and hides the internal path', async ({ shop }) => {
  const id = await shop.sells()
  const visitor = shop.visitor()
  for (const path of ['/reviews/', '/Reviews', `/instruments/${id}/`, `/Instruments/${id}`]) {
    const response = await visitor.fetch(path, program)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'application/json; charset=utf-8',
    ])
  }
  const page = await visitor.fetch(`/instruments/${id}`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([page.headers.get('location'), page.headers.get('vary')]).toEqual([
    `/login?redirectTo=${encodeURIComponent(`/instruments/${id}`)}`,
    'Accept',
  ])
  for (const path of [`/__api/instruments/${id}`, `/__API/instruments/${id}`, `/%5F_api/reviews`]) {
    expect([path, (await visitor.fetch(path, program)).status]).toEqual([path, 404])
  }
})

async function ids(response: Response): Promise<string[]> {
  const items = await response.json<{ _id: string }[]>()
  return items.map(({ _id }) => _id)
}
