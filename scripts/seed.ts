import { count } from 'drizzle-orm'
import { openDatabase } from '../app/db/open.server'
import { passwords, reviews, users } from '../app/db/schema'
import { addInstrument } from '../app/store/catalogue.server'
import { grantAdmin } from '../app/store/customers.server'
import { hashPassword } from '../app/store/passwords.server'
import { demoInstruments } from '../sandbox/demo/instruments'
import { demoReviews } from '../sandbox/demo/reviews'

/** The password of both demo accounts: for the sandbox, which is on nobody's network. */
const demoPassword = 'practice'

/** Puts the demo shop into an empty database; answers whether it was empty. Never run against a deployed shop. */
export async function seedDemoShop(url: string): Promise<boolean> {
  const db = openDatabase({ url })
  const [present] = await db.select({ users: count() }).from(users)
  if (present && present.users > 0) return false

  const opened = Date.now() - 90 * 24 * 60 * 60 * 1000
  for (const [index, instrument] of demoInstruments.entries()) {
    await addInstrument({ db, now: () => opened + index }, 'demo', instrument)
  }
  const hash = await hashPassword(demoPassword)
  for (const { id, email, name } of [
    { id: 'demo-admin', email: 'admin@example.com', name: 'Cadenza Admin' },
    { id: 'demo-ada', email: 'ada@example.com', name: 'Ada' },
  ]) {
    await db.batch([
      db.insert(users).values({ id, email, name, emailVerifiedAt: opened, createdAt: opened }),
      db.insert(passwords).values({ userId: id, hash, changedAt: opened }),
    ])
  }
  await grantAdmin({ db, now: () => opened }, 'demo', 'admin@example.com')
  await db.insert(reviews).values(demoReviews.map((review, index) => ({ ...review, createdAt: opened + index })))
  return true
}
