import type { Page } from '@playwright/test'
import { addProduct, slugOf } from './preparation'
import { at, scene } from './scene'
import { long } from '../support/long-texts'
import { fillIn } from '../e2e/fill-in'

/** The shopkeeper's pages. */
export function adminScenes(): void {
  scene('dashboard', 'admin', { as: 'admin' }, at('/dashboard'))
  scene('make admin', 'nobody else', { as: 'admin', shop: 'bare' }, at('/dashboard/makeAdmin'))
  scene('add product', 'errors', { as: 'admin' }, async ({ page }) => {
    await page.goto('/dashboard/addProduct')
    await page.getByRole('button', { name: 'Add Product' }).click()
    await page.locator('.field').getByText('Name is Required').waitFor()
  })
  scene('add product', 'preview', { as: 'admin' }, async ({ page }) => {
    await page.goto('/dashboard/addProduct')
    await fillIn(page, {
      Name: 'Piccolo',
      'Image URL': '/plates/flute-c.svg',
      Description: 'Conical bore, grenadilla, split E.',
      Price: '349.99',
      'Available quantity': '12',
      'Minimum quantity': '2',
    })
    await page.getByRole('complementary', { name: 'Preview' }).getByText('$349.99').waitFor()
  })
  scene('manage products', 'empty', { as: 'admin', shop: 'bare' }, at('/dashboard/manageProduct'))
  scene('manage products', 'delete dialog', { as: 'admin' }, ({ page }) => askToDelete(page))
  scene('manage products', 'delete dialog without scripts', { as: 'admin', scripts: false }, ({ page }) =>
    askToDelete(page),
  )
  scene('manage products', 'delete dialog with a long name', { as: 'admin' }, async ({ page }) => {
    await page.goto(`/dashboard/manageProduct?delete=${await slugOf(page, long.product)}`)
    await page.getByRole('dialog').waitFor()
  })
  scene('edit product', 'stock error', { as: 'admin' }, async ({ page }) => {
    await page.goto('/dashboard/manageProduct/oboe')
    await fillIn(page, { 'Stock change': '7' }, 'Save')
    await page.locator('.field').getByText('Give a reason for the change').waitFor()
  })
  scene('edit product', 'long texts', { as: 'admin' }, async ({ page }) => {
    await page.goto(`/dashboard/manageProduct/${await slugOf(page, long.product)}`)
  })
  scene('manage orders', 'to ship', { as: 'admin' }, at('/dashboard/manageOrders?status=paid'))
  scene('manage orders', 'empty', { as: 'admin', shop: 'bare' }, at('/dashboard/manageOrders'))
  scene('manage orders', 'none of these', { as: 'admin', shop: 'bare' }, at('/dashboard/manageOrders?status=paid'))
  scene('price requests', 'answered', { as: 'admin' }, at('/dashboard/manageQuotes?answered=1'))
  scene('price requests', 'one', { as: 'admin' }, async ({ page }) => {
    await page.goto('/dashboard/manageQuotes?answered=1')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Withdraw the offer' }).waitFor()
  })
  scene('order history', 'shipped', { as: 'admin' }, async ({ page }) => {
    await page.goto('/dashboard/manageOrders?status=shipped')
    await page
      .getByRole('link', { name: /^C-\d+$/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
  })
  scene('order history', 'long texts', { as: 'admin' }, async ({ page }) => {
    await page.goto('/dashboard/manageOrders')
    await page
      .getByRole('row', { name: long.customer })
      .getByRole('link', { name: /^C-\d+$/ })
      .click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
  })
}

/** The bare shop begins to sell: these come after all that show it bare. */
export function firstProductScenes(): void {
  scene('add product', 'added', { as: 'admin', shop: 'bare', withToast: true }, ({ page }) =>
    addProduct(page, { name: long.product, description: long.description, available: 7, minimum: 12 }),
  )
  scene('home', 'one product with long texts', { shop: 'bare' }, at('/'))
  scene('all instruments', 'one product with long texts', { shop: 'bare' }, at('/allInstruments'))
}

async function askToDelete(page: Page): Promise<void> {
  await page.goto('/dashboard/manageProduct')
  await page
    .getByRole('row', { name: /Bassoon/ })
    .getByRole('button', { name: 'Delete Product' })
    .click()
  await page.getByRole('dialog').waitFor()
}
