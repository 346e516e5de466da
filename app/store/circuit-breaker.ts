/** A call that has taken so long has waited for somebody who does not answer; in milliseconds. */
const timeout = 5_000
const maxTimeouts = 2

/**
 * Counts the calls of one run that somebody outside left unanswered: after two, each further one would only take as long again.
 */
export class CircuitBreaker {
  private count = 0

  constructor(private readonly now: () => number) {}

  get isOpen(): boolean {
    return this.count >= maxTimeouts
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const begun = this.now()
    try {
      return await call()
    } finally {
      this.note(begun)
    }
  }

  /** Counts a call that is over, by when it began (milliseconds since 1970). */
  note(begun: number): void {
    if (this.now() - begun >= timeout) this.count += 1
  }
}
