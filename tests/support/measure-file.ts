import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { measureCost } from './costs'

// vitest loads this before each test file. What ends after the last test, such as the server of a file, counts for the next file.
afterAll(measureCost(relative(process.cwd(), expect.getState().testPath!)))
