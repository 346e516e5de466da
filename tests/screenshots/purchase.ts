import { slugOf } from './preparation'
import { at, scene } from './scene'
import { long } from '../support/long-texts'
import { delivery, fillIn } from '../e2e/fill-in'

export function purchaseScenes(): void {
  scene('purchase', 'plain', { as: 'newcomer' }, at('/instruments/flute-c'))
  scene('purchase', 'without scripts', { as: 'newcomer', scripts: false }, at('/instruments/flute-c'))
  scene('purchase', 'total', { as: 'newcomer' }, async ({ page }) => {
    await page.goto('/instruments/flute-c')
    await page.getByLabel('Order quantity').fill('4')
    await page.getByText('$3,040.00').waitFor()
  })
  scene('purchase', 'quantity error', { as: 'newcomer' }, async ({ page }) => {
    await page.goto('/instruments/flute-c')
    await page.getByLabel('Order quantity').fill('1')
    await page.getByText('cannot be less than minimum order').waitFor()
  })
  scene('purchase', 'form errors', { as: 'newcomer' }, async ({ page }) => {
    await page.goto('/instruments/flute-c')
    await fillIn(page, { Phone: '12345' }, 'Order Now')
    await page.locator('.field').getByText('Phone must be 11 digits').waitFor()
  })
  scene('purchase', 'own hold', { as: 'customer' }, at('/instruments/viola-16'))
  scene('purchase', 'sold out', { as: 'newcomer' }, async ({ page }) => {
    await page.goto(`/instruments/${await slugOf(page, 'Serpent in C')}`)
  })
  scene('purchase', 'shortage', { as: 'newcomer' }, async ({ page }) => {
    await page.goto(`/instruments/${await slugOf(page, 'Ophicleide')}`)
  })
  scene('purchase', 'long texts', { as: 'wordy' }, async ({ page }) => {
    await page.goto(`/instruments/${await slugOf(page, long.product)}`)
  })
  scene('purchase', 'busy', { as: 'newcomer' }, async ({ page }) => {
    await page.goto('/instruments/flute-c')
    await fillIn(page, { 'Order quantity': '4', ...delivery })
    // Never answered: what is seen while the shop thinks.
    await page.route('**/*', (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
    await page.getByRole('button', { name: 'Order Now' }).click()
    await page.getByRole('button', { name: 'Working…' }).waitFor()
  })
  scene('purchase', 'not sent yet', { as: 'newcomer' }, async ({ page }) => {
    await page.goto('/instruments/flute-c')
    await fillIn(page, { 'Order quantity': '4', ...delivery })
    await page.getByRole('button', { name: 'One more' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Order Now' }).click()
    await page.getByText('Your order is not sent yet').waitFor()
  })
}
