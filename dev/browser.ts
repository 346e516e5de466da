import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** The shell, which Playwright's own download has too, takes half the CPU of the whole browser. */
const debianPackages = ['chromium-headless-shell', 'chromium']

/** Finds Playwright's Chromium or the system's, or downloads one. Throws with instructions if that fails. */
export function provideBrowser(log: (line: string) => void): string {
  const installed = findBrowser()
  if (installed) return installed
  log('No Chromium here: fetching the one that belongs to Playwright …')
  runQuietly(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'], {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
  })
  const downloaded = findBrowser()
  if (downloaded) return downloaded
  log('That one is out of reach: installing the Debian package …')
  const debian = installFromDebian(debianPackages, findBrowser)
  if (debian) return debian
  throw new Error(
    'The browser tests need Chromium, and none could be fetched. Install it (Debian: apt-get install chromium-headless-shell), run ' +
      '"npx playwright install chromium", or name one: CHROMIUM=/path/to/chromium npm test',
  )
}

/**
 * Finds a Firefox, or installs Debian's: another engine than Chromium. Playwright's own is a patched one that is not on npm. Throws with
 * instructions if that fails.
 */
export function provideFirefox(log: (line: string) => void): string {
  const installed = findFirefox()
  if (installed) return installed
  log('No Firefox here: installing the Debian package …')
  const debian = installFromDebian(['firefox-esr'], findFirefox)
  if (debian) return debian
  throw new Error(
    'npm run test:all needs Firefox, and none could be fetched. Install it (Debian: apt-get install firefox-esr), or name one: ' +
      'FIREFOX=/path/to/firefox npm run test:all',
  )
}

function findFirefox(): string | undefined {
  return named('FIREFOX') ?? ['firefox-esr', 'firefox'].map(which).find((path) => path !== undefined)
}

function installFromDebian(packages: string[], find: () => string | undefined): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  runQuietly('apt-get', ['update'])
  for (const name of packages) {
    runQuietly('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', name])
    const found = find()
    if (found) return found
  }
  return undefined
}

/** The path in this variable of the environment. */
function named(variable: string): string | undefined {
  const path = process.env[variable]
  if (path && !existsSync(path)) throw new Error(`${variable} names ${path}, and there is nothing there.`)
  return path || undefined
}

function findBrowser(): string | undefined {
  const own = named('CHROMIUM')
  if (own) return own
  const downloaded = chromium.executablePath()
  if (existsSync(downloaded)) return downloaded
  return [...debianPackages, 'chromium-browser', 'google-chrome'].map(which).find((path) => path !== undefined)
}

function which(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

function runQuietly(file: string, args: string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(file, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...env },
  })
  if (status !== 0) console.error(stderr.split('\n').slice(0, 3).join('\n'))
}
