/*
 * npm run restore -- FILE                 loads a backup into an empty database (docs/restore.md)
 * npm run restore -- --from-turso TIME    ends what must not live again in a database that Turso has restored as of TIME
 */
import { readArguments } from '../dev/arguments'
import { finishRestore, restoreBackup } from '../dev/backup'
import { commandOf, databaseOf, openLocalDatabase, readOptions, sayFailure } from '../dev/environment'

const usage = 'Usage: npm run restore -- FILE, or --from-turso TIME, such as 2026-11-24T03:00:00Z'
const { values, positionals } = readArguments(
  { options: { 'from-turso': { type: 'string' } }, allowPositionals: true },
  usage,
)
const [file] = positionals
const asOf = Date.parse(values['from-turso'] ?? '')
if (!file === !(asOf <= Date.now())) {
  console.error(usage)
  process.exit(2)
}
try {
  const startedAt = Date.now()
  if (file) {
    const database = await openLocalDatabase(process.env)
    try {
      const { takenAt, rows } = await restoreBackup(file, database, console.log)
      console.log(
        `Restored ${rows.orders} orders as of ${takenAt} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`,
      )
      sayNext(takenAt)
    } finally {
      await database.stop()
    }
  } else {
    await finishRestore(databaseOf(process.env), asOf)
    sayNext(new Date(asOf).toISOString())
  }
} catch (error) {
  sayFailure(error, databaseOf(process.env))
}

function sayNext(takenAt: string): void {
  const commands = ['npm start', `npm run reconcile -- --since ${takenAt}`, 'npm run verify']
  const isLocal = !process.env.DATABASE_URL
  const [start, reconcile, verify] = commands.map((each) =>
    isLocal ? commandOf(readOptions(process.env), each) : each,
  )
  console.log('Everybody has to log in again.')
  if (isLocal) console.log(`Start the shop, whose database the next commands need:\n  ${start}`)
  console.log('Once the shop runs, look for the payments since the backup, and prove the rest:')
  console.log(`  ${reconcile}\n  ${verify}`)
}
