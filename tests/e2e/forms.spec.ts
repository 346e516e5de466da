import { bothWays, asCustomer, expect, fillIn, test } from './shop'

asCustomer('shows order form errors beside each field and preserves the input', bothWays, async ({ page }) => {
  await page.goto('/instruments/flute-c')
  await fillIn(page, { Address: '<b>1 Bow Lane</b>\n🎺 Straße', Phone: '12345' }, 'Order Now')

  await expect(page.locator('.field').getByText('Order quantity is Required')).toBeVisible()
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
  await expect(page.getByLabel('Phone')).toHaveValue('12345')
  await expect(page.getByLabel('Phone')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Address')).toHaveValue('<b>1 Bow Lane</b>\n🎺 Straße')
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
})

test('keeps the email and clears the password after a failed login', async ({ page }) => {
  await page.goto('/login')
  await fillIn(page, { Email: 'ada@example.com', Password: 'not this one' }, 'Login')
  const refusal = page.locator('form').getByRole('alert')
  await expect(refusal).toHaveText('Wrong email or password.')
  await expect(refusal).toHaveCSS('color', 'rgb(179, 38, 30)')
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await expect(page.getByLabel('Password')).toHaveValue('')
})

test('names the required fields of empty login and register forms', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.locator('.field').getByText('Email is Required')).toBeVisible()
  await expect(page.locator('.field').getByText('Password is Required')).toBeVisible()
  await page.goto('/register')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.locator('.field').getByText('Name is Required')).toBeVisible()
})

for (const [path, button] of [
  ['/login', 'Login'],
  ['/register', 'Register'],
] as const) {
  test(`refuses a wrong email and a short password on ${path} in the specified words`, async ({ page }) => {
    await page.goto(path)
    await page
      .locator('form')
      .last()
      .evaluate((form: HTMLFormElement) => (form.noValidate = true))
    await fillIn(page, { Email: 'jo@shop', Password: '12345' }, button)
    await expect(page.locator('.field').getByText('Provide a valid Email')).toBeVisible()
    await expect(page.locator('.field').getByText('Must be 6 characters or longer')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('jo@shop')
  })
}
