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
  const debian = installFromDebian()
  if (debian) return debian
  throw new Error(
    'The browser tests need Chromium, and none could be fetched. Install it (Debian: apt-get install chromium-headless-shell), run ' +
      '"npx playwright install chromium", or name one: CHROMIUM=/path/to/chromium npm test',
  )
}

function installFromDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  runQuietly('apt-get', ['update'])
  for (const name of debianPackages) {
    runQuietly('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', name])
    const found = findBrowser()
    if (found) return found
  }
  return undefined
}

function findBrowser(): string | undefined {
  const own = process.env.CHROMIUM
  if (own && !existsSync(own)) throw new Error(`CHROMIUM names ${own}, and there is nothing there.`)
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
