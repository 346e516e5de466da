/*
 * npm run check -- node-versions [22 24]: the whole test under each of these versions of Node, and a dry run of the newest wrangler under the last.
 * npm fetches both. Exits with 1 at the first that fails.
 */
import { execFileSync, type StdioOptions } from 'node:child_process'

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24']

/** The package `node` gets its program by an install script, which .npmrc forbids: a command would run with the Node of this machine. */
const program = `node-${process.platform}-${process.arch}`

function withNode(version: string, more: string[], command: string[], stdio: StdioOptions = 'inherit') {
  const packages = [`${program}@${version}`, ...more].map((name) => `--package=${name}`)
  return execFileSync('npm', ['exec', '--yes', ...packages, '--', ...command], { stdio, encoding: 'utf8' })
}

for (const version of versions) {
  const started = withNode(version, [], ['node', '--version'], ['ignore', 'pipe', 'inherit']).trim()
  if (!started.startsWith(`v${version}.`)) throw new Error(`npm started Node ${started}, not ${version}.`)
  console.log(`\n══ Node ${started}`)
  withNode(version, [], ['node', '--import', 'tsx', 'scripts/test.ts'])
}
for (const env of ['staging', 'production']) {
  withNode(versions.at(-1)!, ['wrangler@latest'], ['wrangler', 'deploy', '--dry-run', '--env', env])
}
