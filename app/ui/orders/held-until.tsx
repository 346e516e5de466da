import { Time } from '../time'

/** Of an unpaid order; times in milliseconds since 1970. */
export function HeldUntil({ at, now }: { at: number; now: number }) {
  return (
    <small className="held-until">
      {at > now ? 'Reserved until ' : 'No longer reserved since '}
      <Time at={at} />
    </small>
  )
}
