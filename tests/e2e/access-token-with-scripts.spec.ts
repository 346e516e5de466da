import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../../app/db/open.server'
import { sessions, users } from '../../app/db/schema'
import { isWhole } from '../support/depth'
import { expect, fillIn, test } from './shop'

async function signInTo(page: Page, path: string, email = 'ada@example.com'): Promise<string> {
  const exchange = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.goto(`/login?redirectTo=${encodeURIComponent(path)}`)
  await fillIn(page, { Email: email, Password: 'practice' }, 'Login')
  const { token } = (await (await exchange).json()) as { token: string }
  expect(token).toMatch(/^cdz_/)
  expect(new URL(page.url()).pathname).toBe(path)
  return token
}

for (const path of ['/dashboard/manageOrders', '/dashboard/manageProduct']) {
  test(`removes the access token when ${path} finds the session ended`, async ({ page, shop }) => {
    const token = await signInTo(page, '/dashboard', 'admin@example.com')
    await expect.poll(() => heldIn(page, 'localStorage')).toBe(token)
    const db = openDatabase(shop.database)
    const [admin] = await db.select({ id: users.id }).from(users).where(eq(users.email, 'admin@example.com'))
    await db.delete(sessions).where(eq(sessions.userId, admin!.id))
    await page.goto(path)
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await heldIn(page, 'localStorage')).toBeNull()
  })
}

type Storages = ('localStorage' | 'sessionStorage')[]

async function breakStorage(page: Page, how: { forbidden: Storages; full: Storages }): Promise<void> {
  await page.addInitScript(({ forbidden, full }) => {
    const stores = full.map((name) => window[name])
    const { json } = Response.prototype
    Response.prototype.json = async function () {
      const response: unknown = await json.call(this)
      setTimeout(() => document.documentElement.setAttribute('data-heard', ''))
      return response
    }
    const setItem = Storage.prototype.setItem
    Storage.prototype.setItem = function (name, value) {
      // Remix's own entries are small enough to fit.
      if (stores.includes(this) && name === 'accessToken') throw new DOMException('', 'QuotaExceededError')
      setItem.call(this, name, value)
    }
    for (const name of forbidden) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
  }, how)
}

const heldIn = (page: Page, kind: 'localStorage' | 'sessionStorage') =>
  page.evaluate((name) => window[name].getItem('accessToken'), kind)

/** A page with scripts, one without, and an error page. */
const kinds = ['/dashboard', '/allInstruments', '/nowhere']
const others = ['/instruments/oboe', '/home', '/instruments/nowhere']
for (const path of isWhole ? [...kinds, ...others] : kinds) {
  test.describe(path, () => {
    test('exchanges the session for an access token on the first page after sign-in', async ({
      page,
      request,
      shop,
    }) => {
      const token = await signInTo(page, path)
      await expect.poll(() => heldIn(page, 'localStorage')).toBe(token)
      const headers = { authorization: `Bearer ${token}` }
      const ask = () => request.get(`${shop.url}/admin/ada@example.com`, { headers })
      expect(await (await ask()).json()).toEqual({ admin: false })

      // The next page has no scripts, and signing out there must still empty the storage.
      await page.goto('/reviews')
      expect(await page.locator('script[src]').count()).toBe(0)
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
      expect(await heldIn(page, 'localStorage')).toBeNull()
      expect((await ask()).status()).toBe(401)
    })
  })
}

const places: { place: string; forbidden: Storages; full: Storages }[] = [
  { place: 'local storage', forbidden: [], full: [] },
  { place: 'session storage, where local storage is forbidden', forbidden: ['localStorage'], full: [] },
  { place: 'session storage, where local storage is full', forbidden: [], full: ['localStorage'] },
  { place: 'memory, where both are', forbidden: ['localStorage'], full: ['sessionStorage'] },
]

for (const { place, ...how } of places) {
  for (const path of isWhole ? ['/dashboard', '/allInstruments'] : ['/allInstruments']) {
    test(`revokes the access token held in ${place} at sign-out (${path})`, async ({ page, request, shop }) => {
      await breakStorage(page, how)
      const token = await signInTo(page, path)
      if (place.startsWith('local')) await expect.poll(() => heldIn(page, 'localStorage')).toBe(token)
      if (place.startsWith('session')) await expect.poll(() => heldIn(page, 'sessionStorage')).toBe(token)
      await expect(page.locator('html[data-heard]')).toBeAttached()

      const leaving = page.waitForRequest((request) => request.url().endsWith('/sign-out'))
      await page.getByRole('button', { name: 'Sign Out' }).click()
      expect(new URLSearchParams((await leaving).postData() ?? '').get('accessToken')).toBe(token)
      await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
      expect(await heldIn(page, 'sessionStorage')).toBeNull()
      const headers = { authorization: `Bearer ${token}` }
      expect((await request.get(`${shop.url}/admin/ada@example.com`, { headers })).status()).toBe(401)
    })
  }
}

test('shows no page of a customer that Back brings back after the session has ended', async ({ page, context }) => {
  const token = await signInTo(page, '/dashboard/myProfile')
  await expect.poll(() => heldIn(page, 'localStorage')).toBe(token)
  await context.clearCookies()
  // As browsers with a back/forward cache do: Playwright's has none.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page).toHaveURL(/\/login\?redirectTo=/)
})
