import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../dev/build'
import { migrateDatabase, startDatabase } from '../../dev/database'
import { isInstalled } from '../../dev/installed.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    template: string
  }
}

export default async function setup(project: TestProject) {
  // A test of `npm start` would install them, under the tests that run meanwhile.
  if (!isInstalled()) throw new Error('The packages are not those of package-lock.json. Run npm ci.')
  const named = process.argv.filter((argument) => /^(app|sandbox|tests)\b/.test(argument))
  // Only the test of open.server.ts opens the built shop there.
  const needsBuild = named.length === 0 || named.some((name) => !/^(app|sandbox)\/(?!db)/.test(name))
  if (needsBuild) await buildIfStale(console.warn)
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-template-'))
  const database = await startDatabase({ folder })
  await migrateDatabase(database)
  await database.stop()
  project.provide('template', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
