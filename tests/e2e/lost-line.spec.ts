import type { Page } from '@playwright/test'
import { BrokenLine } from './broken-line'
import { bothWays, delivery, expect, fillIn, paymentPage, test as base, waitForScripts } from './shop'

const test = base.extend<{ line: BrokenLine }>({
  line: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const line = new BrokenLine()
      await use(line)
      await line.close()
    },
    { scope: 'test' },
  ],
  // Chromium does not use a proxy for loopback addresses by default.
  proxy: async ({ line }, use) => use({ server: await line.open(), bypass: '<-loopback>' }),
  // The default page fails on console errors, and a broken connection is one.
  page: async ({ context }, use) => use(await context.newPage()),
})

const text = () => `Sent once, ${crypto.randomUUID()}`

/**
 * Chromium saves for Back what was typed a second later, when the history changes, or when the page ends: that may come
 * after a Back within the same instant. `replaceState` would make a GET of a page that came by POST.
 */
async function saveInput(page: Page): Promise<void> {
  const cameByPost = await page.locator('[aria-invalid=true]').count()
  if (cameByPost > 0) await page.waitForTimeout(1100)
  else await page.evaluate(() => history.replaceState(history.state, ''))
}

async function sendTwice(page: Page, line: BrokenLine, cut: 'before' | 'after', button: string, scripted: boolean) {
  const press = () => page.getByRole('button', { name: button }).click()
  await (scripted ? waitForScripts(page) : saveInput(page))
  line.cut = cut
  await press()
  if (scripted) await expect(page.locator('form').getByRole('alert')).toHaveText('Could not reach the shop. Try again')
  else await expect(page).toHaveURL('chrome-error://chromewebdata/')
  line.cut = null
  if (!scripted) await page.goBack()
}

for (const cut of ['before', 'after'] as const) {
  const when = `${cut === 'before' ? 'request' : 'response'} got lost`

  test(
    `places an order once and preserves the input when its ${when}`,
    bothWays,
    async ({ page, line, customer, javaScriptEnabled }) => {
      expect(customer.email).toBeTruthy()
      await page.goto('/instruments/flute-c')
      await fillIn(page, { 'Order quantity': '4', ...delivery })
      await sendTwice(page, line, cut, 'Order Now', javaScriptEnabled)
      // With scripts, the page sends it again by itself.
      if (!javaScriptEnabled) {
        await expect(page.getByLabel('Order quantity')).toHaveValue('4')
        await expect(page.getByLabel('Address')).toHaveValue('1 Bow Lane\nCremona')
        await page.getByRole('button', { name: 'Order Now' }).click()
      }
      await expect(page).toHaveURL(paymentPage)
      await expect(page.getByText(cut === 'before' ? 'New order added.' : 'You already placed this')).toBeVisible()
      await page.goto('/dashboard/myOrders')
      await expect(page.getByRole('link', { name: 'Pay' })).toHaveCount(1)
    },
  )

  test(`creates one account and signs in when its ${when}`, async ({ page, line, shop }) => {
    const email = `${crypto.randomUUID()}@example.com`
    await page.goto('/register')
    await fillIn(page, { Name: 'Zoë', Email: email, Password: 'correct horse' })
    await sendTwice(page, line, cut, 'Register', false)
    await expect(page.getByLabel('Name')).toHaveValue('Zoë')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    // Browsers do not restore passwords.
    await fillIn(page, { Password: 'correct horse' }, 'Register')
    await expect(page.getByText('User Registered. Please verify your email.')).toBeVisible()
    await expect(async () => {
      const mails = await (await fetch(`${shop.sandboxUrl}/mail?to=${email}`)).json<unknown[]>()
      expect(mails).toHaveLength(1)
    }).toPass()
  })
}

test('shows the list on Back when the response of its action was lost', async ({ page, line, customer }) => {
  expect(customer.email).toBeTruthy()
  await page.goto('/instruments/flute-c')
  await fillIn(page, { 'Order quantity': '3', ...delivery }, 'Order Now')
  await expect(page).toHaveURL(paymentPage)
  await page.goto('/dashboard/myOrders')
  line.cut = 'before'
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await cancel.click()
  await expect(page).toHaveURL('chrome-error://chromewebdata/')
  line.cut = null
  await page.goBack()
  await cancel.click()
  await expect(page.getByText('Order Cancelled!')).toBeVisible()
  await expect(page.getByText('No orders yet')).toBeVisible()
})

test('places an order once when no response comes for 30 seconds', async ({
  page,
  line,
  customer,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'Without scripts the browser decides how long to wait.')
  expect(customer.email).toBeTruthy()
  await page.clock.install()
  await page.goto('/instruments/flute-c')
  await fillIn(page, { 'Order quantity': '4', Address: '1 Bow Lane', Phone: '+39 0372 555 0199' })
  line.cut = 'stall'
  // The page counts the 30 seconds from the request, which goes out a moment after the button has changed.
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Order Now' }).click()
  await expect(page.getByRole('button', { name: 'Working…' })).toBeVisible()
  await sent
  await page.clock.fastForward(31_000)
  const message = page.locator('form').getByRole('alert')
  await expect(message).toHaveText('Could not reach the shop. Try again')
  await expect(message).toBeFocused()
  await expect(page).toHaveTitle(/^Error: /)
  await expect(page.getByLabel('Address')).toHaveValue('1 Bow Lane')
  line.cut = null
  await page.getByRole('button', { name: 'Order Now' }).click()
  await expect(page.getByText('You already placed this order')).toBeVisible()
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('link', { name: 'Pay' })).toHaveCount(1)
})

test('preserves a correction whose response was lost', async ({ page, line, customer, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled, 'With scripts the page stays.')
  expect(customer.email).toBeTruthy()
  await page.goto('/instruments/flute-c')
  await fillIn(page, { 'Order quantity': '4', Address: '1 Bow Lane', Phone: '12' }, 'Order Now')
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
  await page.getByLabel('Phone').fill('07700 900123')
  await sendTwice(page, line, 'after', 'Order Now', false)
  await expect(page.getByLabel('Phone')).toHaveValue('07700 900123')
  await page.getByRole('button', { name: 'Order Now' }).click()
  await expect(page.getByText('You already placed this order. It was not placed twice.')).toBeVisible()
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('link', { name: 'Pay' })).toHaveCount(1)
})

test('keeps the submission id when Back reloads a form', async ({ page, customer }) => {
  expect(customer.email).toBeTruthy()
  // A route handler turns the browser's cache off.
  await page.route('**/*', (route) => route.continue())
  await page.goto('/dashboard/addReview')
  const words = text()
  await page.getByLabel('Review').fill(words)
  const number = () => page.locator('[name=restoredSubmissionId]').inputValue()
  const before = await number()
  await page.goto('/allInstruments')
  await page.goBack()
  await expect(page.getByLabel('Review')).toHaveValue(words)
  expect(await number()).toBe(before)
})

test('shows no earlier form on Back after signing out', async ({ page, customer }) => {
  await page.goto('/instruments/flute-c')
  await expect(page.getByLabel('Email')).toHaveValue(customer.email)
  const cleared = page.waitForResponse('**/clear-cache')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await cleared
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})
