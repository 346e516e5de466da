import { scriptDeps } from '../../dev/script-deps'
import type { Browser, BrowserContext, Page } from 'playwright'
import { openDatabase } from '../../app/db/open.server'
import { grantAdmin } from '../../app/store/accounts/users.server'
import type { TemporaryShop } from '../../dev/temporary-shop'
import { long } from './words'

/** The newcomer has just registered and bought nothing; the wordy one is a customer whose every text is long. */
export type Person = 'customer' | 'newcomer' | 'wordy' | 'admin'

const password = 'practice'
const demo: Partial<Record<Person, string>> = { customer: 'ada@example.com', admin: 'admin@example.com' }
const names: Record<Person, string> = {
  customer: 'Ada',
  newcomer: 'Grace',
  wordy: long.customer,
  admin: 'Cadenza Admin',
}

/** The people of one shop, each signed in once, in a browser with scripts and in one without. */
export class People {
  private readonly contexts = new Map<string, Promise<BrowserContext>>()

  constructor(
    private readonly browser: Browser,
    private readonly shop: TemporaryShop,
    private readonly hasDemo: boolean,
  ) {}

  async newPage(person: Person | undefined, scripts: boolean): Promise<Page> {
    const key = `${person}, ${scripts}`
    if (!this.contexts.has(key)) this.contexts.set(key, this.openContext(person, scripts))
    return (await this.contexts.get(key)!).newPage()
  }

  private async openContext(person: Person | undefined, scripts: boolean): Promise<BrowserContext> {
    const options = {
      baseURL: this.shop.url,
      javaScriptEnabled: scripts,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
    } as const
    if (scripts || !person) {
      const context = await this.browser.newContext(options)
      if (person) await this.enter(context, person)
      return context
    }
    const signedIn = await this.newPage(person, true)
    const storageState = await signedIn.context().storageState()
    await signedIn.close()
    return this.browser.newContext({ ...options, storageState })
  }

  private async enter(context: BrowserContext, person: Person): Promise<void> {
    const page = await context.newPage()
    const known = this.hasDemo ? demo[person] : undefined
    const email = known ?? (person === 'wordy' ? long.email : `${person}@example.com`)
    await page.goto(known ? '/login' : '/register')
    if (!known) await page.getByLabel('Name').fill(names[person])
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: known ? 'Login' : 'Register' }).click()
    await page.waitForURL(/\/dashboard$/)
    if (!known && person === 'admin') {
      await grantAdmin(scriptDeps(openDatabase({ url: this.shop.databaseUrl })), 'gallery', email)
    }
    await page.close()
  }
}
