import type { Locator, Page } from '@playwright/test'
import { bothWays, expect, test } from './shop'

/* The way from an instrument to a paid order, in numbers. */

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
]

/** How far down a control ends, in pixels of the page. */
async function endOf(control: Locator): Promise<number> {
  const { y, height } = (await control.boundingBox())!
  return y + height
}

async function expectInFirstView(page: Page, controls: Locator[]): Promise<void> {
  const { height } = page.viewportSize()!
  for (const control of controls) {
    await expect(control).toBeVisible()
    expect(await endOf(control), String(control)).toBeLessThanOrEqual(height)
  }
}

for (const viewport of sizes) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport })

    test('shows picture, name, price, stock and Purchase in the first view of an instrument', async ({ page }) => {
      for (const [slug, stock] of [
        ['concert-violin-4-4', 'In stock'],
        ['oboe-conservatoire-system', 'In stock'],
      ] as const) {
        await page.goto(`/catalog/${slug}`)
        const main = page.getByRole('main')
        await expectInFirstView(page, [
          main.locator('.product-image').first(),
          main.getByRole('heading', { level: 1 }),
          main.locator('.purchase-price'),
          main.getByText(stock, { exact: true }),
          main.getByLabel('Quantity'),
          main.getByRole('button', { name: 'Purchase' }),
        ])
      }
    })
  })
}

test('takes the quantity of an instrument’s page along through the login', bothWays, async ({ page, shop }) => {
  await page.goto('/catalog/concert-violin-4-4')
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Purchase' }).click()
  const wanted = '/instruments/violin-4-4?quantity=3'
  await expect(page).toHaveURL(`${shop.url}/login?redirectTo=${encodeURIComponent(wanted)}`)
})
