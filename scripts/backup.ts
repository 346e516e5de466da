/* npm run backup [-- FILE]: a checked copy of the database in one compressed file. */
import { statSync } from 'node:fs'
import { takeBackup } from '../dev/backup'
import { databaseOf, sayFailure } from '../dev/environment'

const database = databaseOf(process.env)
const file = process.argv[2] ?? `cadenza-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup.gz`

try {
  const startedAt = Date.now()
  console.log(`Copying ${new URL(database.url).host} …`)
  const { takenAt, rows } = await takeBackup(database, file, console.log)
  const megabytes = (statSync(file).size / 1e6).toFixed(1)
  console.log(`${file}: ${megabytes} MB, ${rows.orders} orders, ${sum(rows)} rows, as of ${takenAt}`)
  console.log(
    `Taken in ${((Date.now() - startedAt) / 1000).toFixed(1)} s. It has addresses and emails of customers: keep it safe.`,
  )
} catch (error) {
  console.error('There is no backup:')
  sayFailure(error, database)
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0)
}
