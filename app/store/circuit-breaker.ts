/** A call that has taken so long has waited for somebody who does not answer; in milliseconds. */
const long = 5_000
const most = 2

/**
 * Counts the calls of one run that somebody outside left unanswered: after two, each further one would only take as long again.
 */
export class Silence {
  private count = 0

  constructor(private readonly now: () => number) {}

  get isTaken(): boolean {
    return this.count >= most
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    const begun = this.now()
    try {
      return await call()
    } finally {
      this.note(begun)
    }
  }

  /** Counts a call that is over, by when it began (milliseconds since 1970). */
  note(begun: number): void {
    if (this.now() - begun >= long) this.count += 1
  }
}
