import { mails } from '../../db/schema'
import type { Deps, Letter } from '../deps'

/** The statement that puts a letter into the outbox, for the batch that makes what it tells of true. */
export function queueMail({ db, now }: Deps, letter: Letter) {
  const at = now()
  return db
    .insert(mails)
    .values({ ...letter, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}
