import { spawnSync } from 'node:child_process'
import { buildIfStale } from '../dev/build'
import { migrateDatabase } from '../dev/database'

const { DATABASE_URL, DATABASE_AUTH_TOKEN } = process.env

try {
  if (!DATABASE_URL) throw new Error('Which database? DATABASE_URL=libsql://… DATABASE_AUTH_TOKEN=… npm run deploy')
  await buildIfStale(console.log)
  console.log(`Migrating ${new URL(DATABASE_URL).host} …`)
  await migrateDatabase({ url: DATABASE_URL, authToken: DATABASE_AUTH_TOKEN })
  console.log('Deploying …')
  const { status } = spawnSync(
    'node_modules/.bin/wrangler',
    ['deploy', '--minify', '--var', `DATABASE_URL:${DATABASE_URL}`, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  )
  process.exitCode = status ?? 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
