/* The first admin of a shop (R8). */
import { openDatabase } from '../app/db/open.server'
import { grantAdmin } from '../app/store/accounts/users.server'
import { scriptDeps } from '../dev/script-deps'

const email = process.argv[2]?.trim().toLowerCase()
const url = process.env.DATABASE_URL ?? `http://127.0.0.1:${process.env.DB_PORT || 8790}`

if (!email) {
  console.error('Usage: npm run make-admin -- EMAIL')
  process.exit(2)
}
try {
  const db = openDatabase({ url, authToken: process.env.DATABASE_AUTH_TOKEN })
  const isKnown = (await grantAdmin(scriptDeps(db), 'make-admin', email)) !== null
  console.log(isKnown ? `${email} is an admin.` : `Nobody is registered as ${email}. Register first, then try again.`)
  process.exitCode = isKnown ? 0 : 1
} catch (error) {
  console.error(`The database at ${url} does not answer. Is the shop running (npm start)? Or set DATABASE_URL.`)
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
