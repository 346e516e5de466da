export interface Violation {
  /** Its number in docs/testing-money.md. */
  invariant: number
  subject: string
  message: string
}

/** Finds a violation unless it holds. */
export type Expect = (holds: boolean, invariant: number, subject: string, message: string) => void

export function describe(violations: Violation[]): string {
  const max = 12
  const lines = violations
    .slice(0, max)
    .map(({ invariant, subject, message }) => `  invariant ${invariant}: ${subject}: ${message}`)
  const more = violations.length > max ? [`  … and ${violations.length - max} more`] : []
  return [`${violations.length} violations`, ...lines, ...more].join('\n')
}
