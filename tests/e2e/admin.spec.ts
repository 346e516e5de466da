import type { Page } from '@playwright/test'
import { expect, order, pay, test } from './shop'

async function signInAsAdmin(page: Page) {
  await page.goto('/login')
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByLabel('Password').fill('practice')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Welcome to your Dashboard')).toBeVisible()
}

test('the shopkeeper adds a product, sees it in the shop, and deletes it after being asked', async ({
  page,
  javaScriptEnabled,
}) => {
  const name = `Piccolo ${javaScriptEnabled ? 'one' : 'two'}`
  await signInAsAdmin(page)
  await page.getByRole('link', { name: 'Add Product' }).click()
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('Name is Required')).toBeVisible()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Image URL').fill('/plates/flute-c.svg')
  await page.getByLabel('Price').fill('349.99')
  await page.getByLabel('Available quantity').fill('12')
  await page.getByLabel('Minimum quantity').fill('2')
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('New Product added!')).toBeVisible()

  await page.getByRole('link', { name: 'Manage Products' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('$349.99')
  await row.getByRole('button', { name: 'Delete Product' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
  await expect(dialog).toBeInViewport()
  await dialog.getByRole('link', { name: 'Keep it' }).click()
  await expect(dialog).toHaveCount(0)
  await row.getByRole('button', { name: 'Delete Product' }).click()
  await dialog.getByRole('button', { name: 'Delete Product' }).click()
  await expect(page.getByText('Product Deleted!')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('the shopkeeper makes an admin; removing a user is not implemented yet', async ({ page, customer }) => {
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signInAsAdmin(page)
  await page.getByRole('link', { name: 'Make Admin' }).click()
  const row = page.getByRole('row', { name: new RegExp(customer.email) })
  await row.getByRole('button', { name: 'Remove User' }).click()
  await expect(page.getByText('Not implemented yet!')).toBeVisible()
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await expect(page.getByText('Admin added successfully')).toBeVisible()
  await expect(row).toContainText('ADMIN')
})

test('the shopkeeper ships what is paid', async ({ page, customer, javaScriptEnabled }) => {
  await order(page, 'cello-case', 1)
  await page.getByRole('link', { name: 'Pay' }).click()
  await pay(page, javaScriptEnabled)
  await expect(page.getByText('Your payment is successful!')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signInAsAdmin(page)
  await page.getByRole('link', { name: 'Manage All Orders' }).click()
  const row = page.getByRole('row', { name: new RegExp(customer.email) })
  await expect(row).toContainText('Pending')
  await row.getByRole('button', { name: 'Ship Now' }).click()
  await expect(row).toContainText('Shipped')
  await expect(row.getByRole('button', { name: 'Ship Now' })).toHaveCount(0)
})
