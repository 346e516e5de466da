import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['app/**/*.test.ts', 'sandbox/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['./tests/support/template.ts', './tests/support/store-template.ts'],
    // Real servers are started in tests: on a busy machine they may take their time.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
})
