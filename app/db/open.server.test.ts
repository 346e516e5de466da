import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../tests/support/shop'
import { openDatabase } from './open.server'

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
