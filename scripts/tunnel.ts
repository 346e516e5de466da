/* npm run check -- tunnel [tries] [seed]: breaks the line at each step of an order and of reading, and counts what is lost or doubled. */
import { spawnSync } from 'node:child_process'
import { provideBrowser } from '../dev/browser'
import { buildIfStale } from '../dev/build'

const [tries = '200', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
const browser = provideBrowser(console.log)
await buildIfStale(console.log)
console.log(`Seed ${seed}: npm run check -- tunnel ${tries} ${seed} breaks the line at the same places.`)
const { status } = spawnSync(
  'node_modules/.bin/playwright',
  ['test', 'tests/e2e/tunnel-with-scripts.spec.ts', '--retries', '0'],
  {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM: browser, TUNNEL_TRIES: tries, TUNNEL_SEED: seed },
  },
)
process.exit(status ?? 1)
