import type { Page } from '@playwright/test'
import { long } from '../support/long-texts'
import { customerPages, adminPages } from '../support/pages'
import {
  addProduct,
  drill,
  expect,
  fillIn,
  openShopkeeper,
  order,
  orderToPay,
  payInCardForm,
  signInAs,
  test,
} from './shop'
import { expectNothingBeside, narrow } from './sideways'

test.use({ viewport: narrow })

test(
  'never scrolls a customer page with long texts sideways from 320 px',
  drill,
  async ({ page, customer, browser, javaScriptEnabled }) => {
    test.skip(
      !javaScriptEnabled,
      'these pages look the same without JavaScript, but for the payment page, which has less',
    )
    expect(customer.email).toBeTruthy()
    const product = `1 ${long.product.slice(0, 117)}`
    const dashboard = await openShopkeeper(browser)
    const fields = { Description: long.description, 'Available quantity': '500000', 'Minimum quantity': '12' }
    const id = await addProduct(dashboard, product, fields)
    await dashboard.close()
    await page.goto('/dashboard/myProfile')
    await fillIn(page, { Name: long.customer, Address: long.address }, 'Update Profile')
    await expect(page.getByRole('status')).toContainText('Your profile is updated')
    await page.goto('/dashboard/addReview')
    await fillIn(page, { Review: 'ä'.repeat(1000) }, 'Submit')
    await expect(page.getByRole('status')).toContainText('Thank you')

    await order(page, id, 24)
    for (const path of ['/', '/reviews', '/allInstruments', `/instruments/${id}`, ...customerPages]) {
      await expectNothingBeside(page, path)
    }
    await page.goto('/dashboard/myOrders')
    await page.getByRole('rowheader').getByRole('link').click()
    await expect(page.getByRole('heading', { name: /^Order C-/ })).toBeVisible()
    await expectNothingBeside(page)
    await page.getByRole('link', { name: 'Pay' }).click()
    await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
    await expectNothingBeside(page)
    await payInCardForm(page, '4242 4242 4242 4242')
    const receipt = page.getByRole('link', { name: 'Receipt' })
    await expect(receipt).toBeVisible()
    await expectNothingBeside(page)
    await receipt.click()
    await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
    await expectNothingBeside(page)
    await expectNothingBeside(page, '/dashboard/myOrders')
  },
)

test(
  'never scrolls an admin page sideways from 320 px, and keeps the delete dialog usable',
  drill,
  async ({ page, javaScriptEnabled }) => {
    await page.goto('/register')
    await fillIn(
      page,
      { Name: long.customer, Email: `${javaScriptEnabled ? 1 : 2}.${long.email}`, Password: 'practice' },
      'Register',
    )
    await expect(page.getByText('Welcome to your Dashboard')).toBeVisible()
    await order(page, 'bassoon', 1)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await signInAs(page, 'admin@example.com')
    const product = `${javaScriptEnabled ? 3 : 4} ${long.product.slice(0, 117)}`
    const fields = { Description: long.description, 'Available quantity': '1', 'Minimum quantity': '12' }
    const id = await addProduct(page, product, fields)
    for (const path of [...adminPages, '/dashboard', `/dashboard/manageProduct/${id}`]) {
      await expectNothingBeside(page, path)
    }
    await page.goto('/dashboard/manageOrders')
    await page
      .getByRole('link', { name: /^C-\d+$/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
    await expectNothingBeside(page)

    await expectNothingBeside(page, `/dashboard/manageProduct?delete=${id}`)
    await page.getByRole('dialog').getByRole('link', { name: 'Keep it' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

test('breaks a name that is one long word', drill, async ({ page, baseURL, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'these pages look the same without JavaScript')
  await signInAs(page, 'admin@example.com')
  const data = { name: 'x'.repeat(120), family: 'cases', img: '/plates/bassoon.svg', price: 9, minQuantity: 1 }
  const ids: string[] = []
  for (const availableQuantity of [1, 2]) {
    const added = await page.request.post('/instruments', {
      data: { ...data, availableQuantity },
      headers: { accept: 'application/json', origin: baseURL! },
    })
    ids.push(((await added.json()) as { insertedId: string }).insertedId)
  }
  await page.goto(`/catalog/${ids[0]}`)
  await expect(page.locator('.small-card').filter({ hasText: data.name })).toBeVisible()
  for (const path of [`/catalog/${ids[0]}`, `/instruments/${ids[0]}`, '/catalog.html?', '/allInstruments']) {
    await expectNothingBeside(page, path)
  }
})

test('never scrolls a German page sideways from 320 px', drill, async ({ page, browser, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'these pages look the same without JavaScript')
  const settings = await openShopkeeper(browser)
  await chooseSecondLanguage(settings, 'de')
  await signInAs(page, 'ada@example.com')
  await orderToPay(page, 'bassoon', 1)
  const payment = `/de${new URL(page.url()).pathname}`
  const order = payment.replace('payment/', '')
  const account = ['dashboard', 'dashboard/myOrders', 'dashboard/myProfile', 'dashboard/addReview']
  for (const path of ['home', 'allInstruments', 'instruments/oboe', ...account]) {
    await expectNothingBeside(page, `/de/${path}`)
  }
  for (const path of [order, payment]) await expectNothingBeside(page, path)
  await page.context().clearCookies()
  for (const path of ['login', 'register']) await expectNothingBeside(page, `/de/${path}`)
  await chooseSecondLanguage(settings, '')
  await settings.close()
})

async function chooseSecondLanguage(page: Page, language: 'de' | ''): Promise<void> {
  await page.goto('/dashboard/settings?open=the-shop')
  await page.getByLabel('Second language').selectOption(language)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toContainText('Saved.')
}
