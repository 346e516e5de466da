import { language, locales, t } from '../../i18n/language'
import { plainSigns } from './text'

/** In milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** Each takes milliseconds since 1970. */
export interface TimeFormat {
  /** `24 Nov 2026`, and `24. November 2026` in German */
  day: (at: number) => string
  /** `24 Nov 2026, 18:05 UTC` */
  time: (at: number) => string
  /** Of an end that does not count itself: at midnight, the day before. */
  end: (at: number) => string
}

export const utcFormat = formatFor('UTC')
export const { day: formatDay, time: formatTime, end: formatEnd } = utcFormat

let local: TimeFormat | undefined

/** In the zone of the browser: `24 Nov 2026, 19:05 GMT+1`. */
export function localFormat(): TimeFormat {
  return (local ??= formatFor(undefined))
}

function formatFor(timeZone: string | undefined): TimeFormat {
  // The parts of en-US in another order: en-GB writes September as 'Sept' in some versions only, and server and browser must agree.
  const formatOf = (locale: string, month: 'short' | 'long') =>
    new Intl.DateTimeFormat(locale, {
      ...({ day: 'numeric', month, year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
      ...({ hourCycle: 'h23', timeZone, timeZoneName: 'short' } as const),
    })
  const english = formatOf(locales.en, 'short')
  let german: Intl.DateTimeFormat | undefined
  const formatHere = () => (language() === 'de' ? (german ??= formatOf(locales.de, 'long')) : english)
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

/** Of the day (UTC). */
export function startOfDay(at: number): number {
  return Math.floor(at / day) * day
}

/** `72 hours`, `45 minutes`; `ms` in milliseconds, rounded down. */
export function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 0 || minutes % 60 !== 0)
    return t(minutes === 1 ? '{count} minute' : '{count} minutes', { count: minutes })
  return t(minutes === 60 ? '{count} hour' : '{count} hours', { count: minutes / 60 })
}

/** `2026-11-24` as the beginning of that day (UTC), in milliseconds since 1970; undefined for anything else. */
export function readDay(text: string): number | undefined {
  const typed = plainSigns(text)
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : NaN
  // JavaScript reads February 30 as March 2.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(typed) ? at : undefined
}

/** `2026-11-24` for a time of that day (UTC) in milliseconds since 1970; empty for none. */
export function dayText(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString().slice(0, 10)
}

export const invalidDay = 'Give a day, like 2026-12-31'

/** From the beginning of the day `from` to the end of the day `to`; an empty one is no bound. Null where one is not a day. */
export function readPeriod(from: string, to: string): { from?: number; until?: number } | null {
  const [first, last] = [readDay(from), readDay(to)]
  if ((from !== '' && first === undefined) || (to !== '' && last === undefined)) return null
  return { ...(first !== undefined && { from: first }), ...(last !== undefined && { until: last + day }) }
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

/** The month (UTC) of a time in milliseconds since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Of the month (UTC), in milliseconds since 1970. */
export function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12)
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026` for `2026-11`. */
export function monthName(text: string): string {
  return monthFormat.format(Date.parse(`${text}-01`))
}
