import { expect } from 'vitest'
import { test } from '../../tests/support/store'
import { openDatabase } from '../db/open.server'
import { isHealthy } from './health.server'

test('a database that answers is healthy, one that is away is not', async ({ shop }) => {
  expect(await isHealthy(shop.deps)).toBe(true)
  expect(await isHealthy({ ...shop.deps, db: openDatabase({ url: 'http://127.0.0.1:9' }) })).toBe(false)
})
