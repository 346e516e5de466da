/** A clock that goes as the real one does, and can be moved on. */
export class Clock {
  private ahead = 0
  readonly now = (): number => Date.now() + this.ahead

  pass(milliseconds: number): void {
    this.ahead += Math.round(milliseconds)
  }
}

export const minutes = 60_000
export const hours = 60 * minutes
