import { expect, inject, vi } from 'vitest'
import { hasMocks } from '../support/has-mocks'

declare module 'vitest' {
  interface ProvidedContext {
    /** By Stryker: the number of its mutant, and whether that is in what runs while a module loads. */
    activeMutant?: string
    mutantActivation?: 'static' | 'runtime'
  }
}

/** The shop's modules are loaded once for each mutant (what one left in them is not for the next), and for each file where that matters. */
const state = globalThis as { lastMutant?: string; wasSpecial?: boolean }
const isSpecial = hasMocks(expect.getState().testPath!) || inject('mutantActivation') === 'static'
if (isSpecial || state.wasSpecial || state.lastMutant !== inject('activeMutant')) vi.resetModules()
state.wasSpecial = isSpecial
state.lastMutant = inject('activeMutant')
