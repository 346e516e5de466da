import { fillIn, mailedLink } from '../e2e/shop'
import { at, scene } from './scene'

export function identityScenes(): void {
  scene('login', 'on the way', {}, at('/login?redirectTo=%2Finstruments%2Foboe'))
  scene('login', 'errors', {}, async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Login' }).click()
    await page.locator('.field').getByText('Password is Required').waitFor()
  })
  scene('login', 'refused', {}, async ({ page }) => {
    await page.goto('/login')
    await fillIn(page, { Email: 'ada@example.com', Password: 'not this one' }, 'Login')
    await page.getByText('Wrong email or password').waitFor()
  })
  scene('login', 'toast', { withToast: true }, async ({ page }) => {
    await page.goto('/forgot-password')
    await fillIn(page, { Email: 'ada@example.com' }, 'Send the link')
    await page.getByText('Password reset email sent').waitFor({ state: 'attached' })
  })
  scene('register', 'errors', {}, async ({ page }) => {
    await page.goto('/register')
    await fillIn(page, { Email: 'nowhere', Password: 'short' }, 'Register')
    await page.locator('.field').getByText('Name is Required').waitFor()
  })
  scene('register', 'address taken', {}, async ({ page }) => {
    await page.goto('/register')
    await fillIn(page, { Name: 'Ada', Email: 'ada@example.com', Password: 'practice' }, 'Register')
    await page.getByText('already has an account').waitFor()
  })
  scene('forgot password', 'errors', {}, async ({ page }) => {
    await page.goto('/forgot-password')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.locator('.field').getByText('Enter valid email address').waitFor()
  })
  scene('reset password', 'plain', {}, async ({ page, shop }) => {
    await page.goto(await mailedLink(page.request, shop, 'ada@example.com', 'reset-password'))
  })
  scene('reset password', 'errors', {}, async ({ page, shop }) => {
    await page.goto(await mailedLink(page.request, shop, 'ada@example.com', 'reset-password'))
    await fillIn(page, { 'New password': 'short' }, 'Change my password')
    await page.locator('.field').getByText('Must be 6 characters or longer').waitFor()
  })
  scene('reset password', 'refused', {}, async ({ page }) => {
    await page.goto('/reset-password?token=x')
  })
  scene('verify email', 'plain', { as: 'newcomer' }, async ({ page, shop }) => {
    await page.goto(await mailedLink(page.request, shop, 'newcomer@example.com', 'verify-email'))
  })
  scene('verify email', 'refused', { as: 'newcomer' }, async ({ page }) => {
    await page.goto('/verify-email?token=x')
    await page.getByRole('button', { name: 'Verify my email' }).click()
    await page.getByText('already used').waitFor()
  })
}
