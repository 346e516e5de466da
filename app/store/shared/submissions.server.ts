import { and, eq, lt, sql, type SQL } from 'drizzle-orm'
import { submissions } from '../../db/schema'
import type { Deps } from '../deps'
import { idOf } from './ids.server'
import { retention } from './limits'
import { Refusal } from './refusal'

interface Submission {
  /** Whose number it is: a user, or who shares numbers with others. */
  actor: string
  /** The `Idempotency-Key` of a call, or the submission id of a form. */
  key: string
  /** Everything that it says and where it was sent to. */
  content: unknown
  /** Of the refusal. */
  message?: string
}

/**
 * Runs what a call or a form asks for, unless its number has stood for something else (R65): a repeat runs again, and its command recognizes it. What is
 * refused leaves the number free. Orders, which must not wait for it, keep their own (`isUsedElsewhere`).
 */
export async function withSubmission<Result>(
  { db, now }: Deps,
  { actor, key, content: said, message = usedForOther }: Submission,
  command: () => Promise<Result>,
): Promise<Result> {
  const content = await idOf(JSON.stringify(said))
  const own = and(eq(submissions.actor, actor), eq(submissions.key, key))
  const [made, [kept]] = await db.batch([
    db.run(sql`
      INSERT INTO submissions (actor, key, content, at) SELECT ${actor}, ${key}, ${content}, ${now()}
      WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = ${actor} AND submission_id = ${key}) ON CONFLICT DO NOTHING`),
    db.select({ content: submissions.content }).from(submissions).where(own),
  ])
  if (kept?.content !== content) throw new Refusal('conflict', message, { isUsed: true })
  try {
    return await command()
  } catch (error) {
    // What is thrown and no error is a redirect, to the login.
    const isRefused = error instanceof Refusal || !(error instanceof Error)
    if (isRefused && made.rowsAffected === 1) await db.delete(submissions).where(own)
    throw error
  }
}

const usedForOther = 'You have already sent this with something else in it. Send it again if you want both.'

/** SQL: the number of an order has stood for something else. */
export function isUsedElsewhere(customerId: string | SQL, submissionId: string): SQL<number> {
  return sql`EXISTS (SELECT 1 FROM submissions WHERE actor = ${customerId} AND key = ${submissionId})`
}

/** For the cron trigger. */
export async function forgetSubmissions({ db, now }: Deps): Promise<void> {
  await db.delete(submissions).where(lt(submissions.at, now() - retention.submissions))
}
