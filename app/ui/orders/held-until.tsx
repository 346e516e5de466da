import { Time } from '../time'
import { rich } from '../rich'

/** Of an unpaid order; times in milliseconds since 1970. */
export function HeldUntil({ at, now }: { at: number; now: number }) {
  return (
    <small className="held-until">
      {rich(at > now ? 'Reserved until {time}' : 'No longer reserved since {time}', { time: <Time at={at} /> })}
    </small>
  )
}
