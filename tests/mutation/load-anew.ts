import { readFileSync } from 'node:fs'
import { expect, inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** By Stryker: whether its mutant is in what runs while a module loads. */
    mutantActivation?: 'static' | 'runtime'
  }
}

/**
 * Modules are loaded once for all mutants, but for such a mutant, for a file that puts others in their place, and for what
 * comes after either.
 */
const seen = globalThis as { wasSpecial?: boolean }
const mocks = readFileSync(expect.getState().testPath!, 'utf8').includes('vi.mock(')
const isSpecial = mocks || inject('mutantActivation') === 'static'
if (isSpecial || seen.wasSpecial) vi.resetModules()
seen.wasSpecial = isSpecial
