import { readFileSync } from 'node:fs'

/** Whether a process loads the modules of the shop anew for a test file, and for the first without mocks after it. */
export const hasMocks = (file: string) => readFileSync(file, 'utf8').includes('vi.mock(')
