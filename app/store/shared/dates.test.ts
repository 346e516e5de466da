import { expect, test } from 'vitest'
import { formatDay, formatDuration, formatTime, readDay, readPeriod } from './dates'

test.each([
  [Date.UTC(2026, 10, 24, 18, 5), '24 Nov 2026, 18:05 UTC', '24 Nov 2026'],
  [Date.UTC(2026, 0, 1, 0, 0), '1 Jan 2026, 00:00 UTC', '1 Jan 2026'],
  [Date.UTC(2026, 11, 31, 23, 59), '31 Dec 2026, 23:59 UTC', '31 Dec 2026'],
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

test.each([
  ['2026-11-24', Date.UTC(2026, 10, 24)],
  ['2028-02-29', Date.UTC(2028, 1, 29)],
  ['2027-02-29', undefined],
  ['2027-02-30', undefined],
  ['2026-04-31', undefined],
  ['2026-13-01', undefined],
  ['2026-00-10', undefined],
  ['2026-01-00', undefined],
  ['2026-11-24T00:00', undefined],
  ['24.11.2026', undefined],
  ['', undefined],
])('reads the day %j as %j', (text, at) => {
  expect(readDay(text)).toBe(at)
})

test('reads a period to the end of its last day, and none with a wrong day', () => {
  const [from, until] = [Date.UTC(2026, 10, 24), Date.UTC(2026, 10, 26)]
  expect(readPeriod('2026-11-24', '2026-11-25')).toEqual({ from, until })
  expect([readPeriod('', '2026-11-25'), readPeriod('2026-11-24', ''), readPeriod('', '')]).toEqual([
    { until },
    { from },
    {},
  ])
  expect([readPeriod('2026-13-01', ''), readPeriod('2026-11-24', '2026-11-31')]).toEqual([null, null])
})
