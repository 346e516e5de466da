import type { Page } from '@playwright/test'
import { adminLogin, fillIn, payInCardForm } from '../e2e/shop'
import { at, scene } from './scene'

export function accountScenes(): void {
  scene('dashboard', 'email not verified', { as: 'newcomer' }, at('/dashboard'))
  scene('dashboard', 'long texts', { as: 'wordy' }, at('/dashboard'))
  scene('dashboard', 'mail sent again', { as: 'newcomer', withToast: true }, async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page.getByText('We have sent you the email again.').waitFor({ state: 'attached' })
  })
  scene('my orders', 'empty', { as: 'newcomer' }, at('/dashboard/myOrders'))
  scene('my orders', 'long texts', { as: 'wordy' }, at('/dashboard/myOrders'))
  scene('order', 'unpaid', { as: 'customer' }, ({ page }) => toOrder(page, 'Pay'))
  scene('order', 'paid', { as: 'customer' }, ({ page }) => toOrder(page, 'Receipt'))
  scene('order', 'long texts', { as: 'wordy' }, ({ page }) => toOrder(page, 'Pay'))
  scene('payment', 'card form', { as: 'customer', eachScheme: true }, async ({ page }) => {
    await openCardForm(page)
  })
  scene('payment', 'card declined', { as: 'customer', eachScheme: true }, async ({ page }) => {
    await openCardForm(page)
    await payInCardForm(page, '4000 0000 0000 0002')
    await page.getByText('Your card was declined.').first().waitFor()
  })
  scene('payment', 'card form waits', { as: 'customer' }, async ({ page, shop }) => {
    await page.route(`${shop.sandboxUrl}/**`, () => undefined)
    await toPayment(page)
    await page.getByText('Loading the card form…').waitFor()
  })
  scene('payment', 'card form does not load', { as: 'customer' }, async ({ page, shop }) => {
    await page.route(`${shop.sandboxUrl}/**`, (route) => route.fulfill({ status: 404 }))
    await toPayment(page)
    await page.getByText('The card form did not load.').waitFor()
  })
  scene('payment', 'without scripts', { as: 'customer', scripts: false }, ({ page }) => toPayment(page))
  scene('payment', 'long texts', { as: 'wordy', scripts: false }, ({ page }) => toPayment(page))
  scene('payment', 'paid', { as: 'customer' }, async ({ page }) => {
    await page.goto('/dashboard/myOrders')
    const receipt = await page.getByRole('link', { name: 'Receipt' }).first().getAttribute('href')
    await page.goto(receipt!.replace('receipt', 'payment'))
  })
  scene('receipt', 'plain', { as: 'customer' }, ({ page }) => toReceipt(page))
  scene('receipt', 'printed', { as: 'customer', print: true }, ({ page }) => toReceipt(page))
  scene('invoice', 'plain', { as: 'customer' }, ({ page }) => toInvoice(page))
  scene('invoice', 'printed', { as: 'customer', print: true }, ({ page }) => toInvoice(page))
  scene('profile', 'errors', { as: 'customer' }, async ({ page }) => {
    await page.goto('/dashboard/myProfile')
    await fillIn(page, { Name: '', Image: 'http://pictures.example/me.png', Phone: '12345' }, 'Update Profile')
    await page.locator('.field').getByText('Name is Required').waitFor()
  })
  scene('profile', 'portrait and long texts', { as: 'wordy', withToast: true }, async ({ page }) => {
    await page.goto('/dashboard/myProfile')
    await fillIn(page, { Image: '/art/avatar.svg' }, 'Update Profile')
    await page.getByText('Your profile is updated').waitFor({ state: 'attached' })
  })
  scene('my data', 'plain', { as: 'customer' }, at('/dashboard/myProfile/data'))
  scene('my data', 'close the account', { as: 'customer' }, async ({ page }) => {
    await page.goto('/dashboard/myProfile/data')
    await fillIn(page, { Password: 'practice' }, 'Close my account')
    await page.getByRole('heading', { name: 'Close my account?' }).waitFor()
  })
  scene('quotes', 'empty', { as: 'newcomer' }, at('/dashboard/quotes'))
  scene('quotes', 'request', { as: 'customer' }, async ({ page }) => {
    await page.goto('/dashboard/quotes/new?instrument=oboe&quantity=40')
    await fillIn(
      page,
      { Message: 'For the woodwind class of a school, before the first of September.' },
      'Ask for a volume price',
    )
    await page.getByText('We have your request.').waitFor()
  })
  scene('quotes', 'offer', { as: 'customer' }, async ({ page, shop }) => {
    await offerPrice(page, shop)
    await page.goto('/dashboard/quotes')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Accept the offer' }).waitFor()
  })
  scene('add review', 'error', { as: 'customer' }, async ({ page }) => {
    await page.goto('/dashboard/addReview')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('.field').getByText('Review is Required').waitFor()
  })
}

async function toPayment(page: Page): Promise<void> {
  await page.goto('/dashboard/myOrders')
  await page.getByRole('link', { name: 'Pay', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Payment' }).waitFor()
}

/** Of the first order with this link. */
async function toOrder(page: Page, link: string): Promise<void> {
  await page.goto('/dashboard/myOrders')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: link, exact: true }) })
  await row.first().getByRole('rowheader').getByRole('link').click()
  await page.getByRole('heading', { name: /^Order C-/ }).waitFor()
}

async function openCardForm(page: Page): Promise<void> {
  await toPayment(page)
  await page.locator('.card-form .button:enabled').waitFor()
}

async function toReceipt(page: Page): Promise<void> {
  await page.goto('/dashboard/myOrders')
  await page.getByRole('link', { name: 'Receipt' }).first().click()
  await page.getByRole('heading', { name: 'Receipt' }).waitFor()
}

/** In a browser of the shopkeeper. */
async function offerPrice(page: Page, shop: { url: string }): Promise<void> {
  const context = await page.context().browser()!.newContext({ baseURL: shop.url })
  const shopkeeper = await context.newPage()
  await shopkeeper.goto('/login?redirectTo=%2Fdashboard%2FmanageQuotes')
  await fillIn(shopkeeper, adminLogin, 'Login')
  await shopkeeper.getByRole('rowheader').getByRole('link').first().click()
  await fillIn(
    shopkeeper,
    { 'Unit price': '2050', 'Order quantity': '10', Message: 'With cases, before the first of September.' },
    'Send the offer',
  )
  await shopkeeper.getByText('Your answer is on its way').waitFor()
  await context.close()
}

async function toInvoice(page: Page): Promise<void> {
  await toReceipt(page)
  await page.getByRole('link', { name: /^Invoice INV-/ }).click()
  await page.getByRole('heading', { name: /^Invoice INV-/ }).waitFor()
}
