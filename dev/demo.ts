import { count, inArray, sql } from 'drizzle-orm'
import { openDatabase } from '../app/db/open.server'
import { auditLog, passwords, reviews, settingsVersions, users } from '../app/db/schema'
import { hashPassword } from '../app/store/accounts/passwords.server'
import { indexUsers } from '../app/store/accounts/user-search.server'
import { prepareInstrument } from '../app/store/catalog/manage-instruments.server'
import type { DatabaseAddress } from './database'
import { demoInstruments } from './demo/instruments'
import { demoReviews } from './demo/reviews'
import { scriptDeps } from './script-deps'

const demoPassword = 'practice'
const demoUsers = [
  { id: 'demo-admin', email: 'admin@example.com', name: 'Cadenza Admin', role: 'admin' as const },
  { id: 'demo-ada', email: 'ada@example.com', name: 'Ada', role: 'customer' as const },
]

export async function hasDemoUsers(database: DatabaseAddress): Promise<boolean> {
  const isDemo = inArray(
    users.id,
    demoUsers.map(({ id }) => id),
  )
  return (await openDatabase(database).$count(users, isDemo)) === demoUsers.length
}

/** Returns false if the database has users already. Never run it against a deployed shop. */
export async function seedDemoShop(database: DatabaseAddress): Promise<boolean> {
  const db = openDatabase(database)
  const [existing] = await db.select({ users: count() }).from(users)
  if (existing && existing.users > 0) return false

  const openedAt = Date.now() - 90 * 24 * 60 * 60 * 1000
  const hash = await hashPassword(demoPassword)
  // One batch: a half-filled database would never count as empty again.
  await db.batch([
    db.insert(users).values(demoUsers.map((user) => ({ ...user, emailVerifiedAt: openedAt, createdAt: openedAt }))),
    indexUsers(db, sql`true`),
    db.insert(auditLog).values({ at: openedAt, event: 'admin granted', actor: 'demo', userId: 'demo-admin' }),
    // The demo shop is open.
    db
      .insert(settingsVersions)
      .values({ version: 1, document: '{"firstSteps":"aside"}', savedAt: openedAt, savedBy: 'demo-admin' }),
    db.insert(passwords).values(demoUsers.map(({ id }) => ({ userId: id, hash, changedAt: openedAt }))),
    ...demoInstruments.flatMap(
      (instrument, index) =>
        prepareInstrument(
          scriptDeps(db, () => openedAt + index),
          'demo',
          instrument,
        ).statements,
    ),
    db.insert(reviews).values(demoReviews.map((review, index) => ({ ...review, createdAt: openedAt + index }))),
    // It begins here: no reader is 90 days behind.
    db.run(sql`UPDATE log_readers SET read_id = (SELECT max(id) FROM audit_log)`),
  ])
  return true
}
