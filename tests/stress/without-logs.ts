import { vi } from 'vitest'
import type { Effort, Report } from './report'

/** Hides the log of the failures that the campaign causes on purpose. */
export async function withoutLogs<Done extends Report>(
  part: (effort: Effort) => Promise<Done>,
  scale = 0.02,
): Promise<Done> {
  const spies = (['error', 'warn'] as const).map((level) => vi.spyOn(console, level).mockReturnValue(undefined))
  try {
    return await part({ scale, seed: 1, say: () => undefined })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
