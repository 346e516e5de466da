/*
 * drizzle-kit does not know STRICT tables, and other tables store text in integer columns: this adds STRICT.
 * npm run migration -- --name what_changes     (or --custom for one written by hand)
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const before = new Set(readdirSync('migrations'))
execFileSync('node_modules/.bin/drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' })

for (const file of readdirSync('migrations').filter((name) => name.endsWith('.sql') && !before.has(name))) {
  const path = `migrations/${file}`
  const sql = readFileSync(path, 'utf8')
  writeFileSync(path, sql.replace(/^(CREATE TABLE [\s\S]*?\n\));/gm, '$1 STRICT;'))
  console.log(`${path}: ready to be read`)
}
// drizzle-kit compares the schema with the newest snapshot alone.
const snapshots = readdirSync('migrations/meta')
  .filter((name) => name.endsWith('_snapshot.json'))
  .sort()
for (const snapshot of snapshots.slice(0, -1)) rmSync(`migrations/meta/${snapshot}`)
const newest = `migrations/meta/${snapshots.at(-1)}`
writeFileSync(newest, `${JSON.stringify(JSON.parse(readFileSync(newest, 'utf8')))}\n`)
