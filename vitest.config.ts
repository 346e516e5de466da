import { defineConfig } from 'vitest/config'
import { defineCommonPasswords } from './dev/common-passwords'
import { isWhole } from './tests/support/depth'
import { MocksFirst } from './tests/support/mocks-first'

export default defineConfig({
  define: defineCommonPasswords(),
  test: {
    include: ['app/**/*.test.ts', 'sandbox/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: isWhole || process.argv.some((argument) => argument.includes('.drill.')) ? [] : ['**/*.drill.test.ts'],
    globalSetup: ['./tests/support/template.ts', './tests/support/store-template.ts'],
    // Tests start real servers, which are slow on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Each loads and warms up all of the shop anew, for some eight CPU seconds. Four are no faster (decision 44).
    maxWorkers: 3,
    // A thread loads a module once for all of its files: a fifth less CPU. Files with mocks load theirs anew.
    isolate: false,
    sequence: { sequencer: MocksFirst },
    setupFiles: ['./tests/mutation/load-anew.ts', './tests/support/measure-file.ts'],
  },
})
