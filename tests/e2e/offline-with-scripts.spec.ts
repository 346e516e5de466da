import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, signInAs, test as base } from './shop'

const test = base.extend({
  // The default page fails on console errors, and a page that cannot be loaded is one.
  page: async ({ context }, use) => use(await context.newPage()),
})

/** Of all that the browser keeps. */
const copies = (page: Page) =>
  page.evaluate(async () => {
    const found: Record<string, string> = {}
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        found[new URL(request.url).pathname] = await (await cache.match(request))!.text()
    }
    return found
  })

const paths = async (page: Page) => Object.keys(await copies(page))

test('reads pages offline that were seen before, and says as of when', async ({ page, context }) => {
  await page.goto('/home')
  await expect.poll(() => paths(page)).toEqual(expect.arrayContaining(['/home', '/plates/violin-4-4.svg']))
  await page.goto('/allInstruments')
  await page.goto('/catalog/oboe-conservatoire-system')
  await expect.poll(() => paths(page)).toEqual(expect.arrayContaining(['/allInstruments', '/plates/oboe.svg']))
  await context.setOffline(true)
  for (const path of ['/home', '/allInstruments', '/catalog/oboe-conservatoire-system']) {
    await page.goto(path)
    await expect(page.locator('main').getByRole('status').first()).toContainText(
      /The shop cannot be reached\. You cannot .* This is a copy, as of \w+day, \w+ \d+, \d{4} at \d+:\d\d/,
    )
    await expect(page).toHaveTitle(/^Copy: /)
    expect(
      await page
        .locator('main img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0)
  }
  await page.goto('/reviews')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await page.getByRole('link', { name: 'All instruments', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'All instruments' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveTitle(/^All instruments/)
})

test('copies nothing personal, and signing out leaves the copies alone', async ({ page, customer, context }) => {
  await page.goto('/allInstruments')
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  // The copy is the page as anybody gets it.
  await expect.poll(() => paths(page)).toContain('/allInstruments')
  for (const path of ['/dashboard', '/instruments/oboe', '/dashboard/myProfile', '/reviews']) await page.goto(path)
  await expect.poll(() => paths(page)).toContain('/reviews')
  for (const [path, text] of Object.entries(await copies(page))) {
    expect(path).not.toMatch(/^\/(dashboard|instruments)/)
    expect(text).not.toContain(customer.email)
    expect(text).not.toContain(customer.name)
    expect(text).not.toContain('Sign Out')
  }
  const before = await paths(page)
  await page.evaluate(() => (localStorage['unsentOrder.x'] = '{}'))
  const cleared = page.waitForResponse('**/clear-cache')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await cleared
  expect(await paths(page)).toEqual(expect.arrayContaining(before))
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  await signInAs(page, customer.email)
  await context.setOffline(true)
  await page.goto('/reviews')
  await expect(page.getByText('This is a copy, as of')).toBeVisible()
})

test('opens the catalog from a file without asking for anything', async ({ page, request, browser }) => {
  const response = await request.get('/catalog.html')
  const file = join(await mkdtemp(join(tmpdir(), 'cadenza-')), 'catalog.html')
  await writeFile(file, await response.body())
  const stick = await browser.newPage({ colorScheme: 'dark' })
  const asked: string[] = []
  stick.on('request', (request) => asked.push(request.url()))
  stick.on('console', (message) => asked.push(message.text()))
  await stick.goto(`file://${file}`)
  // Other tests add and hide instruments.
  const onSale = await request.get('/instruments', { headers: { accept: 'application/json' } })
  await expect(stick.getByRole('listitem')).toHaveCount(((await onSale.json()) as unknown[]).length)
  const { width } = (await stick.locator('li svg').first().boundingBox())!
  expect(width).toBe(96)
  expect(asked).toEqual([`file://${file}`])
  await stick.close()
  await page.goto('/allInstruments')
  await page.getByRole('link', { name: 'The catalog in one file' }).click()
  await expect(page.getByRole('heading', { name: 'Cadenza: catalog' })).toBeVisible()
})
