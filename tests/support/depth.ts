/** `npm run test:all` also runs what takes long: files named `*.drill.test.ts`, and tests with `runIf(isWhole)`. */
export const isWhole = Boolean(process.env.ALL_TESTS)
