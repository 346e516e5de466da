import { defineConfig } from '@playwright/test'
import { hasSharedMemory } from './dev/shared-memory'
import { isWhole } from './tests/support/depth'

const root = process.getuid?.() === 0

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 3,
  timeout: 150_000,
  retries: 0,
  grepInvert: isWhole ? undefined : /@drill/,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    // Drawing every view transition is a third of the CPU. The specs of the main journey and of motion have it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      // Playwright keeps shared memory in /tmp, on the disk, which takes an eighth more CPU: containers often have a small /dev/shm.
      ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
      args: [
        // Chromium's sandbox does not run as root.
        ...(root ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--in-process-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'without JavaScript',
      use: { javaScriptEnabled: false },
      testIgnore: /with-scripts/,
      grep: isWhole ? /./ : /@both-ways/,
      // Each worker starts a browser and a shop for a project anew: that takes as long as three of these few tests.
      workers: isWhole ? undefined : 1,
    },
    { name: 'with JavaScript', use: { javaScriptEnabled: true } },
  ],
})
