import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    storeTemplate: string
  }
}

export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-store-'))
  await makeTemplate(folder)
  project.provide('storeTemplate', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

export async function makeTemplate(folder: string, root = '.'): Promise<void> {
  const client = createClient({ url: `file:${join(folder, 'template.db')}` })
  const files = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
  const statements = files
    .sort()
    .flatMap((name) => readFileSync(join(root, 'migrations', name), 'utf8').split('--> statement-breakpoint'))
    .filter((statement) => statement.trim() !== '')
  await client.batch(statements)
  client.close()
}
