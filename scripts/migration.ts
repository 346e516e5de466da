/*
 * drizzle-kit does not know STRICT tables, and other tables store text in integer columns: this adds STRICT.
 * npm run migration -- --name what_changes     (or --custom for one written by hand)
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { droppedTriggers } from '../dev/migration-rules'

const sqlFiles = () => readdirSync('migrations').filter((name) => name.endsWith('.sql'))
const before = sqlFiles()
const earlier = before.map((name) => readFileSync(`migrations/${name}`, 'utf8')).join('\n')
const backup = mkdtempSync(join(tmpdir(), 'cadenza-migrations-'))
cpSync('migrations', backup, { recursive: true })
execFileSync('node_modules/.bin/drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' })

for (const file of sqlFiles().filter((name) => !before.includes(name))) {
  const path = `migrations/${file}`
  const sql = readFileSync(path, 'utf8')
  const tables = droppedTriggers(sql, earlier)
  if (tables.length > 0) {
    rmSync('migrations', { recursive: true })
    cpSync(backup, 'migrations', { recursive: true })
    console.error(
      `This change rebuilds ${tables.join(', ')} and would drop its triggers. Nothing was written.\n` +
        'Add the column with a default or without NOT NULL, or write the migration by hand (--custom) and create the triggers again.',
    )
    process.exit(1)
  }
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
rmSync(backup, { recursive: true })
