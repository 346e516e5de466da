import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../tests/support/shop'
import { FaultProxy } from '../../dev/fault-proxy'
import { alongside, openDatabase } from './open.server'

test('retries a database that returns 429, without reporting an outage', async ({ shop }) => {
  let refusals = 3
  const crowded = createServer((request, response) => {
    if (refusals-- > 0) {
      response.writeHead(429).end()
      return
    }
    void (async () => {
      const body = Buffer.concat((await request.toArray()) as Buffer[])
      const { method = 'GET', url = '/' } = request
      const headers = { authorization: request.headers.authorization ?? '' }
      const upstream = await fetch(shop.database.url + url, { method, headers, ...(method === 'GET' ? {} : { body }) })
      const type = upstream.headers.get('content-type') ?? ''
      response.writeHead(upstream.status, { 'content-type': type }).end(Buffer.from(await upstream.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => crowded.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    crowded.close()
    crowded.closeAllConnections()
  })
  let outages = 0
  const url = `http://127.0.0.1:${(crowded.address() as AddressInfo).port}`
  const db = openDatabase({ ...shop.database, url, onOutage: () => outages++ })
  expect(await db.all(sql`SELECT 7 AS seven`)).toEqual([{ seven: 7 }])
  expect(refusals).toBeLessThan(0)
  expect(outages).toBe(0)
})

test('reports an outage when the database lacks a column or a table that this code knows', async ({ shop }) => {
  let outages = 0
  const db = openDatabase({ ...shop.database, onOutage: () => outages++ })
  await expect(db.all(sql`SELECT to_come FROM instruments`)).rejects.toThrow()
  await expect(db.batch([db.run(sql`UPDATE to_come SET x = 1`)])).rejects.toThrow()
  await expect(db.run(sql`INSERT INTO instruments (to_come) VALUES (1)`)).rejects.toThrow()
  expect(outages).toBe(3)
  await expect(db.all(sql`SELECT 1 FROM`)).rejects.toThrow()
  expect(outages).toBe(3)
})

test('reads what every page needs in the round trip of another read, alone without one, and in spite of its failure', async ({
  shop,
}) => {
  const proxy = new FaultProxy()
  const url = await proxy.open('database', () => shop.database.url)
  onTestFinished(() => proxy.close())
  const db = openDatabase({ ...shop.database, url })
  const common = async () => (await alongside(db, 'SELECT 7 AS seven')).rows[0]!.seven
  const one = () => db.all(sql`SELECT 1 AS one`)
  const counting = async <T>(act: () => Promise<T>) => {
    const before = proxy.requests.length
    const result = await act()
    return [result, proxy.requests.length - before]
  }
  expect(await counting(common)).toEqual([7, 1])
  expect(await counting(() => Promise.all([common(), one()]))).toEqual([[7, [{ one: 1 }]], 1])
  expect(
    await counting(() =>
      Promise.all([common(), db.batch([db.all(sql`SELECT 1 AS one`), db.all(sql`SELECT 1 AS one`)])]),
    ),
  ).toEqual([[7, [[{ one: 1 }], [{ one: 1 }]]], 1])
  const wrong = Promise.all([common(), db.all(sql`SELECT nothing`).catch(() => 'wrong')])
  expect(await wrong).toEqual([7, 'wrong'])
  const missing = Promise.all([alongside(db, 'SELECT * FROM to_come').catch(() => 'missing'), one()])
  expect(await missing).toEqual(['missing', [{ one: 1 }]])
})
