/*
 * npm run verify: recomputes orders, refunds, invoices, credit notes, stock, roles, quotes, sellers, sales and customers from the rows that
 * they must agree with, and compares the triggers with those of the migrations (decision 35).
 * Exits with 0 if the shop is whole, with 1 if a row was changed, is missing or too many, and with 2 if it cannot tell: the database does
 * not answer, or its schema is not that of this version.
 */
import { sql } from 'drizzle-orm'
import { openDatabase } from '../app/db/open.server'
import { readArguments } from '../dev/arguments'
import { databaseOf, sayFailure } from '../dev/environment'
import { findTriggerChanges, requireSchema } from '../dev/triggers'
import { verifyRows } from '../dev/verify/rows'

readArguments({}, 'Usage: npm run verify')
const database = databaseOf(process.env)

try {
  const startedAt = Date.now()
  let wrong = 0
  const find = (finding: string) => {
    wrong++
    console.log(`WRONG ${finding}`)
  }
  const db = openDatabase(database)
  await requireSchema(db)
  for (const change of await findTriggerChanges(db)) find(change)
  await verifyRows(db, find)
  const [read] = await db.all<{ orders: number }>(sql`SELECT count(*) AS orders FROM orders`)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`Read ${read!.orders} orders, with all that belongs to them, in ${seconds} s.`)
  console.log(
    wrong === 0
      ? 'The shop is whole. Decision 35 says what this cannot find.'
      : `${wrong} wrong: somebody has changed rows behind the shop. Keep the database as it is; a backup has the rows of before.`,
  )
  process.exitCode = wrong === 0 ? 0 : 1
} catch (error) {
  sayFailure(error, database)
  console.error('This run cannot tell whether the shop is whole.')
  process.exitCode = 2
}
