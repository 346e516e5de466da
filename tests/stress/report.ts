import { describe, type Violation } from './checker/violation'

/** How much is tried, and with which luck. */
export interface Effort {
  /** 1 is the long version. */
  scale: number
  seed: number
  /** Tells how far it is. */
  say: (line: string) => void
}

/** What a part of the torture has to say. */
export interface Report {
  part: string
  figures: Record<string, number | string>
  /** Everything that must not be, in words. */
  wrong: string[]
}

export function scaled({ scale }: Effort, count: number, least = 1): number {
  return Math.max(least, Math.round(count * scale))
}

/** What the checker found, as a line of the report. */
export function wrongOf(violations: Violation[]): string[] {
  return violations.length > 0 ? [describe(violations)] : []
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of them by chance. */
export function oneOf<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!
}
