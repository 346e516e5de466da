import { defineConfig, mergeConfig } from 'vitest/config'
import { lastingThread } from './tests/mutation/lasting-thread'
import config from './tests/mutation/vitest.config'

const pool = { pool: lastingThread.name, poolRunner: lastingThread }

/** Stryker's mutants are all in the code that the thread has loaded. A planted bug changes a file: it needs a new thread. */
export default mergeConfig(
  config,
  defineConfig({
    // Not `test.pool`: Stryker sets that itself.
    plugins: [{ name: 'lasting-thread', configureVitest: ({ project }) => void Object.assign(project.config, pool) }],
  }),
)
