/*
 * npm run task -- close-account EMAIL_OR_NUMBER …     closes accounts as their customers do: after a restore, or by a letter
 * Exits with 1 if one is still open.
 */
import { eq, or } from 'drizzle-orm'
import { users } from '../app/db/schema'
import { closeAccount } from '../app/store/privacy/close-account.server'
import { Refusal } from '../app/store/shared/refusal'
import { databaseOf, sayFailure } from '../dev/environment'
import { shopDeps } from '../dev/shop-deps'

const names = process.argv.slice(2).map((name) => name.trim().toLowerCase())
if (names.length === 0) {
  console.error('Usage: npm run task -- close-account EMAIL_OR_NUMBER …')
  process.exit(2)
}
try {
  const deps = { ...(await shopDeps(process.env)), invalidate: () => undefined }
  for (const name of names) {
    const [user] = await deps.db
      .select({ id: users.id })
      .from(users)
      .where(or(eq(users.email, name), eq(users.id, name)))
    const isDone = user && (await closeAccount(deps, user, { actor: 'close-account' }).catch(sayRefusal))
    const outcomes = new Map<unknown, string>([
      [undefined, 'there is no such account.'],
      [true, 'closed. The next cron trigger sends the emails about it.'],
      [false, 'was closed before.'],
    ])
    console.log(`${name}: ${outcomes.get(isDone) ?? String(isDone)}`)
    if (isDone !== true && isDone !== false) process.exitCode = 1
  }
} catch (error) {
  sayFailure(error, databaseOf(process.env))
}

function sayRefusal(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}
