import { expect, fillIn, test } from './shop'

test('signs in with Google and continues to the instrument', async ({ page, shop }) => {
  await page.goto('/instruments/bassoon')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in with Google (sandbox)' })).toBeVisible()
  await page.getByRole('button', { name: 'Grace grace@example.com' }).click()
  await expect(page).toHaveURL(`${shop.url}/instruments/bassoon`)
  await expect(page.getByLabel('Email')).toHaveValue('grace@example.com')
})

test('shows a Google error in red under the form that started the sign-in', async ({ page }) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: /^Mallory/ }).click()
  await expect(page).toHaveURL(/\/register\?google=unverified$/)
  const problem = page.locator('form').getByRole('alert')
  await expect(problem).toHaveText('Google has not verified this email, so you cannot log in with it here.')
  await expect(problem).toHaveCSS('color', 'rgb(179, 38, 30)')
  await expect(problem).toBeInViewport()
  await page.goto('/login?redirectTo=%2FallInstruments')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/login\?google=cancelled&redirectTo=%2FallInstruments$/)
  await expect(problem).toHaveText('You cancelled at Google.')
  await fillIn(page, { Email: 'ada@example.com', Password: 'not this one' }, 'Login')
  await expect(problem).toHaveText('Wrong email or password.')
})
