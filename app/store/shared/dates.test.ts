import { expect, test } from 'vitest'
import { inLanguage } from '../../i18n/language.server'
import {
  dayText,
  formatDay,
  formatDuration,
  formatEnd,
  formatTime,
  monthName,
  monthOf,
  monthStart,
  monthText,
  readDay,
  readMonth,
  readPeriod,
  startOfDay,
} from './dates'

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

test('writes days and times in German with the whole name of the month', () => {
  const at = Date.UTC(2026, 8, 4, 8, 5)
  expect(inLanguage('de', () => [formatDay(at), formatTime(at)])).toEqual([
    ...['4. September 2026', '4. September 2026, 08:05 UTC'],
  ])
  expect(inLanguage('de', () => [60, 61, 1].map((minutes) => formatDuration(minutes * 60_000)))).toEqual([
    ...['1 Stunde', '61 Minuten', '1 Minute'],
  ])
})

const midnight = Date.UTC(2026, 10, 25)

test('an end at midnight is of the day before, and a day begins at midnight (UTC)', () => {
  expect([formatEnd(midnight), formatEnd(midnight + 60_000)]).toEqual([
    '24 Nov 2026, 23:59 UTC',
    '25 Nov 2026, 00:00 UTC',
  ])
  expect([startOfDay(midnight - 1), startOfDay(midnight)]).toEqual([midnight - 86_400_000, midnight])
  expect([dayText(midnight - 1), dayText(midnight), dayText(null)]).toEqual(['2026-11-24', '2026-11-25', ''])
})

test.each([
  ['2026-11', 2026 * 12 + 10],
  ['1970-01', 1970 * 12],
  ['9999-12', 9999 * 12 + 11],
  ['1969-12', undefined],
  ['2026-00', undefined],
  ['2026-13', undefined],
  ['2026-1', undefined],
  ['2026-110', undefined],
  ['x2026-11', undefined],
  ['', undefined],
])('reads the month %j as %j', (text, month) => {
  expect(readMonth(text)).toBe(month)
  if (month !== undefined) expect(monthText(month)).toBe(text)
})

test('a month begins at midnight (UTC) of its first day', () => {
  const november = readMonth('2026-11')!
  const starts = [november, november + 1, november + 2].map(monthStart)
  expect(starts).toEqual([Date.UTC(2026, 10), Date.UTC(2026, 11), Date.UTC(2027, 0)])
  expect([monthOf(starts[1]! - 1), monthOf(starts[1]!)]).toEqual([november, november + 1])
  expect([monthText(12 * 999), monthName('2026-11'), monthName('2027-01')]).toEqual([
    ...['0999-01', 'November 2026', 'January 2027'],
  ])
})
