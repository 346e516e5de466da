import { expect, test, type Page } from '@playwright/test'
import { openTemporaryShop, type TemporaryShop } from '../../dev/temporary-shop'
import { fillIn } from './fill-in'

let shop: TemporaryShop
test.beforeAll(async () => {
  shop = await openTemporaryShop({ host: 'localhost' })
})
test.afterAll(() => shop.stop())

async function addAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('adds a passkey, signs in with it, and revokes it', async ({ page }) => {
  const origin = shop.url.replace('127.0.0.1', 'localhost')
  await addAuthenticator(page)
  await page.goto(`${origin}/login`)
  await fillIn(page, { Email: 'ada@example.com', Password: 'practice' }, 'Login')
  await page.goto(`${origin}/dashboard/myProfile/sessions`)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await fillIn(page, { Name: 'Phone' }, 'Add passkey')
  await expect(page.getByText('From now on you can sign in with this passkey.')).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Phone' })).toBeVisible()
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await fillIn(page, { Name: 'Again' }, 'Add passkey')
  await expect(page.getByText('This device has a passkey for your account already.')).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out' }).first().click()
  await page.goto(`${origin}/login?redirectTo=%2Fdashboard%2FmyOrders`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(`${origin}/dashboard/myOrders`)

  await page.goto(`${origin}/dashboard/myProfile/sessions`)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('This passkey no longer signs in.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).first().click()
  await page.goto(`${origin}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('This passkey did not work here.')).toBeVisible()
  await page.goto(`${origin}/dashboard`)
  await expect(page).toHaveURL(/\/login\?/)
})
