import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, isNull, or, sql } from 'drizzle-orm'
import { inject, test as base } from 'vitest'
import { openDatabase } from '../../app/db/open.server'
import { emails, health } from '../../app/db/schema'
import { setSessionCookie } from '../../app/http/auth/session.server'
import { grantAdmin } from '../../app/store/accounts/users.server'
import type { Deps } from '../../app/store/deps'
import { prepareSession } from '../../app/store/accounts/sign-in.server'
import { startSandbox } from '../../sandbox/serve'
import { startDatabase, type Database } from '../../dev/database'
import { localVars } from '../../dev/environment'
import { freePort } from '../../dev/ports'
import { check } from '../stress/checker/check'
import { describe, type Violation } from '../stress/checker/violation'
import { Fixture, testDeps, type Customer as User } from './fixture'
import { Host } from './host'
import { TestBrowser } from './test-browser'

export { expect } from 'vitest'
export { day, orderInput, parcel } from './fixture'

type Sandbox = Awaited<ReturnType<typeof startSandbox>>

export type Customer = User & { password: string }

const password = 'correct horse'

/** A shop for one test: a libSQL server on a copy of the migrated template, a sandbox, and the built Worker. */
export class Shop extends Fixture {
  readonly deps: Deps
  vars: Record<string, string>
  private hasBrowser = false
  private constructor(
    private readonly host: Host,
    public database: Database,
    readonly sandbox: Sandbox,
    private readonly folder: string,
  ) {
    super()
    const { origin } = host
    // Tests also write to the database directly, which the Worker's cache cannot notice.
    this.vars = {
      ...localVars({ origin, database, sandboxUrl: sandbox.url }),
      EDGE_CACHE_SECONDS: '0',
      // The shared Worker writes them seconds later: into the database of the next test.
    }
    this.deps = testDeps({
      db: openDatabase(database),
      origin,
      sandboxUrl: sandbox.url,
      report: (what, error) => console.error(what, error),
    })
  }

  /** With `webhooks` the sandbox posts them to the Worker. */
  static async open(host: Host, { webhooks = false } = {}): Promise<Shop> {
    const folder = mkdtempSync(join(tmpdir(), 'cadenza-shop-'))
    cpSync(inject('template'), folder, { recursive: true })
    const database = await startOn(host, folder)
    const nobody = 'http://127.0.0.1:9'
    const webhookUrl = () => `${webhooks ? shop.vars.SHOP_ORIGIN : nobody}/webhooks/stripe`
    const sandbox = await startSandbox({
      port: host.ports.sandbox,
      webhookUrl,
      log: webhooks ? () => undefined : console.error,
    })
    const shop: Shop = new Shop(host, database, sandbox, folder)
    return shop
  }

  /** Starts a Worker with these variables on a new origin; it serves the browsers created from now on. */
  async configure(vars: Record<string, string>): Promise<void> {
    this.moveTo(`http://127.0.0.1:${await freePort()}`)
    this.vars = { ...this.vars, ...vars }
  }

  /**
   * Moves to a Worker for tests that change the settings, which an isolate remembers until its next request to the database: to one
   * of its own with `vars`, which may keep copies of pages.
   */
  async changesSettings(vars?: Record<string, string>): Promise<void> {
    if (vars) await this.configure(vars)
    else this.moveTo(await this.host.sharedOrigin(this.vars))
  }

  private moveTo(origin: string): void {
    this.vars = { ...this.vars, SHOP_ORIGIN: origin }
    this.deps.origin = origin
  }

  get log(): readonly string[] {
    return this.host.log
  }

  /** As if the lease of an earlier run, which may have been cut off, had ended. */
  async cron(): Promise<void> {
    await this.deps.db.update(health).set({ cronLeaseUntil: 0 })
    await (await this.host.worker(this.vars)).scheduled()
  }

  /** Their keys in the bucket, which is that of all tests in a file. */
  async storedPictures(): Promise<string[]> {
    return (await this.host.worker(this.vars)).storedPictures()
  }

  async deletePictures(): Promise<void> {
    return (await this.host.worker(this.vars)).deletePictures()
  }

  /** Uses the checker, which shares no code with the shop. */
  check(): Promise<Violation[]> {
    return check({ database: this.database, sandboxUrl: this.sandbox.url })
  }

  async expectInvariants(): Promise<void> {
    if (this.hasBrowser && this.skipReason === null) await this.waitUntilIdle()
    if (this.skipReason === null) await this.readLog()
    const violations = this.skipReason === null ? await this.check() : []
    if (violations.length > 0) throw new Error(describe(violations))
  }

  async close(): Promise<void> {
    await this.sandbox.stop()
    await this.database.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async killDatabase(): Promise<void> {
    await this.stopDatabase()
    await this.restartDatabase()
  }

  async stopDatabase(): Promise<void> {
    process.kill(this.database.pid, 'SIGKILL')
    await this.database.stop()
  }

  async restartDatabase(): Promise<void> {
    this.database = await startOn(this.host, this.folder)
  }

  visitor(): TestBrowser {
    const { host, vars } = this
    this.hasBrowser = true
    return new (class extends TestBrowser {
      override async fetch(...args: Parameters<TestBrowser['fetch']>) {
        await host.worker(vars)
        return super.fetch(...args)
      }
    })(vars.SHOP_ORIGIN!, () => this.waitUntilIdle())
  }

  /** Inserts the session directly, because hashing a password is slow. */
  async signedIn(customer: { id: string }): Promise<TestBrowser> {
    const session = await prepareSession(this.deps, customer, 'test')
    await session.insert
    const visitor = this.visitor()
    const [pair] = (await setSessionCookie(this.deps.origin, session.session)).split(';')
    visitor.setCookie('session', pair!.slice('session='.length))
    return visitor
  }

  /** Waits for emails that the Worker sends after its responses; gives up after three seconds. */
  async waitUntilIdle(): Promise<void> {
    const until = Date.now() + 3000
    // What a test has done past the Worker.
    await this.readLog()
    const pending = () => {
      // A claim moves `due_at` a minute ahead, or more after each attempt.
      const isUnderWay = sql`${emails.dueAt} > ${Date.now()} AND ${emails.dueAt} - 60000 * min(${emails.attempts}, 60) > ${Date.now() - 2000}`
      const isWaiting = sql`${emails.dueAt} BETWEEN ${Date.now() - 1000} AND ${Date.now()}`
      return this.deps.db
        .select({ id: emails.id })
        .from(emails)
        .where(and(isNull(emails.sentAt), or(isUnderWay, isWaiting)))
    }
    for (let wait = 10; (await pending()).length > 0 && Date.now() < until; wait = Math.min(2 * wait, 100))
      await new Promise((resolve) => setTimeout(resolve, wait))
  }

  async customer(user: { name?: string; email?: string } = {}): Promise<Customer> {
    return { ...(await this.user({ ...user, password })), password }
  }

  async admin(): Promise<Customer> {
    const admin = await this.customer({ name: 'The Shopkeeper' })
    await grantAdmin(this.deps, 'test', admin.email)
    return admin
  }

  override async emailsTo(email: string) {
    const until = Date.now() + 1000
    for (;;) {
      await this.waitUntilIdle()
      const received = await super.emailsTo(email)
      // Some emails are written after the response.
      if (received.length === 0 && Date.now() < until) continue
      await this.waitUntilIdle()
      return received
    }
  }
}

const startOn = ({ ports, starter }: Host, folder: string) =>
  startDatabase({ folder, port: ports.database, start: starter.start })

export const test = base.extend<{ shop: Shop; host: Host; warmHost: Host }>({
  warmHost: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixture's needs from this pattern
    async ({}, use) => {
      const host = await Host.open()
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  host: [
    async ({ warmHost }, use) => {
      await use(warmHost)
      await warmHost.reset()
    },
    { scope: 'file' },
  ],
  shop: async ({ host, onTestFailed }, use) => {
    const logStart = host.log.length
    onTestFailed(() => console.error(host.log.slice(logStart).join('\n')))
    const shop = await Shop.open(host)
    try {
      await use(shop)
      await shop.expectInvariants()
    } finally {
      await shop.close()
    }
  },
})
