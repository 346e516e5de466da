import { expect, test } from 'vitest'
import { runPlanted } from '../mutation/stress/planted'
import { withoutLogs } from './without-logs'

test('catches planted bugs and finds nothing without one', { timeout: 300_000 }, async () => {
  const { figures, wrong } = await withoutLogs(runPlanted)
  console.warn(`planted ${figures.planted}, caught ${figures.caught}`)
  expect(wrong).toEqual([])
})
