import { expect, test } from 'vitest'
import { formatDay, formatDuration, formatTime } from './dates'

test.each([
  [Date.UTC(2026, 10, 24, 18, 5), 'November 24, 2026 at 18:05 UTC', 'Nov 24, 2026'],
  [Date.UTC(2026, 0, 1, 0, 0), 'January 1, 2026 at 00:00 UTC', 'Jan 1, 2026'],
  [Date.UTC(2026, 11, 31, 23, 59), 'December 31, 2026 at 23:59 UTC', 'Dec 31, 2026'],
])('formats %d in UTC as %s', (at, time, day) => {
  expect([formatTime(at), formatDay(at)]).toEqual([time, day])
})

test.each([
  [72 * 60, '72 hours'],
  [60, '1 hour'],
  [90, '90 minutes'],
  [34.2, '34 minutes'],
  [1, '1 minute'],
  [0.5, '0 minutes'],
])('formats %d minutes as %s', (minutes, text) => {
  expect(formatDuration(minutes * 60_000)).toBe(text)
})
