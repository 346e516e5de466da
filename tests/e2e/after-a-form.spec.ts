import type { Locator, Page } from '@playwright/test'
import { asCustomer, expect, fillIn, order, payInFull, test } from './shop'

test.use({ viewport: { width: 360, height: 400 } })

const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
const scrolled = (page: Page) => page.evaluate(() => window.scrollY)

/** Lists have no scripts: an anchor leads back to the row, amid the others. */
async function staysAt(page: Page, act: () => Promise<void>, focused: Locator): Promise<void> {
  await act()
  await expect(page.locator('.toast')).toBeVisible()
  await expect(focused).toBeFocused()
  await expect(focused).toBeInViewport({ ratio: 1 })
}

asCustomer('stays at the next order after Cancel', async ({ page }) => {
  for (const id of ['cello-case', 'oboe', 'alto-saxophone', 'clarinet-bb']) await order(page, id, 2)
  await page.goto('/dashboard/myOrders')
  const cancelled = row(page, /Oboe/)
  const cancel = cancelled.getByRole('button', { name: 'Cancel' })
  await cancel.scrollIntoViewIfNeeded()
  const before = await scrolled(page)
  expect(before).toBeGreaterThan(100)
  const next = row(page, /Cello/).getByRole('link', { name: /Cello/ })
  await staysAt(page, () => cancel.click(), next)
  await expect(cancelled).toHaveCount(0)
  expect(Math.abs((await scrolled(page)) - before)).toBeLessThan(300)
})

asCustomer('shows a refusal in the row of its button', async ({ page, context, javaScriptEnabled }) => {
  for (const id of ['cello-case', 'oboe', 'alto-saxophone', 'clarinet-bb']) await order(page, id, 2)
  const other = await context.newPage()
  await other.goto('/dashboard/myOrders')
  const oboe = row(page, /Oboe/)
  await row(other, /Oboe/).getByRole('link', { name: 'Pay' }).click()
  await payInFull(other, javaScriptEnabled)

  const cancel = oboe.getByRole('button', { name: 'Cancel' })
  await cancel.click()
  const refusal = oboe.getByRole('alert')
  await expect(refusal).toBeFocused()
  await expect(refusal).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page).toHaveTitle('Error: My Orders · Cadenza')
  await expect(cancel).toHaveCount(0)
})

asCustomer('shows and focuses the first invalid field on a phone', async ({ page, javaScriptEnabled }) => {
  await page.goto('/instruments/oboe')
  await fillIn(page, { 'Order quantity': '2', Address: '1 Bow Lane', Phone: '12345' }, 'Order Now')
  const phone = page.getByLabel('Phone')
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeInViewport()
  await expect(phone).toBeInViewport()
  await expect(phone).toBeFocused()
  await expect(page).toHaveTitle(/^Error: /)

  await page.goto('/dashboard/myProfile')
  await fillIn(page, { Name: '', Phone: '12345' }, 'Update Profile')
  await expect(page.locator('.field').getByText('Name is Required')).toBeInViewport()
  await expect(page.getByLabel('Name')).toBeFocused()
  const summary = page.getByRole('alert')
  await expect(summary.getByRole('link')).toHaveText(['Name is Required', 'Phone must be 11 digits'])
  await summary.getByRole('link', { name: 'Phone must be 11 digits' }).click()
  await expect(page.getByLabel('Phone')).toBeFocused()
  await expect(page.locator('.field').getByText('Name is Required')).toBeVisible()
  await fillIn(page, { Name: 'Zoë', Phone: '+39 0372 555 0199' })
  await expect(summary).toHaveCount(javaScriptEnabled ? 0 : 1)
  await expect(page).toHaveTitle(javaScriptEnabled ? 'My Profile · Cadenza' : 'Error: My Profile · Cadenza')
})

test('shows the first invalid field on a phone without scripts', async ({ page }) => {
  await page.goto('/login')
  await fillIn(page, { Email: 'ada@example.com', Password: 'not this one' }, 'Login')
  const refusal = page.getByRole('alert')
  await expect(refusal).toHaveText('Wrong email or password.')
  await expect(refusal).toBeInViewport()
  await expect(refusal).toBeFocused()
  await expect(page).toHaveTitle('Error: Login · Cadenza')

  await page.goto('/')
  await fillIn(page, { Name: 'Zoë', Email: 'zoe@example.com' }, 'Send')
  await expect(page.locator('.field').getByText('Message is Required')).toBeInViewport()
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
})

asCustomer('clears only the error of the edited field', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'without JavaScript an error stays until the form is sent again')
  await page.goto('/instruments/oboe')
  await fillIn(page, { Phone: '12345' }, 'Order Now')
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
  await page.getByLabel('Phone').fill('+39 0372 555 0199')
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toHaveCount(0)
  await expect(page.getByLabel('Phone')).not.toHaveAttribute('aria-invalid')
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    'Order quantity is Required',
    'Address is Required',
  ])
  await expect(page).toHaveTitle(/^Error: /)
  await expect(page.locator('.field').getByText('Address is Required')).toBeVisible()
  await fillIn(page, { Phone: '123456' }, 'Order Now')
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
})

/** Requests for what matches wait until the function is called. */
async function holdBack(page: Page, pattern: string): Promise<() => void> {
  let release: () => void = () => undefined
  const line = new Promise<void>((resolve) => (release = resolve))
  await page.route(pattern, async (route) => {
    await line
    await route.continue()
  })
  return release
}

asCustomer(
  'clears the error of a field that was edited before the scripts came',
  async ({ page, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, 'without JavaScript an error stays until the form is sent again')
    const release = await holdBack(page, '**/assets/*.js')
    await page.goto('/instruments/oboe', { waitUntil: 'commit' })
    await page.getByLabel('Phone').fill('12345')
    await page.getByRole('button', { name: 'Order Now' }).click()
    const error = page.locator('.field').getByText('Phone must be 11 digits')
    await expect(error).toBeVisible()
    await page.getByLabel('Phone').fill('+39 0372 555 0199')
    await expect(error).toBeVisible()
    release()
    await expect(error).toHaveCount(0)
    await expect(page.locator('.field').getByText('Address is Required')).toBeVisible()
    await expect(page.getByRole('alert').getByRole('link')).toHaveText([
      'Order quantity is Required',
      'Address is Required',
    ])
  },
)

asCustomer('leaves the focus in the field where the user has gone on to type', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'without JavaScript the page is loaded anew')
  await page.goto('/instruments/oboe', { waitUntil: 'networkidle' })
  const release = await holdBack(page, '**/*.data*')
  await page.getByRole('button', { name: 'Order Now' }).click()
  const address = page.getByLabel('Address')
  await address.pressSequentially('1 Bow')
  release()
  await expect(page.locator('.field').getByText('Phone is Required')).toBeVisible()
  await expect(address).toBeFocused()
  await page.keyboard.type(' Lane')
  await expect(address).toHaveValue('1 Bow Lane')
})
