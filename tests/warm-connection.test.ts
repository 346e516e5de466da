import { createClient } from '@libsql/client/web'
import { vi } from 'vitest'
import { expect, test } from './support/shop'

test('runs one request after the other on one connection, and each as if it had its own', async ({ shop }) => {
  const client = createClient(shop.database)
  const changes = async () => (await client.execute('SELECT total_changes() AS count')).rows[0]!.count
  await client.execute('UPDATE health SET cron_lease_until = 0')
  expect(await changes()).toBeGreaterThan(0)
  // The server rolls back what a request leaves open.
  await client.execute('BEGIN IMMEDIATE')
  expect(await changes()).toBe(0)
  await expect(client.execute('COMMIT')).rejects.toThrow('no transaction')
  expect(
    (await Promise.all([1, 2, 3].map((n) => client.execute(`SELECT ${n} AS n`)))).map(({ rows }) => rows[0]!.n),
  ).toEqual([1, 2, 3])
})

test('gives the connection to a transaction until that ends', async ({ shop }) => {
  const client = createClient(shop.database)
  const transaction = await client.transaction('write')
  await transaction.execute('SELECT 1')
  const order: string[] = []
  const other = client.execute('SELECT 1').then(() => order.push('other'))
  await transaction.execute('SELECT 1')
  order.push('transaction')
  await transaction.commit()
  await other
  expect(order).toEqual(['transaction', 'other'])
})

test('refuses connections while the server is stopped', async ({ shop }) => {
  shop.skipInvariants('the database is stopped')
  const client = createClient(shop.database)
  await client.execute('SELECT 1')
  await shop.stopDatabase()
  await expect(client.execute('SELECT 1')).rejects.toThrow('fetch failed')
  await shop.restartDatabase()
  await vi.waitFor(() => client.execute('SELECT 1'))
})
