import { createClient } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Db } from '../app/db/open.server'

const migrationsFolder = 'migrations'

/** Throws if the database has not the migrations of this version of the shop. */
export async function requireSchema(db: Db): Promise<void> {
  const [last] = await db.all<{ version: number }>(sql`SELECT max(created_at) AS version FROM __drizzle_migrations`)
  if (last?.version !== readMigrationFiles({ migrationsFolder }).at(-1)!.folderMillis)
    throw new Error('The schema of the database is not that of this version of the shop.')
}

/**
 * The triggers that are missing, changed or too many, compared with those of the migrations. Without them rows can be changed that nothing
 * else proves.
 */
export async function findTriggerChanges(db: Db): Promise<string[]> {
  const client = createClient({ url: ':memory:' })
  try {
    const empty = drizzle(client)
    await migrate(empty, { migrationsFolder })
    const [wanted, found] = [await readTriggers(empty), await readTriggers(db)]
    return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((name) => {
      const [expected, actual] = [wanted.get(name), found.get(name)]
      if (expected === actual) return []
      const what = actual === undefined ? 'is gone' : expected === undefined ? 'is not one of the shop' : 'was changed'
      return [`trigger ${name}: it ${what}`]
    })
  } finally {
    client.close()
  }
}

async function readTriggers(db: Pick<Db, 'all'>): Promise<Map<string, string>> {
  const triggers = await db.all<{ name: string; text: string }>(
    sql`SELECT name, sql AS text FROM sqlite_schema WHERE type = 'trigger'`,
  )
  // Versions of SQLite quote a renamed table in different ways.
  return new Map(triggers.map(({ name, text }) => [name, text.replace(/[\s"'`[\]]/g, '')]))
}
