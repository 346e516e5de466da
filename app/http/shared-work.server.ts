/*
 * Work that one request does for all that ask meanwhile. workerd cancels a request that only waits for a promise of another request, with a
 * 500 ('your Worker's code had hung'): it sees nothing that could still happen. So the others look with a timer of their own.
 */

/** In milliseconds, between two looks. */
const interval = 5

export class SharedWork<T> {
  private outcome: { value: T } | { error: unknown } | null = null
  /** For the request that does the work, and for nobody else. */
  readonly result: Promise<T>

  constructor(work: () => Promise<T>) {
    this.result = this.keep(work)
  }

  private async keep(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work()
      this.outcome = { value }
      return value
    } catch (error) {
      this.outcome = { error }
      throw error
    }
  }

  /** For another request. Throws what the work threw. Null if it has not ended after `longest` milliseconds: its request may have been cancelled. */
  async wait(longest: number): Promise<{ value: T } | null> {
    const until = performance.now() + longest
    while (!this.outcome && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, interval))
    if (this.outcome && 'error' in this.outcome) throw this.outcome.error
    return this.outcome
  }
}
