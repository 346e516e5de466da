import type { Page } from '@playwright/test'
import { isWhole } from '../support/depth'
import { adminPages, customerPages, dailyPages, openPages } from '../support/pages'
import { adminLogin, asCustomer, availableOf, expect, fillIn, order, payInFull, product, signInAs, test } from './shop'
import { expectNothingFrom } from './axe'
import { expectNothingBeside, narrow } from './sideways'

/** Holds the scripts of the next page until the result is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let show: () => void = () => undefined
  const scripts = new Promise<void>((resolve) => (show = resolve))
  await page.route(/\.js$/, async (route) => {
    await scripts
    await route.continue()
  })
  return show
}

asCustomer('disables the order button on an invalid quantity and updates the total while typing', async ({ page }) => {
  const showScripts = await holdScripts(page)
  await page.goto('/instruments/flute-c', { waitUntil: 'commit' })
  const quantity = page.getByLabel('Order quantity')
  const button = page.getByRole('button', { name: 'Order Now' })
  const total = page.locator('[data-total]')
  await expect(total).toHaveText('from $2,280.00')
  await quantity.fill('4')
  showScripts()
  await expect(total).toHaveText('$3,040.00')
  await page.getByRole('button', { name: 'One more' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await expect(quantity).toHaveValue('6')
  await expect(total).toHaveText('$4,560.00')
  await quantity.fill('4')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'One less' })).toBeFocused()
  for (const value of ['3', '3']) {
    await page.keyboard.press('Enter')
    await expect(quantity).toHaveValue(value)
  }
  await expect(page.getByText('cannot be less')).toHaveCount(0)
  await quantity.fill('')
  await page.getByRole('button', { name: 'One more' }).click()
  await expect(quantity).toHaveValue('3')
  await quantity.fill('2')
  await expect(page.getByText('cannot be less than minimum order')).toBeVisible()
  await expect(button).toBeDisabled()
  await quantity.fill('100000')
  await expect(page.getByText('Cannot be more than available')).toBeVisible()
  await expect(button).toBeDisabled()
  await quantity.fill('3')
  await expect(page.getByText('Total for 3 $2,280.00')).toBeVisible()
  await expect(button).toBeEnabled()
})

asCustomer('counts an unpaid order as available that was ticked before the scripts came', async ({ page }) => {
  await order(page, 'harp-lever-34', 1)
  const available = await availableOf(page, 'harp-lever-34')
  const showScripts = await holdScripts(page)
  await page.goto('/instruments/harp-lever-34', { waitUntil: 'commit' })
  await page.getByLabel('Order quantity').fill(String(available + 1))
  await page.getByLabel('Replace my unpaid order').check()
  showScripts()
  await expect(page.getByRole('button', { name: 'One less' })).toBeVisible()
  await expect(page.getByText('Cannot be more than available')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Order Now' })).toBeEnabled()
  await page.getByLabel('Replace my unpaid order').uncheck()
  await expect(page.getByText('Cannot be more than available')).toBeVisible()
})

asCustomer(
  "passes axe on a customer's pages, light and dark, and scrolls none sideways from 320 px",
  async ({ page }) => {
    await order(page, 'oboe', 1)
    for (const path of customerPages) await expectAccessible(page, path)
  },
)

asCustomer('passes axe from order to receipt, light and dark', async ({ page }) => {
  await order(page, 'oboe', 1)
  await expectNothingFrom(page)
  await page.getByRole('rowheader').getByRole('link').click()
  await expect(page.getByRole('heading', { name: /^Order C-/ })).toBeVisible()
  await expectNothingFrom(page)
  await page.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  await expectNothingFrom(page)
  await payInFull(page)
  await expectNothingFrom(page)
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expectNothingFrom(page)
})

test('passes axe on the public pages, light and dark, and scrolls none sideways from 320 px', async ({ page }) => {
  for (const path of openPages) await expectAccessible(page, path)
  await page.goto('/register')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.locator('.field').getByText('Name is Required')).toBeVisible()
  await expectNothingFrom(page)
})

test('previews a new product’s card while typing', async ({ page }) => {
  await page.goto('/login?redirectTo=%2Fdashboard%2FaddProduct')
  await fillIn(page, adminLogin, 'Login')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await fillIn(page, { Name: 'Piccolo' })
  await expect(preview).toContainText('Piccolo')
  await expect(preview.locator('img')).toHaveCount(0)
  await fillIn(page, { Name: 'Piccolo', ...product })
  await expect(preview).toContainText('$349.99')
  await expect(preview.locator('img')).toHaveAttribute('src', '/plates/flute-c.svg')
  const picture = page.getByLabel('Picture', { exact: true })
  if (await picture.isEnabled()) {
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('any') })
    await expect(preview.locator('img')).toHaveAttribute('src', /^blob:/)
  }
})

test('previews what was typed before the scripts came', async ({ page }) => {
  await signInAs(page, adminLogin.Email)
  const showScripts = await holdScripts(page)
  await page.goto('/dashboard/addProduct', { waitUntil: 'commit' })
  await fillIn(page, { Name: 'Piccolo', ...product })
  showScripts()
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Piccolo')
})

test('passes axe on the admin pages, light and dark, and scrolls none sideways from 320 px', async ({ page }) => {
  await page.goto('/login')
  await fillIn(page, adminLogin, 'Login')
  await expect(page.getByText('Welcome to your Dashboard')).toBeVisible()
  for (const path of isWhole ? adminPages : dailyPages) await expectAccessible(page, path)
})

test('moves the focus into the delete dialog and back on Escape', async ({ page }) => {
  await page.goto('/login?redirectTo=%2Fdashboard%2FmanageProduct')
  await fillIn(page, adminLogin, 'Login')
  const button = page.getByRole('row', { name: /Bassoon/ }).getByRole('button', { name: 'Delete Product' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: /Delete Bassoon/ })
  await expect(dialog.getByRole('link', { name: 'Keep it' })).toBeFocused()
  // The script has run: until then Escape closes nothing.
  await expect(page.locator('dialog:modal')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button).toBeFocused()
})

asCustomer('shows a loading bar and a working button while a form is on its way', async ({ page }) => {
  await page.goto('/dashboard/myProfile')
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/*', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  const bar = page.getByRole('progressbar', { name: 'Loading' })
  await expect(bar).toHaveCount(0)
  await fillIn(page, { Phone: '07700 900123' }, 'Update Profile')
  await expect(bar).toBeVisible()
  await expect(page.getByRole('button', { name: 'Working…' })).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(page.getByRole('status')).toContainText('Your profile is updated')
  await expect(bar).toHaveCount(0)
})

asCustomer('loads a page anew that Back brings back while its form is still on its way', async ({ page }) => {
  await page.goto('/dashboard/myProfile')
  await page.route('**/*', (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
  await fillIn(page, { Phone: '07700 900123' }, 'Update Profile')
  const bar = page.getByRole('progressbar', { name: 'Loading' })
  await expect(bar).toBeVisible()
  // As browsers with a back/forward cache do: Playwright's has none.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Update Profile' })).toBeEnabled()
})

async function expectAccessible(page: Page, path: string): Promise<void> {
  const size = page.viewportSize()!
  await expectNothingFrom(page, path)
  await expectNothingBeside(page, undefined, [narrow])
  await page.setViewportSize(size)
}
