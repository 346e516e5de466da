/*
 * npm run verify                    computes the chain of all events again, and compares orders, refunds, invoices, credit notes, stock,
 *                                   roles, quotes, sellers, sales and customers with it and with each other (decision 35)
 * npm run verify -- --head HASH     also looks for a link that the log, a backup or a receipt names
 * Exits with 0 if the shop is whole, with 1 if a row was changed, is missing or too many, or if there is no such link, and with 2 if it
 * cannot tell: the database does not answer, or its schema is not that of this version.
 */
import { openDatabase } from '../app/db/open.server'
import { parseHash } from '../app/store/chain/codes'
import { verifyChain } from '../app/store/chain/verify-chain.server'
import { verifyRows } from '../app/store/chain/verify-rows.server'
import { readArguments } from '../dev/arguments'
import { databaseOf, sayFailure } from '../dev/environment'
import { scriptDeps } from '../dev/script-deps'
import { findTriggerChanges, requireSchema } from '../dev/triggers'

const usage = 'Usage: npm run verify [-- --head HASH]: a hash of the chain, or the code of a receipt'
const { values } = readArguments({ options: { head: { type: 'string' } } }, usage)
const wanted = values.head === undefined ? null : parseHash(values.head)
if (values.head !== undefined && wanted === null) {
  console.error(usage)
  process.exit(2)
}
const database = databaseOf(process.env)

try {
  const startedAt = Date.now()
  let wrong = 0
  const find = (finding: string) => {
    wrong++
    console.log(`WRONG ${finding}`)
  }
  const deps = scriptDeps(openDatabase(database))
  await requireSchema(deps.db)
  for (const change of await findTriggerChanges(deps.db)) find(change)
  const report = await verifyChain(deps, find, wanted)
  await verifyRows(deps, find)
  const { links, orders, waiting, head, foundAt } = report
  if (wanted !== null && foundAt === null)
    find(`no link has the hash ${wanted}: the newest events are gone, or all were written anew`)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`Read ${links} links of the chain and ${orders} orders, with all that belongs to them, in ${seconds} s.`)
  if (foundAt !== null) console.log(`The hash is that of link ${foundAt}.`)
  if (waiting > 0)
    console.log(`${waiting} events have no link yet, so nothing proves them: the cron trigger seals them.`)
  if (head) console.log(`Head: ${head.hash}`)
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
