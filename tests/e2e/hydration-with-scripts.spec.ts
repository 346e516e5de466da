import { asCustomer, expect } from './shop'

asCustomer('takes a key that is pressed before React has begun with the page', async ({ page }) => {
  // React works by messages to itself. The key comes before the first one.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (message: unknown) {
      setTimeout(() => postMessage.call(this, message), 1000)
    }
  })
  await page.goto('/instruments/flute-c')
  const quantity = page.getByLabel('Order quantity')
  await quantity.press('3')
  await expect(page.getByRole('button', { name: 'One more' })).toBeVisible()
  await expect(quantity).toHaveValue('3')
  await expect(page.locator('[data-total]')).toHaveText('$2,280.00')
})
