import { Refusal } from '../../store/shared/refusal'

/*
 * An isolate has one thread, and a list of 10,000 instruments takes a third of a second of it. So a long list is made in parts, and each
 * part reserves time of the isolate: other requests come between, however many read at once (decision 15).
 */

/** Some 5 ms of work: an order waits for one part at most. */
export const rowsOfPart = 250
/** In milliseconds, reserved: 10,000 rows take a third of a second of work. */
const timeOfRow = 0.1
/** In milliseconds: some forty readers at once. */
const longestQueue = 1000

export class ReadThrottle {
  /** When the parts that have begun will have used up their time. Not of the clock, which tests set. */
  private busyUntil = 0

  /** Before a part of a long list: waits for the time of the parts before it, of all readers. */
  async take(rows = rowsOfPart): Promise<void> {
    const now = performance.now()
    const startsAt = Math.max(now, this.busyUntil)
    this.busyUntil = startsAt + rows * timeOfRow
    if (startsAt > now) await new Promise((resolve) => setTimeout(resolve, startsAt - now))
  }

  /** Before a long list that no copy answers. Refuses it while too many read. */
  require(): void {
    if (this.busyUntil - performance.now() < longestQueue) return
    throw new Refusal('too-many', 'Too many long lists are read right now. Try again in a moment.', { retryAfter: 2 })
  }
}

/** Those of this isolate. */
export const readThrottle = new ReadThrottle()
