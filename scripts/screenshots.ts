/* `npm run check -- screenshots [--grep purchase]`: writes screenshots/index.html. WIDTHS=360,1280 chooses other widths. */
import { spawnSync } from 'node:child_process'
import { provideBrowser } from '../dev/browser'

const args = ['test', '--config', 'playwright.screenshots.config.ts', ...process.argv.slice(2)]
const env = { ...process.env, CHROMIUM: provideBrowser(console.log) }
process.exitCode = spawnSync('node_modules/.bin/playwright', args, { stdio: 'inherit', env }).status ?? 1
