import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { expect, onTestFinished, test } from 'vitest'
import { restoreBackup, takeBackup } from '../dev/backup'
import { migrateDatabase, startDatabase, type DatabaseAddress } from '../dev/database'
import { seedDemoShop } from '../dev/demo'

const quiet = () => undefined

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-verify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function emptyDatabase(): Promise<DatabaseAddress & { stop(): Promise<void> }> {
  const database = await startDatabase({ folder: temporaryFolder() })
  onTestFinished(() => database.stop())
  return database
}

function verify({ url, authToken }: DatabaseAddress) {
  const env = { ...process.env, DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken }
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'scripts/verify.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

test('says of a restored demo shop that it is whole, what was changed, and when it cannot tell', async () => {
  const database = await emptyDatabase()
  await migrateDatabase(database)
  await seedDemoShop(database)
  const file = join(temporaryFolder(), 'backup.gz')
  await takeBackup(database, file, quiet)
  const restored = await emptyDatabase()
  await restoreBackup(file, restored, quiet)
  const whole = await verify(restored)
  expect(whole.code).toBe(0)
  expect(whole.output).toContain('The shop is whole.')

  const client = createClient(restored)
  await client.execute('DROP TRIGGER sellers_are_never_changed')
  await client.execute(`UPDATE users SET role = 'admin' WHERE id = 'demo-ada'`)
  const changed = await verify(restored)
  expect(changed.code).toBe(1)
  expect(changed.output).toMatch(/^WRONG trigger sellers_are_never_changed: it is gone$/m)
  expect(changed.output).toMatch(/^WRONG user demo-ada \(ada@example.com\): nobody made this user an admin$/m)
  expect(changed.output).toMatch(/^2 wrong/m)

  await client.execute(
    'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
  )
  client.close()
  const older = await verify(restored)
  expect(older.code).toBe(2)
  expect(older.output).toContain('The schema of the database is not that of this version')
  expect(older.output).toContain('cannot tell')
})
