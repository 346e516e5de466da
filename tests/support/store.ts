import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type Client } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql/web'
import { inject, test as base } from 'vitest'
import type { Deps } from '../../app/store/deps'
import { newId } from '../../app/store/shared/ids.server'
import { startSandbox } from '../../sandbox/serve'
import { check } from '../stress/checker/check'
import { describe } from '../stress/checker/violation'
import { Fixture, testDeps, type Customer, type NewUser } from './fixture'

export { expect } from 'vitest'
export { day, hour, minute, noon, orderInput, parcel, type Customer, type Fixture as Store } from './fixture'

/** app/store on libSQL in this process: it starts in milliseconds, so mutation testing can run thousands of tests. */
class StoreOnDisk extends Fixture {
  readonly deps: Deps
  readonly invalidated: string[] = []
  readonly reported: string[] = []

  constructor(
    private readonly client: Client,
    readonly sandbox: { url: string },
  ) {
    super()
    this.deps = testDeps({
      db: drizzle(client),
      origin: 'http://127.0.0.1:8788',
      sandboxUrl: sandbox.url,
      invalidate: (what) => void this.invalidated.push(what),
      report: (event, _error, about) => void this.reported.push(about === undefined ? event : `${event}: ${about}`),
    })
  }

  async expectInvariants(): Promise<void> {
    if (this.skipReason !== null) return
    await this.readLog()
    const rowsOf = async (query: string) => (await this.client.execute(query)).rows.map((row) => ({ ...row }) as never)
    const violations = await check({ database: rowsOf, sandboxUrl: this.sandbox.url })
    if (violations.length > 0) throw new Error(describe(violations))
  }

  /** `password` is hashed only if given, because hashing is slow. */
  customer(user: NewUser = {}): Promise<Customer> {
    return this.user(user)
  }

  admin(): Promise<Customer> {
    return this.user({ name: 'The Shopkeeper', role: 'admin' })
  }
}

/** A database in a file of its own: migrated and without rows, or a copy of the one in `from`; null: empty. */
export async function openCopy(from: string | null = join(inject('storeTemplate'), 'template.db')) {
  const file = join(inject('storeTemplate'), `${newId()}.db`)
  if (from !== null) copyFileSync(from, file)
  // Each connection parses all of the schema, which takes 3 ms.
  const client = createClient({ url: `file:${file}`, concurrency: 1 })
  // No test needs this file to survive a power failure.
  await client.executeMultiple('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;')
  const close = () => {
    client.close()
    rmSync(file, { force: true })
  }
  return { file, client, close }
}

/** As if it were `now`. */
export const at = ({ deps }: Fixture, now: number): Deps => ({ ...deps, now: () => now })

export const test = base.extend<{ shop: StoreOnDisk }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixture's needs from this pattern
  shop: async ({}, use) => {
    const { client, close } = await openCopy()
    const sandbox = await startSandbox({
      port: 0,
      webhookUrl: 'http://127.0.0.1:9/webhooks/stripe',
      log: () => undefined,
    })
    try {
      const store = new StoreOnDisk(client, sandbox)
      await use(store)
      await store.expectInvariants()
    } finally {
      close()
      await sandbox.stop()
    }
  },
})
