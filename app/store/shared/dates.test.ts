import { afterEach, expect, test } from 'vitest'
import { inLanguage } from '../../i18n/language.server'
import {
  dayNumber,
  dayStart,
  dayText,
  endOfDay,
  firstDayOf,
  formatDay,
  formatDayNumber,
  formatDuration,
  formatEnd,
  formatIn,
  formatTime,
  inFirstDay,
  inLastDay,
  isoTime,
  monthName,
  monthOf,
  monthText,
  readDay,
  readMonth,
  readPeriod,
  setTimeZone,
  startOfDay,
  timeZone,
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

test('a month begins with its first day', () => {
  const november = readMonth('2026-11')!
  const starts = [november, november + 1, november + 2].map((month) => dayStart(firstDayOf(month)))
  expect(starts).toEqual([Date.UTC(2026, 10), Date.UTC(2026, 11), Date.UTC(2027, 0)])
  expect([monthOf(starts[1]! - 1), monthOf(starts[1]!)]).toEqual([november, november + 1])
  expect([monthText(12 * 999), monthName('2026-11'), monthName('2027-01')]).toEqual([
    ...['0999-01', 'November 2026', 'January 2027'],
  ])
})

afterEach(() => setTimeZone('UTC'))

const instant = (text: string) => Date.parse(text)

test.for([
  // Summer and winter, half and quarter hours, and beyond +12.
  ['Europe/Berlin', '2026-11-27', '2026-11-26T23:00Z', 24],
  ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00Z', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00Z', 25],
  ['America/New_York', '2026-11-27', '2026-11-27T05:00Z', 24],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00Z', 23],
  ['Asia/Kolkata', '2026-11-27', '2026-11-26T18:30Z', 24],
  ['Asia/Kathmandu', '2026-11-27', '2026-11-26T18:15Z', 24],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00Z', 24.5],
  ['Pacific/Chatham', '2026-12-24', '2026-12-23T10:15Z', 24],
  ['Pacific/Kiritimati', '2026-11-27', '2026-11-26T10:00Z', 24],
  ['Etc/GMT+12', '2026-11-27', '2026-11-27T12:00Z', 24],
  // The clocks go forward at midnight: the day begins at one, and so does that on which they go back an hour after midnight.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z', 23],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00Z', 23],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00Z', 25],
  ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00Z', 25],
] as const)('in %s the day %s begins at %s and has %d hours', ([zone, text, start, hours]) => {
  setTimeZone(zone)
  const [from, until] = [instant(start), instant(start) + hours * 3_600_000]
  expect(new Date(readDay(text)!).toISOString()).toBe(new Date(from).toISOString())
  expect(readPeriod(text, text)).toEqual({ from, until })
  for (const at of [from, from + 1, until - 1]) {
    expect([startOfDay(at), endOfDay(at), dayText(at)]).toEqual([from, until, text])
    expect(formatDayNumber(dayNumber(at))).toBe(formatDayNumber(instant(text) / 86_400_000))
  }
  expect([dayText(from - 1) < text, dayText(until) > text]).toEqual([true, true])
})

test('in any zone and on any day, a day ends where the next one begins', () => {
  for (const zone of ['Europe/London', 'Africa/Cairo', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    setTimeZone(zone)
    for (let number = 15_300; number < 20_800; number += 1) {
      const start = dayStart(number)
      if (dayNumber(start) < number || dayNumber(start - 1) >= number) expect([zone, number]).toBe('a whole day')
    }
  }
})

test('Samoa had no 30 December 2011: the next day begins there', () => {
  setTimeZone('Pacific/Apia')
  expect([readDay('2011-12-30'), dayText(readDay('2011-12-30')!)]).toEqual([instant('2011-12-30T10:00Z'), '2011-12-31'])
})

test('months, times and days are those of the zone, and each time names it', () => {
  setTimeZone('Europe/Berlin')
  const newYear = instant('2026-12-31T23:00Z')
  expect([newYear - 1, newYear].map((at) => monthText(monthOf(at)))).toEqual(['2026-12', '2027-01'])
  expect([formatDay(newYear), formatTime(newYear), formatEnd(newYear)]).toEqual([
    ...['1 Jan 2027', '1 Jan 2027, 00:00 GMT+1', '31 Dec 2026, 23:59 GMT+1'],
  ])
  expect(formatIn('America/New_York').time(newYear)).toBe('31 Dec 2026, 18:00 EST')
  expect(isoTime(newYear)).toBe('2027-01-01T00:00:00.000+01:00')
  setTimeZone('America/St_Johns')
  expect(isoTime(newYear)).toBe('2026-12-31T19:30:00.000-03:30')
  setTimeZone('UTC')
  expect(isoTime(newYear)).toBe('2026-12-31T23:00:00.000Z')
})

test('a period that was set in another zone keeps its days', () => {
  const [from, until] = [readDay('2026-12-01')!, endOfDay(readDay('2026-12-24')!)]
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Australia/Sydney']) {
    setTimeZone(zone)
    expect([dayText(inFirstDay(from)), dayText(inLastDay(until))]).toEqual(['2026-12-01', '2026-12-24'])
  }
})

test('a zone that is not known here is UTC', () => {
  setTimeZone('Europe/Berlin')
  setTimeZone('Mars/Phobos')
  expect([timeZone, formatTime(midnight)]).toEqual(['UTC', '25 Nov 2026, 00:00 UTC'])
})
