import type { Page } from '@playwright/test'
import { expect, orderToPay, payInFull, signInAs, test } from '../e2e/shop'
import { pages } from '../support/pages'

const widths = (process.env.WIDTHS ?? '360,768,1280,1920').split(',').map(Number)
const emails = { anybody: '', customer: 'ada@example.com', admin: 'admin@example.com' }

/** At every width, light and dark. */
async function takeScreenshots(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(() => {
        for (const image of document.images) image.loading = 'eager'
        for (const animation of document.getAnimations()) animation.finish()
      })
      await expect(async () => {
        expect(await page.evaluate(() => [...document.images].every(({ complete }) => complete))).toBe(true)
      }).toPass()
      // A dialog covers the window, not the whole page.
      const body = await page.screenshot({ fullPage: (await page.locator('dialog[open]').count()) === 0 })
      await test.info().attach(`${width} ${colorScheme}`, { body, contentType: 'image/png' })
    }
}

for (const { address, as } of pages)
  test(address, async ({ page }) => {
    if (as !== 'anybody') await signInAs(page, emails[as])
    await page.goto(address)
    await takeScreenshots(page)
  })

for (const [path, button] of [
  ['/login', 'Login'],
  ['/register', 'Register'],
  ['/dashboard/addReview', 'Submit'],
  ['/dashboard/addProduct', 'Add Product'],
  ['/instruments/flute-c', 'Order Now'],
] as const)
  test(`${path} with errors`, async ({ page }) => {
    if (!/^\/(login|register)/.test(path)) await signInAs(page, emails.admin)
    await page.goto(path)
    await page.getByRole('main').getByRole('button', { name: button }).click()
    await expect(page.locator('.field .error').first()).toBeVisible()
    await takeScreenshots(page)
  })

test('from an order to its invoice', async ({ page }) => {
  await signInAs(page, emails.customer)
  await orderToPay(page, 'oboe', 1)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  await takeScreenshots(page)
  await payInFull(page)
  await takeScreenshots(page)
  for (const link of ['View the order', 'Receipt', /^Invoice /]) {
    await page.getByRole('link', { name: link }).click()
    await page.waitForLoadState()
    await takeScreenshots(page)
  }
})
