/*
 * drizzle-kit does not know STRICT tables, and other tables store text in integer columns: this adds STRICT.
 * npm run task -- migration --name what_changes     (or --custom for one written by hand)
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addInPlace, droppedTriggers, type Snapshot } from '../dev/migration-rules'

const sqlFiles = () => readdirSync('migrations').filter((name) => name.endsWith('.sql'))
const before = sqlFiles()
const earlier = before.map((name) => readFileSync(`migrations/${name}`, 'utf8')).join('\n')
const snapshotFiles = () =>
  readdirSync('migrations/meta')
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .map((name) => `migrations/meta/${name}`)
const readSnapshot = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Snapshot
const snapshotBefore = readSnapshot(snapshotFiles().at(-1)!)
const backup = mkdtempSync(join(tmpdir(), 'cadenza-migrations-'))
cpSync('migrations', backup, { recursive: true })
execFileSync('node_modules/.bin/drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' })

for (const file of sqlFiles().filter((name) => !before.includes(name))) {
  const path = `migrations/${file}`
  const sql = addInPlace(readFileSync(path, 'utf8'), snapshotBefore, readSnapshot(snapshotFiles().at(-1)!))
  const tables = droppedTriggers(sql, earlier)
  if (tables.length > 0) {
    rmSync('migrations', { recursive: true })
    cpSync(backup, 'migrations', { recursive: true })
    console.error(
      `This change rebuilds ${tables.join(', ')} and would drop its triggers. Nothing was written.\n` +
        'New columns are added in place, with a CHECK that names one of them; NOT NULL needs a default. All else (a column or CHECK that\n' +
        'changes or goes, a foreign key) rebuilds the table.',
    )
    process.exit(1)
  }
  writeFileSync(path, sql.replace(/^(CREATE TABLE [\s\S]*?\n\));/gm, '$1 STRICT;'))
  console.log(`${path}: ready to be read`)
}
// drizzle-kit compares the schema with the newest snapshot alone.
const snapshots = snapshotFiles()
for (const snapshot of snapshots.slice(0, -1)) rmSync(snapshot)
const newest = snapshots.at(-1)!
writeFileSync(newest, `${JSON.stringify(JSON.parse(readFileSync(newest, 'utf8')))}\n`)
rmSync(backup, { recursive: true })
