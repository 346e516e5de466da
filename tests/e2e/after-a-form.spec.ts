import type { Locator, Page } from '@playwright/test'
import { expect, order, pay, signInAs, test } from './shop'

test.use({ viewport: { width: 360, height: 400 }, contextOptions: { reducedMotion: 'reduce' } })

const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
const scrolled = (page: Page) => page.evaluate(() => window.scrollY)

/** With scripts the page does not scroll and `focused` has the focus; without, the browser goes to an anchor. */
async function staysAt(
  page: Page,
  javaScriptEnabled: boolean,
  act: () => Promise<void>,
  focused: Locator,
): Promise<void> {
  await act()
  await expect(page.locator('.toast')).toBeVisible()
  await expect(focused).toBeInViewport()
  if (javaScriptEnabled) await expect(focused).toBeFocused()
  else expect(new URL(page.url()).hash).not.toBe('')
}

test('keeps position and focus at the next order after Cancel', async ({ page, customer, javaScriptEnabled }) => {
  expect(customer.email).toBeTruthy()
  for (const id of ['cello-case', 'oboe', 'bassoon', 'tuba-bbb']) await order(page, id, 2)
  await page.goto('/dashboard/myOrders')
  const cancelled = row(page, /Oboe/)
  const cancel = cancelled.getByRole('button', { name: 'Cancel' })
  await cancel.scrollIntoViewIfNeeded()
  const before = await scrolled(page)
  expect(before).toBeGreaterThan(100)
  await staysAt(page, javaScriptEnabled, () => cancel.click(), row(page, /Cello/).getByRole('rowheader'))
  await expect(cancelled).toHaveCount(0)
  if (javaScriptEnabled) expect(await scrolled(page)).toBeGreaterThan(before - 300)
})

test('keeps position and focus at the row after Ship Now and Make Admin', async ({
  page,
  customer,
  javaScriptEnabled,
}) => {
  await order(page, 'cello-case', 2)
  await page.getByRole('link', { name: 'Pay' }).click()
  await pay(page, javaScriptEnabled)
  await expect(page.getByText('Your payment is successful!')).toBeVisible()
  for (const id of ['oboe', 'bassoon', 'tuba-bbb']) await order(page, id, 2)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signInAs(page, 'admin@example.com')

  await page.goto('/dashboard/manageOrders')
  const paid = row(page, new RegExp(`${customer.email}.*Paid`))
  const ship = paid.getByRole('button', { name: 'Ship Now' })
  await ship.scrollIntoViewIfNeeded()
  expect(await scrolled(page)).toBeGreaterThan(100)
  await staysAt(page, javaScriptEnabled, () => ship.click(), paid.getByRole('link', { name: 'Details' }))
  await expect(paid).toContainText('Shipped')

  await page.goto('/dashboard/makeAdmin')
  const user = row(page, new RegExp(customer.email))
  const make = user.getByRole('button', { name: 'Make Admin' })
  await make.scrollIntoViewIfNeeded()
  expect(await scrolled(page)).toBeGreaterThan(100)
  await staysAt(page, javaScriptEnabled, () => make.click(), user.getByRole('cell', { name: 'ADMIN' }))
})

test('keeps position and focus at the next product after Delete Product', async ({ page, javaScriptEnabled }) => {
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard/manageProduct')
  const rows = page.locator('tbody tr')
  const name = (await rows
    .nth(javaScriptEnabled ? 8 : 12)
    .getByRole('rowheader')
    .textContent())!
  const next = (await rows
    .nth(javaScriptEnabled ? 9 : 13)
    .getByRole('rowheader')
    .textContent())!
  const remove = page.getByRole('row', { name }).getByRole('button', { name: 'Delete Product' })
  await remove.scrollIntoViewIfNeeded()
  await remove.click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Product' })
  await staysAt(page, javaScriptEnabled, () => confirm.click(), page.getByRole('rowheader', { name: next }))
  await expect(page.getByRole('rowheader', { name, exact: true })).toHaveCount(0)
})

test('keeps position and focus at the next session after signing one out', async ({
  page,
  customer,
  javaScriptEnabled,
}) => {
  for (let session = 0; session < 3; session++) await signInAs(page, customer.email)
  await page.goto('/dashboard/myProfile/sessions')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(4)
  const end = rows.nth(1).getByRole('button')
  const next = (await rows.nth(2).locator('th span').getAttribute('id'))!
  await end.scrollIntoViewIfNeeded()
  const focused = page.locator(`th:has([id='${next}'])`)
  await staysAt(page, javaScriptEnabled, () => end.click(), focused)
  await expect(rows).toHaveCount(3)
})

test('shows and focuses the first invalid field on a phone', async ({ page, customer, javaScriptEnabled }) => {
  expect(customer.email).toBeTruthy()
  await page.goto('/instruments/oboe')
  await page.getByLabel('Order quantity').fill('2')
  await page.getByLabel('Address').fill('1 Bow Lane')
  await page.getByLabel('Phone').fill('12345')
  await page.getByRole('button', { name: 'Order Now' }).click()
  const phone = page.getByLabel('Phone')
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeInViewport()
  await expect(phone).toBeInViewport()
  await expect(phone).toBeFocused()
  await expect(page).toHaveTitle(/^Error: /)

  await page.goto('/dashboard/myProfile')
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Phone').fill('12345')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.locator('.field').getByText('Name is Required')).toBeInViewport()
  await expect(page.getByLabel('Name')).toBeFocused()
  const summary = page.getByRole('alert')
  await expect(summary.getByRole('link')).toHaveText(['Name is Required', 'Phone must be 11 digits'])
  await summary.getByRole('link', { name: 'Phone must be 11 digits' }).click()
  await expect(page.getByLabel('Phone')).toBeFocused()
  await expect(page.locator('.field').getByText('Name is Required')).toBeVisible()
  await page.getByLabel('Name').fill('Zoë')
  await page.getByLabel('Phone').fill('+39 0372 555 0199')
  await expect(summary).toHaveCount(javaScriptEnabled ? 0 : 1)
  await expect(page).toHaveTitle(javaScriptEnabled ? 'My Profile · Cadenza' : 'Error: My Profile · Cadenza')
})

test('shows the first invalid field on a phone without scripts', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Login' }).click()
  const refusal = page.getByRole('alert')
  await expect(refusal).toHaveText('Wrong email or password.')
  await expect(refusal).toBeInViewport()
  await expect(refusal).toBeFocused()
  await expect(page).toHaveTitle('Error: Login · Cadenza')

  await page.goto('/')
  await page.getByLabel('Name').fill('Zoë')
  await page.getByLabel('Email').fill('zoe@example.com')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.locator('.field').getByText('Message is Required')).toBeInViewport()
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
})

test('clears only the error of the edited field', async ({ page, customer, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'without JavaScript an error stays until the form is sent again')
  expect(customer.email).toBeTruthy()
  await page.goto('/instruments/oboe')
  await page.getByLabel('Phone').fill('12345')
  await page.getByRole('button', { name: 'Order Now' }).click()
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
  await page.getByLabel('Phone').fill('123456')
  await page.getByRole('button', { name: 'Order Now' }).click()
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
})
