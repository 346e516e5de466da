import { availableOf, drill, expect, fillIn, orderToPay, payInFull, product, signInAs, test } from './shop'

test('adds a product, shows it in the shop and deletes it after a confirmation', async ({
  page,
  javaScriptEnabled,
}) => {
  const name = `Piccolo ${javaScriptEnabled ? 'one' : 'two'}`
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add Product' }).click()
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(page.locator('.field').getByText('Name is Required')).toBeVisible()
  await fillIn(page, { Name: name, ...product }, 'Add Product')
  await expect(page.getByText('New Product added!')).toBeVisible()

  await page.getByRole('link', { name: 'Manage Products' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('$349.99')
  await row.getByRole('button', { name: 'Delete Product' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
  await expect(dialog).toBeInViewport()
  await expect(dialog.getByRole('link', { name: 'Keep it' })).toBeFocused()
  await dialog.getByRole('link', { name: 'Keep it' }).click()
  await expect(dialog).toHaveCount(0)
  await row.getByRole('button', { name: 'Delete Product' }).click()
  await dialog.getByRole('button', { name: 'Delete Product' }).click()
  await expect(page.getByText('Product Deleted!')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('makes a user an admin; removing a user is not implemented yet', async ({ page, customer }) => {
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Make Admin' }).click()
  const row = page.getByRole('row', { name: new RegExp(customer.email) })
  await row.getByRole('button', { name: 'Remove User' }).click()
  await expect(page.getByText('Not implemented yet!')).toBeVisible()
  await row.getByRole('button', { name: 'Make Admin' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(customer.email)
  await expect(dialog.getByRole('link', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Make Admin' }).click()
  await expect(page.getByText('Admin added successfully')).toBeVisible()
  await expect(row).toContainText('ADMIN')
  await row.getByRole('button', { name: 'Revoke Admin' }).click()
  await dialog.getByRole('button', { name: 'Revoke Admin' }).click()
  await expect(page.getByText('Admin revoked')).toBeVisible()
  await expect(row).not.toContainText('ADMIN')
})

test('ships a paid order from Manage Orders', async ({ page, customer, javaScriptEnabled }) => {
  await orderToPay(page, 'cello-case', 1)
  await payInFull(page, javaScriptEnabled)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Manage All Orders' }).click()
  await page.getByRole('link', { name: 'To ship' }).click()
  await expect(page).toHaveURL(/status=paid$/)
  await expect(page.getByRole('link', { name: 'To ship' })).toHaveAttribute('aria-current', 'page')
  const row = page.getByRole('row', { name: new RegExp(customer.email) })
  await row.getByRole('link', { name: /^C-\d+$/ }).click()
  await expect(page.getByRole('heading', { name: /^Order C-\d{4}$/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Paid by card/ })).toContainText('pi_')
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()

  await page.goto('/dashboard/manageOrders')
  await expect(row).toContainText('Pending')
  await row.getByRole('button', { name: 'Ship Now' }).click()
  await expect(row).toContainText('Shipped')
  await expect(row.getByRole('button', { name: 'Ship Now' })).toHaveCount(0)
})

test('shows an edited price and restocked pieces in the shop', async ({ page, javaScriptEnabled }) => {
  const [instrument, name] = javaScriptEnabled ? ['tuba-bbb', 'BBb Tuba'] : ['harp-lever-34', 'Lever Harp']
  await signInAs(page, 'admin@example.com')
  const before = await availableOf(page, instrument)
  await page.goto('/dashboard/manageProduct')
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('link', { name })
    .click()
  await expect(page.getByLabel('Name')).toHaveValue(new RegExp(name))
  await fillIn(page, { Price: '6001.50', 'Stock change': '7' }, 'Save')
  await expect(page.locator('.field').getByText('Give a reason for the change')).toBeVisible()
  await expect(page.getByLabel('Price')).toHaveValue('6001.50')
  await fillIn(page, { Reason: 'Delivery of November' }, 'Save')
  await expect(page.getByText('Product updated.')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('$6,001.50')
  expect(await availableOf(page, instrument)).toBe(before + 7)
})

test('stacks price and stock beside the name and enlarges buttons on a phone', drill, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard/manageProduct')
  const row = page.getByRole('row', { name: /Cello 4\/4/ })
  const [price, available] = [
    await row.getByRole('cell').nth(2).boundingBox(),
    await row.getByRole('cell').nth(3).boundingBox(),
  ]
  expect(available!.x + available!.width).toBe(price!.x + price!.width)
  expect(available!.y).toBeGreaterThan(price!.y)
  for (const target of [row.getByRole('link', { name: /^Cello/ }), row.getByRole('button', { name: 'Delete Product' })])
    expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})
