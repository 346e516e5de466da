import { inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** By Stryker: whether its mutant is in what runs while a module loads. */
    mutantActivation?: 'static' | 'runtime'
  }
}

/** Modules are loaded once for all mutants, but for such a mutant, and for what comes after it. */
const seen = globalThis as { wasStatic?: boolean }
const isStatic = inject('mutantActivation') === 'static'
if (isStatic || seen.wasStatic) vi.resetModules()
seen.wasStatic = isStatic
