/* The first admin of a shop (R8). */
import { and, eq, isNull } from 'drizzle-orm'
import { openDatabase } from '../app/db/open.server'
import { users } from '../app/db/schema'
import { grantAdmin } from '../app/store/accounts/users.server'
import { databaseOf, sayFailure } from '../dev/environment'
import { scriptDeps } from '../dev/script-deps'

const email = process.argv[2]?.trim().toLowerCase()
const database = databaseOf(process.env)

if (!email) {
  console.error('Usage: npm run make-admin -- EMAIL')
  process.exit(2)
}
try {
  const db = openDatabase(database)
  const isKnown = (await grantAdmin(scriptDeps(db), 'make-admin', email)) !== null
  // Whoever runs this vouches for the address (R51).
  await db
    .update(users)
    .set({ emailVerifiedAt: Date.now() })
    .where(and(eq(users.email, email), isNull(users.emailVerifiedAt)))
  console.log(isKnown ? `${email} is an admin.` : `Nobody is registered as ${email}. Register first, then try again.`)
  process.exitCode = isKnown ? 0 : 1
} catch (error) {
  sayFailure(error, database)
}
