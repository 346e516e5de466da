import { defineConfig } from 'vitest/config'
import { defineCommonPasswords } from '../../dev/common-passwords'
import { SmallFirst } from './small-first'

/** What mutation testing runs: the tests that call source code, and need no server of their own. */
export default defineConfig({
  define: defineCommonPasswords(),
  test: {
    include: [
      'app/*.test.ts',
      'app/{store,gateways,http,api,routes}/**/*.test.ts',
      'app/db/schema.server.test.ts',
      'tests/{verify-tampering,money-boundaries,import-in-parts,import-again,instrument-fields,webhook-answers,redirects,timeouts}.test.ts',
    ],
    globalSetup: './tests/support/store-template.ts',
    // One thread for all, with the packages loaded once: a mutant costs what its tests do. The modules of the shop are loaded anew
    // for every file, or a mutant of what runs while loading would never be seen.
    isolate: false,
    sequence: { sequencer: SmallFirst },
    setupFiles: './tests/mutation/load-anew.ts',
    testTimeout: 20_000,
    maxWorkers: 1,
  },
})
