import { formatTime } from '../../store/shared/dates'

/** Of an unpaid order; times in milliseconds since 1970. */
export function HeldUntil({ at, now }: { at: number; now: number }) {
  return (
    <small className="held-until">
      {at > now ? 'Reserved until ' : 'No longer reserved since '}
      <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
    </small>
  )
}
