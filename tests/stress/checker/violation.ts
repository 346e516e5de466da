/** Something that must never be, and is. */
export interface Violation {
  /** Its number in the list of docs/testing-money.md. */
  invariant: number
  /** Which instrument, order or payment. */
  subject: string
  says: string
}

/** Collects what one group of rules finds. */
export class Findings {
  readonly violations: Violation[] = []

  expect(holds: boolean, invariant: number, subject: string, says: string): void {
    if (!holds) this.violations.push({ invariant, subject, says })
  }
}

/** Violations in words, the first few of each kind. */
export function describe(violations: Violation[]): string {
  const most = 12
  const lines = violations
    .slice(0, most)
    .map(({ invariant, subject, says }) => `  invariant ${invariant}: ${subject}: ${says}`)
  const more = violations.length > most ? [`  … and ${violations.length - most} more`] : []
  return [`${violations.length} violations`, ...lines, ...more].join('\n')
}
