import { describe, type Violation } from './checker/violation'

export interface Effort {
  /** 1 is the long version. */
  scale: number
  seed: number
  say: (line: string) => void
}

export interface Report {
  part: string
  figures: Record<string, number | string>
  wrong: string[]
}

export function scaled({ scale }: Effort, count: number, min = 1): number {
  return Math.max(min, Math.round(count * scale))
}

export function wrongOf(violations: Violation[]): string[] {
  return violations.length > 0 ? [describe(violations)] : []
}

/** mulberry32 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function oneOf<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!
}
