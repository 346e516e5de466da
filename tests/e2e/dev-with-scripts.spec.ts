import { stripVTControlCharacters } from 'node:util'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../dev/ports'
import { delivery, drill, expect, fillIn, test } from './shop'

test('opens the payment page of an order in the first run of npm run dev', drill, async ({ browser }) => {
  // Vite reads the whole shop for the first page.
  test.slow()
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-dev-'))
  // Vite keeps its packages in the folder of the data, which is new: it has prepared nothing yet.
  const env = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, DB_PORT: `${dbPort}`, DATA_DIR: folder }
  const dev = spawn('npm', ['run', 'dev'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => dev.once('exit', resolve))
  let said = ''
  dev.stdout.on('data', (data: Buffer) => (said += data.toString()))
  // Not the fixture's: the content security policy refuses the styles that Vite adds in the browser, and the page has its own.
  const page = await browser.newPage()
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  try {
    const url = `http://127.0.0.1:${port}`
    await expect.poll(() => stripVTControlCharacters(said), { timeout: 90_000 }).toContain('Local:')
    await page.goto(`${url}/login?redirectTo=/instruments/clarinet-bb`, { timeout: 180_000 })
    await fillIn(page, { Email: 'ada@example.com', Password: 'practice' }, 'Login')
    await fillIn(page, { 'Order quantity': '3', ...delivery }, 'Order Now')
    await expect(page.locator('iframe').first()).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
    expect(failures).toEqual([])
    // Vite's own words, not a JSON line of the shop.
    expect(said).not.toContain('package output')
  } finally {
    await page.close()
    dev.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
})
