export class Clock {
  private offset = 0
  readonly now = (): number => Date.now() + this.offset

  advance(milliseconds: number): void {
    this.offset += Math.round(milliseconds)
  }
}

export const minutes = 60_000
export const hours = 60 * minutes
