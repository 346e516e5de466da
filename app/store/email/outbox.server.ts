import { emails } from '../../db/schema'
import type { Deps, Email } from '../deps'

/** A statement for the batch that makes the email true, so that both happen or neither. */
export function enqueueEmail({ db, now }: Deps, email: Email) {
  const at = now()
  return db
    .insert(emails)
    .values({ ...email, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}
