import { localFormat, utcFormat, type TimeFormat } from '../store/shared/dates'
import { useHydrated } from '../browser/use-hydrated'

/** In the reader's zone where scripts run, and in UTC without them. */
export function useTimeFormat(): TimeFormat {
  return useHydrated() ? localFormat() : utcFormat
}

export function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useTimeFormat().time(at)}</time>
}

export function Day({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useTimeFormat().day(at)}</time>
}
