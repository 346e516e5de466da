import { createClient } from '@libsql/client/web'
import { vi } from 'vitest'
import { KeptConnection } from '../dev/kept-connection'
import { freePort } from '../dev/ports'
import { cpuMsOfTree } from '../dev/cpu'
import { expect, test, type Shop } from './support/shop'

const open = ({ database }: Shop) => createClient(database)

/** Grows with each change on a connection; 0 on a new one. */
const changesOf = async (shop: Shop) =>
  Number((await open(shop).execute('SELECT total_changes() AS count')).rows[0]!.count)

const write = (shop: Shop) => open(shop).execute('UPDATE health SET cron_lease_until = 0')

test('does one request after the other on one connection', async ({ shop }) => {
  await write(shop)
  const before = await changesOf(shop)
  expect(before).toBeGreaterThan(0)
  await Promise.all(Array.from({ length: 5 }, () => write(shop)))
  expect(await changesOf(shop)).toBe(before + 5)
})

test('keeps the connection after batches of the same ids of texts, and after one that fails', async ({ shop }) => {
  await write(shop)
  const batch = (...texts: string[]) => open(shop).batch(texts, 'write')
  for (const n of [1, 2, 3]) {
    const results = await batch(`SELECT ${n} AS n`, `SELECT ${n + 1} AS n`, `SELECT ${n} AS n`)
    expect(results.map(({ rows }) => rows[0]!.n)).toEqual([n, n + 1, n])
  }
  await expect(batch('UPDATE health SET cron_lease_until = 0', 'SELECT no_such_column')).rejects.toThrow(
    'no such column',
  )
  await expect(open(shop).execute('SELEC 1')).rejects.toThrow('syntax error')
  const [store] = await batch('SELECT \'{"type":"store_sql","sql_id":0},"close_sql"\' AS text, \'é – 🎻\' AS more')
  expect({ ...store!.rows[0] }).toEqual({ text: '{"type":"store_sql","sql_id":0},"close_sql"', more: 'é – 🎻' })
  expect(await changesOf(shop)).toBeGreaterThan(0)
})

test('gives what a request leaves open to nobody', async ({ shop }) => {
  await write(shop)
  await open(shop).execute('BEGIN IMMEDIATE')
  expect(await changesOf(shop)).toBe(0)
  await expect(open(shop).execute('COMMIT')).rejects.toThrow('no transaction')
  await write(shop)
  await open(shop).execute('PRAGMA foreign_keys = OFF')
  expect((await open(shop).execute('PRAGMA foreign_keys')).rows[0]).toMatchObject({ foreign_keys: 1 })
})

test('lets others wait while a transaction goes on', async ({ shop }) => {
  await write(shop)
  const transaction = await open(shop).transaction('write')
  await transaction.execute('SELECT 1')
  const order: string[] = []
  const other = open(shop)
    .execute('SELECT 1')
    .then(() => order.push('other'))
  await transaction.execute('SELECT 1')
  order.push('transaction')
  await transaction.commit()
  await other
  expect(order).toEqual(['transaction', 'other'])
})

test('asks the server for the token of each request', async ({ shop }) => {
  const { url } = shop.database
  for (const authToken of [undefined, 'eyJhbGciOiJFZERTQSJ9.e30.AAAA']) {
    await write(shop)
    await expect(createClient({ url, authToken }).execute('DELETE FROM health')).rejects.toThrow('HTTP status 401')
    expect((await fetch(`${url}/dump`)).status).toBe(401)
  }
  await write(shop)
  await expect(createClient({ url }).execute('SELECT 1')).rejects.toThrow('HTTP status 401')
  expect(await changesOf(shop)).toBeGreaterThan(0)
})

test('serves a dump and the health of the server beside the connection', async ({ shop }) => {
  const { url, authToken } = shop.database
  await write(shop)
  const ask = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${authToken}` } })
  const [dump, health] = await Promise.all([ask('/dump'), ask('/health')])
  expect(await dump.text()).toContain('CREATE TABLE')
  expect(health.status).toBe(200)
})

/** Sent as libSQL's client does; its client cannot be aborted. */
function send({ database: { url, authToken } }: Shop, sql: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] }),
    ...(signal && { signal }),
  })
}

const slow = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT max(i) FROM n'

test('skips who has gone while waiting, and goes on when somebody goes whose request runs', async ({ shop }) => {
  await write(shop)
  const before = await changesOf(shop)
  const [running, waiting] = [new AbortController(), new AbortController()]
  const cpuMs = cpuMsOfTree(shop.database.pid)
  const first = send(shop, slow, running.signal)
  await vi.waitUntil(() => cpuMsOfTree(shop.database.pid) > cpuMs)
  const second = send(shop, 'UPDATE health SET cron_lease_until = 0', waiting.signal)
  const third = changesOf(shop)
  // Both wait before one goes: the test proves nothing if the request has never come.
  await new Promise((resolve) => setTimeout(resolve, 50))
  waiting.abort()
  running.abort()
  await expect(first).rejects.toThrow('aborted')
  await expect(second).rejects.toThrow('aborted')
  expect(await third).toBe(before)
})

test('fails what waits when the server is killed, and nothing after it has been started again', async ({ shop }) => {
  // Another connection to the same server keeps its baton over the restart.
  const port = await freePort()
  const { url, authToken } = shop.database
  const other = await KeptConnection.open({ host: '127.0.0.1', port, serverPort: Number(new URL(url).port), authToken })
  const client = createClient({ url: `http://127.0.0.1:${port}`, authToken })
  await client.execute('SELECT 1')
  await client.execute('SELECT 1')
  const failures = [slow, 'SELECT 1', 'SELECT 2'].map((sql) => send(shop, sql).then(({ status }) => status))
  process.kill(shop.database.pid, 'SIGKILL')
  expect(await Promise.all(failures)).toEqual([502, 502, 502])
  await shop.database.stop()
  await shop.restartDatabase()
  await client.execute('SELECT 1')
  // Gives its connection back.
  await client.execute('PRAGMA foreign_keys')
  expect(await changesOf(shop)).toBe(0)
  await other.close()
})

test('refuses connections while the server is stopped', async ({ shop }) => {
  shop.skipInvariants('the database is stopped')
  const client = open(shop)
  await client.execute('SELECT 1')
  await shop.stopDatabase()
  await expect(client.execute('SELECT 1')).rejects.toThrow('fetch failed')
  await shop.restartDatabase()
  await vi.waitFor(() => client.execute('SELECT 1'))
})
