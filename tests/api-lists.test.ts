import { expect } from 'vitest'
import { sql } from 'drizzle-orm'
import { test } from './shop'

const program = { headers: { accept: 'application/json' } }

test('a list that is longer than what is read at a time is whole, in order, and without doubles', async ({ shop }) => {
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
  const head = await visitor.fetch('/instruments', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

async function ids(response: Response): Promise<string[]> {
  const items = await response.json<{ _id: string }[]>()
  return items.map(({ _id }) => _id)
}
