import { defineConfig } from '@playwright/test'
import base from './playwright.config'

/** `npm run check -- screenshots`: every page at four widths, light and dark, in Playwright's own report. */
export default defineConfig({
  ...base,
  testDir: 'tests/screenshots',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 120_000,
  reporter: [['list'], ['html', { outputFolder: 'screenshots', open: 'never' }]],
  projects: [{ name: 'screenshots' }],
})
