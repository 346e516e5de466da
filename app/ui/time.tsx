import { formatDay, formatLocalDay, formatLocalTime, formatTime } from '../store/shared/dates'
import { useHydrated } from './use-hydrated'

/** How to write times and days, in milliseconds since 1970: in the reader's zone where scripts run, and in UTC without them. */
export function useTimeFormat() {
  return useHydrated() ? { time: formatLocalTime, day: formatLocalDay } : { time: formatTime, day: formatDay }
}

export function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useTimeFormat().time(at)}</time>
}

export function Day({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useTimeFormat().day(at)}</time>
}
