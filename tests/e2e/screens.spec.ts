import type { Page } from '@playwright/test'
import { bothWays, asCustomer, expect, fillIn, order, signInAs, test } from './shop'

const headersOf = (page: Page) => page.getByRole('columnheader').allTextContents()

test('stacks the home page sections in the specified order', async ({ page }) => {
  await page.goto('/home')
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
  const h1 = await page.getByRole('heading', { level: 1 }).textContent()
  expect(h1).toBe('Hello Music Lovers')
  const expected = [
    'Our Instruments',
    'About Us',
    'Our Business is Growing',
    'What our precious customers say?',
    'Contact us',
  ]
  expect(headings.filter((heading) => expected.includes(heading))).toEqual(expected)
  await expect(page.getByText(/four decades/).first()).toBeVisible()
  for (const figure of ['105+', '543+', '222+']) await expect(page.getByText(figure, { exact: true })).toBeVisible()
  for (const name of ['Number of Products', 'Orders Successfully Completed', 'Satisfactory Feedbacks']) {
    await expect(page.getByText(name)).toBeVisible()
  }
  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(page).toHaveURL(/\/allInstruments$/)
  await page.goto('/')
  await page.getByRole('link', { name: 'Know More' }).click()
  await expect(page).toHaveURL(/#contact$/)
})

test('shows six instruments on the home page and links to the others', async ({ page }) => {
  await page.goto('/')
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(6)
  const card = cards.first()
  await expect(card.locator('img')).toBeVisible()
  for (const text of ['Concert Violin 4/4', '$1,450.00', 'Minimum Order', 'Available'])
    await expect(card).toContainText(text)
  await expect(card.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', '/instruments/violin-4-4')
  await page.getByRole('link', { name: 'View All Instruments' }).click()
  const specified = ['SL. No', 'Name', 'Price', 'Available Quantity', 'Minimum Order']
  expect(await headersOf(page)).toEqual([...specified, 'Purchase'])
  await expect(page.getByRole('link', { name: 'PURCHASE' }).first()).toHaveAttribute('href', '/instruments/violin-4-4')
})

test('shows the contact form and four blocks with email and phone', async ({ page }) => {
  await page.goto('/')
  const contact = page.getByRole('region', { name: 'Contact us' })
  await expect(contact.getByRole('textbox', { name: 'Message' })).toHaveAttribute('rows', '3')
  await expect(contact.getByLabel('Send me a copy of this message')).toBeChecked()
  for (const block of ['Technical support', 'Sales questions', 'Order Questions', 'Bug report']) {
    await expect(contact.getByText(block)).toBeVisible()
  }
  await expect(contact.getByRole('link', { name: /@/ })).toHaveCount(4)
  await fillIn(contact, { Name: 'Grace', Email: 'grace@example.com' })
  await contact.getByRole('textbox', { name: 'Message' }).fill('Do you have a contrabassoon?')
  await contact.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('status')).toContainText('Thank you. Your message is on its way to us.')
})

test('shows the footer columns, the year, the author link and three icons', async ({ page }) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  for (const text of [
    'Services',
    'Branding',
    'Design',
    'Marketing',
    'Advertisement',
    'Company',
    'About us',
    'Contact',
  ]) {
    await expect(footer.getByText(text, { exact: true })).toBeVisible()
  }
  for (const text of ['Jobs', 'Press kit', 'Legal', 'Terms of use', 'Privacy policy', 'Cookie policy']) {
    await expect(footer.getByText(text, { exact: true })).toBeVisible()
  }
  await expect(footer).toContainText(String(new Date().getUTCFullYear()))
  await expect(footer.getByRole('link')).toHaveText(['The catalog in one file', 'Our profile'])
  await expect(footer.locator('svg')).toHaveCount(3)
})

test('shows the navigation of the user’s role', async ({ page }) => {
  await page.goto('/')
  const top = page.getByRole('banner')
  const families = ['Strings', 'Brass', 'Woodwind', 'Cases']
  await expect(top.getByRole('link')).toHaveText([/Cadenza/, ...families, 'Home', 'Login', 'Register'])
  await expect(top.getByRole('link', { name: 'Cadenza' })).toHaveAttribute('href', '/home')
  await signInAs(page, 'ada@example.com')
  await page.goto('/dashboard')
  for (const name of ['Home', 'Dashboard']) await expect(top.getByRole('link', { name })).toBeVisible()
  await expect(top.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await expect(top.getByRole('link', { name: 'Login' })).toHaveCount(0)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('shows the fields and links of login and register', async ({ page }) => {
  await page.goto('/login')
  for (const label of ['Email', 'Password']) await expect(page.getByLabel(label)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible()
  await page.getByRole('link', { name: 'Create an account' }).click()
  for (const label of ['Name', 'Email', 'Password']) await expect(page.getByLabel(label)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: /log ?in/i })
    .click()
  await expect(page).toHaveURL(/\/login/)
})

test('shows the dashboard menu of a customer and of an admin', async ({ page }) => {
  const menu = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await signInAs(page, 'ada@example.com')
  await page.goto('/dashboard')
  await expect(menu).toHaveText(['My Orders', 'Add a Review', 'My Profile', 'My Quotes'])
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ada')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard')
  const specified = ['My Profile', 'Make Admin', 'Add Product', 'Manage All Orders', 'Manage Products']
  await expect(menu).toHaveText([
    ...specified,
    /^Messages( \(\d+\))?$/,
    /^Price Requests( \(\d+\))?$/,
    ...['Reviews', 'Reports', 'Settings'],
  ])
})

asCustomer('shows the specified dashboard table columns', async ({ page }) => {
  await order(page, 'mandolin-a', 2)
  expect(await headersOf(page)).toEqual(['Instrument Name', 'Price', 'Order Quantity', 'Payment', 'Action'])
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard/makeAdmin')
  await expect(page.getByRole('heading', { name: 'All Users' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make Admin' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove User' }).first()).toBeVisible()
  await page.goto('/dashboard/manageOrders')
  await expect(page.getByRole('heading', { name: 'Manage All Orders' })).toBeVisible()
  expect(await headersOf(page)).toContain('Status')
  await page.goto('/dashboard/manageProduct')
  await expect(page.getByRole('heading', { name: 'Manage All Products' })).toBeVisible()
})

test('hides a toast after five seconds, with and without JavaScript', bothWays, async ({ page }) => {
  await page.goto('/forgot-password')
  await fillIn(page, { Email: 'ada@example.com' }, 'Send the link')
  await expect(page.getByRole('status')).toContainText('Password reset email sent')
  // The browser's own clock of the animation, set forward: the toast arrives after 200 ms, and a live region hears it.
  const seen = await page.locator('.toast').evaluate((toast) => {
    const animations = toast.getAnimations()
    return [199, 201, 5_199, 5_201, 60_000].map((ms) => {
      for (const animation of animations) {
        animation.pause()
        animation.currentTime = ms
      }
      return toast.checkVisibility({ visibilityProperty: true })
    })
  })
  expect(seen).toEqual([false, true, true, false, false])
})
