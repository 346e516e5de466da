/** A call of this many milliseconds counts as a timeout. */
const timeout = 5_000
const maxTimeouts = 2

/** Opens after two timeouts, so that a run does not wait for each further call. */
export class CircuitBreaker {
  private count = 0

  constructor(private readonly now: () => number) {}

  get isOpen(): boolean {
    return this.count >= maxTimeouts
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const startedAt = this.now()
    try {
      return await call()
    } finally {
      this.record(startedAt)
    }
  }

  /** `startedAt` in milliseconds since 1970. */
  record(startedAt: number): void {
    if (this.now() - startedAt >= timeout) this.count += 1
  }
}
