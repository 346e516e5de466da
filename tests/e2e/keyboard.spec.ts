import type { Page } from '@playwright/test'
import { expectFocusSeen, press, tabTo, type } from './keyboard'
import { asCustomer, drill, expect, orderToPay, payInFull, test } from './shop'

// With smooth scrolling the focused element enters the window a moment later.
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function signInByKeyboard(page: Page, email: string): Promise<void> {
  await type(page, page.getByLabel('Email'), email)
  await type(page, page.getByLabel('Password'), 'practice')
  await press(page, button(page, 'Login'), 'Space')
}

test(
  'supports ordering, paying, reviewing and signing out with the keyboard alone',
  drill,
  async ({ page, shop, javaScriptEnabled }) => {
    await page.goto('/')
    await tabTo(page, link(page, 'Skip to content'))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expectFocusSeen(page)
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
    await press(page, page.getByRole('article', { name: 'Concert Flute in C' }).getByRole('link', { name: 'Purchase' }))
    await expect(page).toHaveURL(/\/login\?redirectTo=/)
    await signInByKeyboard(page, 'ada@example.com')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concert Flute in C')
    await type(page, page.getByLabel('Order quantity'), '3')
    await type(page, page.getByLabel('Address'), '1 Bow Lane, Cremona')
    await type(page, page.getByLabel('Phone'), '+39 0372 555 0199')
    await press(page, button(page, 'Order Now'))
    await expect(page.locator('.toast')).toContainText('New order added.')

    if (javaScriptEnabled) {
      const fields = page.frameLocator('iframe[title]')
      await type(page, fields.getByLabel('Card number'), '4242424242424242')
      await type(page, fields.getByLabel(/^Expiration date/), '1240')
      await type(page, fields.getByLabel('Security code'), '123')
      await press(page, button(page, 'Pay'))
    } else {
      await press(page, button(page, 'Pay on the secure page'))
      await expect(page).toHaveURL(new RegExp(`^${shop.sandboxUrl}/checkout/`))
      await type(page, page.getByLabel('Card number'), '4242424242424242')
      await type(page, page.getByLabel('Expiry (MM / YY)'), '1240')
      await type(page, page.getByLabel('CVC'), '123')
      await type(page, page.getByLabel('Name on card'), 'Ada')
      await press(page, page.getByRole('button', { name: /^Pay \$/ }))
    }
    await expect(page.getByText('Your payment is successful!')).toBeVisible()
    const transactionId = await page.locator('code').textContent()
    await press(page, link(page, 'Back to My Orders'))
    await expect(page.getByRole('row', { name: new RegExp(transactionId!) })).toContainText('Paid')

    await press(page, link(page, 'Add a Review'))
    await type(page, page.getByLabel('Review'), `Ordered without a mouse: ${transactionId}`)
    await press(page, button(page, 'Submit'))
    await expect(page.getByRole('status')).toContainText('Thank you for your time and feedback!')
    await tabTo(page, button(page, 'Sign Out'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(link(page, 'Login')).toBeVisible()
  },
)

test('supports every admin task with the keyboard alone', drill, async ({ page, customer, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'without JavaScript nothing takes the focus, nor has to give it back')
  await orderToPay(page, 'cello-case', 1)
  await payInFull(page)
  // The page is confirmed, and loaded again, a moment later.
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await press(page, button(page, 'Sign Out'))
  await press(page, link(page, 'Login'))
  await signInByKeyboard(page, 'admin@example.com')
  await expect(page.getByText('Welcome to your Dashboard')).toBeVisible()

  await press(page, link(page, 'Manage All Orders'))
  await press(page, link(page, 'To ship'))
  const bought = page.getByRole('row', { name: new RegExp(customer.email) })
  await press(page, bought.getByRole('button', { name: 'Ship Now' }))
  await expect(page.getByRole('status')).toContainText('Order marked as shipped.')

  await press(page, link(page, 'Make Admin'))
  const user = page.getByRole('row', { name: new RegExp(customer.email) })
  await press(page, user.getByRole('button', { name: 'Make Admin' }))
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }))
  await expect(user).toContainText('ADMIN')

  const name = 'Piccolo without a mouse'
  await press(page, link(page, 'Add Product'))
  await type(page, page.getByLabel('Name'), name)
  await tabTo(page, page.getByLabel('Family'))
  await page.keyboard.type('Woodwind')
  await type(page, page.getByLabel('Image URL'), '/plates/flute-c.svg')
  await type(page, page.getByLabel('Price'), '349.99')
  await type(page, page.getByLabel('Minimum quantity'), '2')
  await type(page, page.getByLabel('Available quantity'), '12')
  await press(page, button(page, 'Add Product'))
  await expect(page.getByRole('status')).toContainText('New Product added!')

  await press(page, link(page, 'Manage Products'))
  const row = page.getByRole('row', { name: new RegExp(name) })
  await type(page, page.getByRole('searchbox', { name: 'Search' }), name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('row')).toHaveCount(2)
  await press(page, row.getByRole('rowheader').getByRole('link'))
  await type(page, page.getByLabel('Stock change'), '-3')
  await type(page, page.getByLabel('Reason'), 'Lent to a school')
  await press(page, button(page, 'Save'))
  await expect(row).toContainText('9')
  await type(page, page.getByRole('searchbox', { name: 'Search' }), name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('row')).toHaveCount(2)

  const remove = row.getByRole('button', { name: 'Delete Product' })
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
  await press(page, remove)
  await expect(dialog).toBeInViewport()
  await expect(page.locator('dialog:modal')).toBeVisible()
  await expectFocusKept(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(remove).toBeFocused()
  await expectFocusSeen(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: 'Keep it' })).toBeFocused()
  await press(page, dialog.getByRole('button', { name: 'Delete Product' }))
  await expect(page.getByRole('status')).toContainText('Product Deleted!')
  await expect(row).toHaveCount(0)
})

asCustomer('shows the focus and the current page in forced colours', drill, async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'colours know nothing of scripts')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/dashboard/myProfile')
  await tabTo(page, button(page, 'Update Profile'))
  const edge = (name: string) =>
    link(page, name).evaluate((element) => getComputedStyle(element).borderLeftColor || 'none')
  expect(await edge('My Profile')).not.toBe(await edge('My Orders'))
})

/** Focus may also move to the browser's own bar. */
async function expectFocusKept(page: Page): Promise<void> {
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    await expectFocusSeen(page)
    const isTrapped = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('dialog') != null,
    )
    expect(isTrapped, key).toBe(true)
  }
}
