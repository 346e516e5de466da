import { emails } from '../../db/schema'
import type { Deps, Email } from '../deps'

/** The statement that puts a letter into the outbox, for the batch that makes what it tells of true. */
export function enqueueEmail({ db, now }: Deps, letter: Email) {
  const at = now()
  return db
    .insert(emails)
    .values({ ...letter, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}
