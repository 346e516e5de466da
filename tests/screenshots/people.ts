import type { Browser, BrowserContext, Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../../app/db/open.server'
import { users } from '../../app/db/schema'
import { grantAdmin } from '../../app/store/accounts/users.server'
import { scriptDeps } from '../../dev/script-deps'
import type { TemporaryShop } from '../../dev/temporary-shop'
import { long } from '../support/long-texts'
import { fillIn } from '../e2e/fill-in'

/** The newcomer has just registered and ordered nothing; every text of the wordy customer is long. */
export type Person = 'customer' | 'newcomer' | 'wordy' | 'admin'

const password = 'practice'
const demoEmails: Partial<Record<Person, string>> = { customer: 'ada@example.com', admin: 'admin@example.com' }

/** One browser context per person of a shop, signed in once, with and without scripts. */
export class SignedInBrowsers {
  private readonly registered = new Set<Person>()
  private readonly contexts = new Map<string, Promise<BrowserContext>>()

  constructor(
    private readonly browser: Browser,
    private readonly shop: TemporaryShop,
    private readonly hasDemo: boolean,
  ) {}

  async newPage(person: Person | undefined, scripts: boolean): Promise<Page> {
    const key = `${person}, ${scripts}`
    if (!this.contexts.has(key)) this.contexts.set(key, this.openContext(person, scripts))
    const page = await (await this.contexts.get(key)!).newPage()
    page.setDefaultTimeout(10_000)
    return page
  }

  private async openContext(person: Person | undefined, scripts: boolean): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      baseURL: this.shop.url,
      javaScriptEnabled: scripts,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
    })
    if (person) await this.signIn(await context.newPage(), person)
    return context
  }

  private async signIn(page: Page, person: Person): Promise<void> {
    const demoEmail = this.hasDemo ? demoEmails[person] : undefined
    const email = demoEmail ?? (person === 'wordy' ? long.email : `${person}@example.com`)
    const isRegistered = demoEmail !== undefined || this.registered.has(person)
    this.registered.add(person)
    await page.goto(isRegistered ? '/login' : '/register')
    if (!isRegistered) await page.getByLabel('Name').fill(person === 'wordy' ? long.customer : 'Grace')
    await fillIn(page, { Email: email, Password: password })
    await page.getByRole('button', { name: isRegistered ? 'Login' : 'Register' }).click()
    await page.waitForURL(/\/dashboard$/)
    if (!this.hasDemo && person === 'admin') {
      const deps = scriptDeps(openDatabase(this.shop.database))
      await deps.db.update(users).set({ emailVerifiedAt: Date.now() }).where(eq(users.email, email))
      await grantAdmin(deps, 'screenshots', email)
    }
    await page.close()
  }
}
