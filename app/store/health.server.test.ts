import { expect } from 'vitest'
import { test } from '../../tests/support/store'
import { openDatabase } from '../db/open.server'
import { isHealthy } from './health.server'

test('reports a reachable database as healthy, and an unreachable one as unhealthy', async ({ shop }) => {
  expect(await isHealthy(shop.deps)).toBe(true)
  expect(await isHealthy({ ...shop.deps, db: openDatabase({ url: 'http://127.0.0.1:9' }) })).toBe(false)
})
