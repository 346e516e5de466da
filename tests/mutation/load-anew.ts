import { readFileSync } from 'node:fs'
import { expect, inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** By Stryker: whether its mutant is in what runs while a module loads. */
    mutantActivation?: 'static' | 'runtime'
  }
}

/** Modules are loaded once for all mutants, except for static mutants and files with mocks, and after these. */
const state = globalThis as { wasSpecial?: boolean }
const mocks = readFileSync(expect.getState().testPath!, 'utf8').includes('vi.mock(')
const isSpecial = mocks || inject('mutantActivation') === 'static'
if (isSpecial || state.wasSpecial) vi.resetModules()
state.wasSpecial = isSpecial
