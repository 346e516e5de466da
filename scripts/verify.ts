/*
 * npm run verify                    computes the chain of all events again, and compares every order with it (decision 35)
 * npm run verify -- --head HASH     also looks for a link that the log, a backup or a receipt names
 * Exits with 1 if a row was changed, is missing or too many, or if there is no such link.
 */
import { openDatabase } from '../app/db/open.server'
import { parseHash } from '../app/store/chain/codes'
import { verifyChain } from '../app/store/chain/verify-chain.server'
import { readArguments } from '../dev/arguments'
import { databaseOf, sayFailure } from '../dev/environment'
import { scriptDeps } from '../dev/script-deps'

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
  const report = await verifyChain(scriptDeps(openDatabase(database)), find, wanted)
  const { links, orders, waiting, head, foundAt } = report
  if (wanted !== null && foundAt === null) find(`no link has the hash ${wanted}`)
  console.log(`${links} links and ${orders} orders in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  if (foundAt !== null) console.log(`The hash is that of link ${foundAt}.`)
  if (waiting > 0) console.log(`${waiting} events have no link yet: the cron trigger seals them.`)
  if (head) console.log(`Head: ${head.hash}`)
  console.log(wrong === 0 ? 'The chain is whole.' : `${wrong} wrong`)
  process.exitCode = wrong === 0 ? 0 : 1
} catch (error) {
  sayFailure(error, database)
}
