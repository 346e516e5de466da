import { relative } from 'node:path'
import { expect, test as base, type APIRequestContext, type Browser, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../../app/db/open.server'
import { passwords, users } from '../../app/db/schema'
import { setSessionCookie } from '../../app/http/auth/session.server'
import { prepareSession } from '../../app/store/accounts/sign-in.server'
import { newId } from '../../app/store/shared/ids.server'
import { scriptDeps } from '../../dev/script-deps'
import { openTemporaryShop, type TemporaryShop } from '../../dev/temporary-shop'
import { measureCost } from '../support/costs'
import { quickHash } from '../support/quick-passwords'
import { delivery, fillIn } from './fill-in'

const password = 'correct horse'
let people = 0
/** Of this worker process. */
let openShop: TemporaryShop

export const test = base.extend<
  { cost: undefined; verified: boolean; customer: { email: string; name: string } },
  { shop: TemporaryShop }
>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const shop = await openTemporaryShop()
      openShop = shop
      // Many tests log in with the demo's password.
      await openDatabase(shop.database)
        .update(passwords)
        .set({ hash: quickHash('practice') })
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ shop }, use) => use(shop.url),

  cost: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use, { file }) => {
      const end = measureCost(relative(process.cwd(), file))
      await use(undefined)
      end()
    },
    { auto: true },
  ],

  /** A console error or a failed script fails the test. */
  page: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => {
      // A slow machine may skip a view transition; a page that is left while it loads its data anew breaks that off.
      const isOfLeaving = /Transition was skipped|^TypeError: network error$/.test(String(error))
      if (!isOfLeaving) complaints.push(String(error))
    })
    page.on('console', (message) => {
      // Chromium logs every 4xx response as an error.
      if (message.type() === 'error' && !message.text().includes('the server responded with a status of 4')) {
        complaints.push(message.text())
      }
    })
    await use(page)
    expect(complaints).toEqual([])
  },

  verified: [true, { option: true }],

  customer: async ({ page, verified }, use) => {
    const name = `Customer ${++people}`
    const email = `customer${process.pid}x${people}@example.com`
    const [id, at] = [newId(), Date.now()]
    const db = openDatabase(openShop.database)
    await db.batch([
      db.insert(users).values({ id, name, email, createdAt: at, emailVerifiedAt: verified ? at : null }),
      db.insert(passwords).values({ userId: id, hash: quickHash(password), changedAt: at }),
    ])
    await signInAs(page, email)
    await use({ email, name })
  },
})

/** A test whose browser is signed in as a customer, whoever that is. */
export const asCustomer = test.extend<{ signedIn: { email: string } }>({
  signedIn: [({ customer }, use) => use(customer), { auto: true }],
})

/** For a way that `npm test` also takes in a browser without JavaScript. tests/pages sends every form without it. */
export const bothWays = { tag: '@both-ways' }

/** For a test of which `npm test` has another size, line or page, or whose bug a faster test sees: `npm run test:all` runs it. */
export const drill = { tag: '@drill' }

export { expect }
export * from './fill-in'

/** Adds the session to the database and the browser: tests of the forms for it are in identity.spec.ts. */
export async function signInAs(page: Page, email: string): Promise<void> {
  const deps = scriptDeps(openDatabase(openShop.database))
  const [user] = await deps.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const { session, insert } = await prepareSession(deps, user!, 'Chromium')
  await insert
  const [pair = ''] = (await setSessionCookie(openShop.url, session)).split(';')
  const [name = '', value = ''] = pair.split(/=(.*)/)
  await page.context().addCookies([{ name, value, url: openShop.url, httpOnly: true, sameSite: 'Lax' }])
}

/** A page of its own beside the customer's. */
export async function openShopkeeper(browser: Browser, javaScriptEnabled = true): Promise<Page> {
  const page = await browser.newPage({ baseURL: openShop.url, javaScriptEnabled })
  await signInAs(page, 'admin@example.com')
  return page
}

/** And ends on My Orders. The form for it is in buy.spec.ts. */
export async function order(page: Page, instrument: string, quantity: number): Promise<void> {
  await placeOrder(page, instrument, quantity)
  await page.goto('/dashboard/myOrders')
}

/** And ends on the page of its payment, as the customer does (R54). */
export async function orderToPay(page: Page, instrument: string, quantity: number): Promise<void> {
  await page.goto(`/dashboard/myOrders/payment/${await placeOrder(page, instrument, quantity)}`)
}

async function placeOrder(page: Page, instrumentId: string, orderQuantity: number): Promise<string> {
  const response = await page.request.post('/order', {
    data: { instrumentId, orderQuantity, customerAddress: delivery.Address, customerPhone: delivery.Phone },
    headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin' },
  })
  expect(response.status(), `ordering ${instrumentId}`).toBe(200)
  const { insertedId } = (await response.json()) as { insertedId: string }
  return insertedId
}

/** Puts a product on sale, by the form for it, and gives the last part of its address. */
export async function addProduct(page: Page, name: string, fields: Record<string, string>): Promise<string> {
  await page.goto('/dashboard/addProduct')
  await fillIn(page, { Name: name, 'Image URL': '/plates/bassoon.svg', Price: '12345.67', ...fields }, 'Add Product')
  await expect(page.getByText('New Product added!')).toBeVisible()
  await page.goto('/allInstruments')
  const link = page.getByRole('row', { name }).getByRole('link', { name: 'PURCHASE' })
  return (await link.getAttribute('href'))!.split('/').at(-1)!
}

export const paymentPage = /\/dashboard\/myOrders\/payment\/[\w-]+$/

export async function availableOf(page: Page, instrument: string): Promise<number> {
  await page.goto(`/instruments/${instrument}`)
  return Number(await page.locator('dt:text-is("Available") + dd').textContent())
}

export async function payByCard(page: Page, number: string): Promise<void> {
  await fillIn(page, { 'Card number': number, 'Expiry (MM / YY)': '12 / 40', CVC: '123', 'Name on card': 'A Customer' })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

export async function mailedLink(
  request: APIRequestContext,
  shop: { sandboxUrl: string },
  email: string,
  kind: 'verify-email' | 'reset-password' | 'unsubscribe' | 'dashboard/quotes',
): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const response = await request.get(`${shop.sandboxUrl}/mail?to=${encodeURIComponent(email)}`)
    const mails = (await response.json()) as { text: string }[]
    link = mails.map(({ text }) => new RegExp(`http\\S+/${kind}\\S+`).exec(text)?.[0]).find(Boolean)
    expect(link).toBeTruthy()
  }).toPass()
  return link!
}

export async function payInCardForm(page: Page, number: string): Promise<void> {
  const fields = page.frameLocator('iframe[title]')
  await fields.getByLabel('Card number').fill(number)
  await fields.getByLabel(/^Expiration date/).fill('12 / 40')
  await fields.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
}

export async function pay(page: Page, scripted: boolean, number = '4242 4242 4242 4242'): Promise<void> {
  if (scripted) return payInCardForm(page, number)
  await page.getByRole('button', { name: 'Pay on the secure page' }).click()
  await payByCard(page, number)
}

export async function payInFull(page: Page, scripted = true): Promise<void> {
  await pay(page, scripted)
  await expect(page.getByText('Your payment is successful!')).toBeVisible()
}
