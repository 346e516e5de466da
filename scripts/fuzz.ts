/* npm run check -- fuzz [rounds] [seed] [text]: with a text, only cases that have it in their name. */
import { spawnSync } from 'node:child_process'
import { buildIfStale } from '../dev/build'

const [rounds = '3', seed = String(Date.now() % 1_000_000), only = ''] = process.argv.slice(2)
await buildIfStale(console.log)
console.log(`Seed ${seed}: npm run check -- fuzz ${rounds} ${seed} fires the same again.`)
const { status } = spawnSync('node_modules/.bin/vitest', ['run', 'tests/api/fuzz.drill.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_ROUNDS: rounds, FUZZ_SEED: seed, FUZZ_ONLY: only, FUZZ_SECONDS: '7200' },
})
process.exit(status ?? 1)
