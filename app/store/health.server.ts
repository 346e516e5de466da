import { sql } from 'drizzle-orm'
import type { Deps } from './deps'

export async function isHealthy({ db }: Deps): Promise<boolean> {
  try {
    await db.run(sql`SELECT 1`)
    return true
  } catch {
    return false
  }
}
