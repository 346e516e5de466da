import type { Locator, Page } from '@playwright/test'
import { bothWays, delivery, expect, fillIn, paymentPage, test } from './shop'

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

    test('keeps total and Order Now in view, and the order form short', bothWays, async ({ page, customer }) => {
      expect(customer.email).toBeTruthy()
      await page.goto('/instruments/flute-c?quantity=4')
      await expect(page.getByLabel('Order quantity')).toHaveValue('4')
      const controls = [page.locator('[data-total]'), page.getByRole('button', { name: 'Order Now' })]
      await expectInFirstView(page, [page.locator('.item .product-image'), ...controls])
      await expect(page.locator('[data-total]')).toHaveText('$3,040.00')
      await page.getByLabel('Phone').scrollIntoViewIfNeeded()
      for (const control of controls) await expect(control).toBeInViewport({ ratio: 1 })
      // Where the bar is at the end of the form.
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      const bar = page.locator('.order-bar')
      await bar.evaluate((element) => (element.style.position = 'static'))
      expect(await bar.evaluate((element) => element.getBoundingClientRect().bottom + scrollY)).toBeLessThan(1300)
    })

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

test(
  'says at its field why a chosen quantity cannot be ordered, and leads from Order Now to the payment',
  bothWays,
  async ({ page, customer }) => {
    expect(customer.email).toBeTruthy()
    for (const [chosen, words] of [
      ['1', 'cannot be less than minimum order'],
      ['5000', 'Cannot be more than available'],
      ['many', 'Order quantity must be a whole number'],
    ] as const) {
      await page.goto(`/instruments/flute-c?quantity=${chosen}`)
      await expect(page.locator('#orderQuantity-error')).toHaveText(words)
      await expect(page.getByLabel('Order quantity')).toHaveAttribute('aria-invalid', 'true')
    }
    await page.goto('/instruments/flute-c')
    await expect(page.getByLabel('Order quantity')).toHaveValue('')
    await expect(page.getByPlaceholder('must be atleast 3')).toBeVisible()
    await fillIn(page, { 'Order quantity': '3', ...delivery }, 'Order Now')
    await expect(page).toHaveURL(paymentPage)
    await expect(page.locator('.toast')).toContainText('New order added. Please complete payment!')
    await page.goto('/instruments/flute-c?quantity=3')
    await expect(page.getByLabel('Address')).toHaveValue(delivery.Address)
    await expect(page.getByLabel('Phone')).toHaveValue(delivery.Phone)
    await page.getByRole('link', { name: 'Pay it' }).click()
    await expect(page).toHaveURL(paymentPage)
  },
)
