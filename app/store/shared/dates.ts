import { language, locales, t } from '../../i18n/language'
import { plainSigns } from './text'

/** In milliseconds. Days of the shop's calendar may have 23 or 25 hours. */
export const day = 24 * 60 * 60 * 1000
const hour = day / 24

/** Each takes milliseconds since 1970. */
export interface TimeFormat {
  /** `24 Nov 2026`, and `24. November 2026` in German */
  day: (at: number) => string
  /** `24 Nov 2026, 18:05 UTC` */
  time: (at: number) => string
  /** Of an end that does not count itself: at midnight, the day before. */
  end: (at: number) => string
}

/** How far the clocks of a zone are ahead of UTC at a time, both in milliseconds. Before 1970: as in 1970. */
export type Clock = (at: number) => number

const utc: Clock = () => 0

/** Throws a RangeError for a zone that is not known here. */
export function clockOf(zone: string): Clock {
  if (zone === 'UTC') return utc
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
    ...({ second: 'numeric', hourCycle: 'h23', timeZone: zone } as const),
  })
  return (at) => {
    const second = Math.floor(Math.max(at, 0) / 1000) * 1000
    // Four times as fast as `formatToParts`.
    const [month, dayOfMonth, year, ...time] = format.format(second).match(/\d+/g)!.map(Number)
    return Date.UTC(year!, month! - 1, dayOfMonth, ...time) - second
  }
}

const utcFormat = formatFor('UTC')

/*
 * As the settings say (`app/store/settings`). These bindings are live, as the name of the shop (`app/shop-name.ts`): an isolate serves one shop, and a
 * browser one page of it.
 */
export let timeZone = 'UTC'
export let shopFormat = utcFormat
let clock = utc
/** The day of the last question. */
let known = { start: 0, end: 0 }

/** A zone that is not known here, as an older browser may say of a new one, is UTC: each time names its zone. */
export function setTimeZone(zone: string): void {
  if (zone === timeZone) return
  try {
    ;[clock, shopFormat, timeZone] = [clockOf(zone), formatFor(zone), zone]
  } catch {
    ;[clock, shopFormat, timeZone] = [utc, utcFormat, 'UTC']
  }
  known = { start: 0, end: 0 }
}

export const formatDay = (at: number) => shopFormat.day(at)
export const formatTime = (at: number) => shopFormat.time(at)
export const formatEnd = (at: number) => shopFormat.end(at)

/** `24 Nov 2026` for a day of the calendar, in days since 1970. */
export const formatDayNumber = (number: number) => utcFormat.day(number * day)

let local: TimeFormat | undefined

/** In the zone of the browser: `24 Nov 2026, 19:05 GMT+1`. */
export function localFormat(): TimeFormat {
  return (local ??= formatFor(undefined))
}

/** For what was issued in a zone, whatever that of the shop is by now. */
export function formatIn(zone: string): TimeFormat {
  return zone === timeZone ? shopFormat : formatFor(zone)
}

function formatFor(timeZone: string | undefined): TimeFormat {
  // The parts of en-US in another order: en-GB writes September as 'Sept' in some versions only, and server and browser must agree.
  const formatOf = (locale: string, month: 'short' | 'long') =>
    new Intl.DateTimeFormat(locale, {
      ...({ day: 'numeric', month, year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
      ...({ hourCycle: 'h23', timeZone, timeZoneName: 'short' } as const),
    })
  // Each takes milliseconds to make, which the start of a Worker has not.
  let english: Intl.DateTimeFormat | undefined
  let german: Intl.DateTimeFormat | undefined
  const formatHere = () =>
    language() === 'de' ? (german ??= formatOf(locales.de, 'long')) : (english ??= formatOf(locales.en, 'short'))
  const partsOf = (at: number) =>
    Object.fromEntries(
      formatHere()
        .formatToParts(at)
        .map(({ type, value }) => [type, value]),
    )
  const dayOf = ({ day, month, year }: Record<string, string>) =>
    `${day}${language() === 'de' ? '.' : ''} ${month} ${year}`
  const time = (at: number) => {
    const parts = partsOf(at)
    return `${dayOf(parts)}, ${parts.hour}:${parts.minute} ${parts.timeZoneName}`
  }
  return { day: (at) => dayOf(partsOf(at)), time, end: (at) => time(at - 1) }
}

/** The day of the shop in which a time lies, in days since 1970. */
export function dayNumber(at: number): number {
  return Math.floor((at + clock(at)) / day)
}

/** When a day of the shop begins: mostly at midnight, and otherwise at the first moment of it that there is. */
export function dayStart(number: number): number {
  let [low, high] = [number * day - 15 * hour, number * day + 13 * hour]
  if (clock(low) === clock(high)) return number * day - clock(low)
  // The clocks change about then: some zones do so at midnight, and one has left out a day.
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (dayNumber(middle) < number) low = middle
    else high = middle
  }
  return high
}

/** Of the day of the shop in which a time lies. */
export function startOfDay(at: number): number {
  if (at < known.start || at >= known.end) {
    const number = dayNumber(at)
    known = { start: dayStart(number), end: dayStart(number + 1) }
  }
  return known.start
}

/** The end of the day of the shop in which a time lies. */
export function endOfDay(at: number): number {
  startOfDay(at)
  return known.end
}

/**
 * A time in the first or in the last day of a period of whole days. Noon, so that a period that was set in another zone still shows its days:
 * it keeps the moments at which it begins and ends.
 */
export const inFirstDay = (from: number) => from + day / 2
export const inLastDay = (until: number) => until - day / 2

/** `72 hours`, `45 minutes`; `ms` in milliseconds, rounded down. */
export function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 0 || minutes % 60 !== 0)
    return t(minutes === 1 ? '{count} minute' : '{count} minutes', { count: minutes })
  return t(minutes === 60 ? '{count} hour' : '{count} hours', { count: minutes / 60 })
}

/** `2026-11-24` as the beginning of that day of the shop, in milliseconds since 1970; undefined for anything else. */
export function readDay(text: string): number | undefined {
  const typed = plainSigns(text)
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : NaN
  // JavaScript reads February 30 as March 2.
  return !Number.isNaN(at) && dayNumberText(at / day) === typed ? dayStart(at / day) : undefined
}

/** `2026-11-24` for a day of the calendar, in days since 1970. */
export function dayNumberText(number: number): string {
  return new Date(number * day).toISOString().slice(0, 10)
}

/** `2026-11-24` for a time of that day of the shop in milliseconds since 1970; empty for none. */
export function dayText(at: number | null): string {
  return at === null ? '' : dayNumberText(dayNumber(at))
}

/** `2026-11-24T19:05:00.000+01:00` in the zone of the shop. */
export function isoTime(at: number): string {
  const offset = clock(at)
  const text = new Date(at + offset).toISOString()
  if (offset === 0) return text
  const minutes = Math.abs(offset) / 60_000
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${text.slice(0, -1)}${offset < 0 ? '-' : '+'}${hours}:${rest}`
}

export const invalidDay = 'Give a day, like 2026-12-31'

/** From the beginning of the day `from` to the end of the day `to`, days of the shop; an empty one is no bound. Null where one is not a day. */
export function readPeriod(from: string, to: string): { from?: number; until?: number } | null {
  const [first, last] = [readDay(from), readDay(to)]
  if ((from !== '' && first === undefined) || (to !== '' && last === undefined)) return null
  return { ...(first !== undefined && { from: first }), ...(last !== undefined && { until: endOfDay(last) }) }
}

/** `2026-11` as the number of months since the year 0; undefined for anything else, and for a month before 1970. */
export function readMonth(text: string): number | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined || Number(year) < 1970 ? undefined : Number(year) * 12 + Number(month) - 1
}

/** Such as `2026-11`. */
export function monthText(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
}

/** The month of the shop in which a time lies, in milliseconds since 1970. */
export function monthOf(at: number): number {
  const date = new Date(dayNumber(at) * day)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The first day of a month, in days since 1970. */
export function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / day
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026` for `2026-11`. */
export function monthName(text: string): string {
  return monthFormat.format(Date.parse(`${text}-01`))
}
