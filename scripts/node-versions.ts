/*
 * npm run node-versions [-- 22 24]: the whole test under each of these versions of Node, and a dry run of the newest wrangler under the last.
 * npm fetches both. Exits with 1 at the first that fails.
 */
import { execFileSync } from 'node:child_process'

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24']
const withNode = (version: string, more: string[], command: string[]) =>
  execFileSync(
    'npm',
    ['exec', '--yes', ...[`node@${version}`, ...more].map((name) => `--package=${name}`), '--', ...command],
    {
      stdio: 'inherit',
    },
  )

for (const version of versions) {
  console.log(`\n══ Node ${version}`)
  withNode(version, [], ['node', '--import', 'tsx', 'scripts/test.ts'])
}
for (const env of ['staging', 'production']) {
  withNode(versions.at(-1)!, ['wrangler@latest'], ['wrangler', 'deploy', '--dry-run', '--env', env])
}
