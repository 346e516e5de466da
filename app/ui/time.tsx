import { localFormat, shopFormat, type TimeFormat } from '../store/shared/dates'
import { useHydrated } from '../browser/use-hydrated'

/** For customers: in the reader's zone where scripts run, and in the shop's without them. The desk has `formatTime` and `formatDay`. */
export function useTimeFormat(): TimeFormat {
  return useHydrated() ? localFormat() : shopFormat
}

export function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useTimeFormat().time(at)}</time>
}

export function Day({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useTimeFormat().day(at)}</time>
}
