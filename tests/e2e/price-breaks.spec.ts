import { addProduct, expect, fillIn, openShopkeeper, paymentPage, test } from './shop'

test('follows a price break, and says the new price when it has changed in the meantime', async ({
  page,
  customer,
  browser,
  javaScriptEnabled,
}) => {
  const name = `Cornett for ${customer.name}`
  const dashboard = await openShopkeeper(browser)
  const id = await addProduct(dashboard, name, { 'Available quantity': '50', 'Minimum quantity': '2' })
  const setBreak = async (dollars: string) => {
    await dashboard.goto(`/dashboard/manageProduct/${id}`)
    await fillIn(dashboard, { 'Break 1 from': '10', 'Break 1 each': dollars }, 'Save')
    await expect(dashboard.getByText('Product updated.')).toBeVisible()
  }
  await setBreak('12,000')

  await page.goto(`/instruments/${id}`)
  await expect(page.getByRole('row', { name: 'From 10: $12,000.00 each' })).toBeVisible()
  const total = page.locator('[data-total]')
  const quantity = page.getByLabel('Order quantity')
  if (javaScriptEnabled) {
    await quantity.fill('9')
    await expect(total).toHaveText('$111,111.03')
  }
  await quantity.fill('10')
  if (javaScriptEnabled) await expect(total).toHaveText('$120,000.00')
  await fillIn(page, { Address: '1 Bow Lane', Phone: '+39 0372 555 0199' })
  await setBreak('12,300')
  await page.getByRole('button', { name: 'Order Now' }).click()
  await expect(page.getByText('The price is now $12,300.00 each. Nothing was ordered.')).toBeVisible()
  await expect(page.getByRole('row', { name: 'From 10: $12,300.00 each' })).toBeVisible()
  if (javaScriptEnabled) await expect(total).toHaveText('$123,000.00')
  await expect(quantity).toHaveValue('10')
  await page.getByRole('button', { name: 'Order Now' }).click()
  await expect(page).toHaveURL(paymentPage)
  await expect(page.getByText('$123,000.00').first()).toBeVisible()
  await dashboard.close()
})
