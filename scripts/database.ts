/* The libSQL server of a shop that is deployed elsewhere, until SIGTERM. Arguments are more flags for sqld. */
import { startLocalDatabase, stopRequested } from '../dev/environment'

const stopping = stopRequested()
const database = await startLocalDatabase(process.env, process.argv.slice(2))
console.log(`The database is at ${database.url}. Its token is in ${database.tokenFile}.`)
const death = await Promise.race([stopping, database.ended])
if (death === undefined) await database.stop()
else console.error(`The database server (sqld) has ended by itself. ${death}`)
process.exit(death === undefined ? 0 : 1)
