/* npm run restore -- FILE: loads a backup into an empty database. docs/restore.md */
import { restoreBackup } from '../dev/backup'
import { openLocalDatabase } from '../dev/environment'

const file = process.argv[2]
if (!file) {
  console.error('Usage: npm run restore -- FILE')
  process.exit(2)
}
try {
  const startedAt = Date.now()
  const database = await openLocalDatabase(process.env)
  try {
    const { takenAt, rows } = await restoreBackup(file, database, console.log)
    console.log(`Restored ${rows.orders} orders as of ${takenAt} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
    console.log('Everybody has to log in again. Once the shop runs, look for the payments since the backup:')
    console.log(`  npm run reconcile -- --since ${takenAt}`)
  } finally {
    await database.stop()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
