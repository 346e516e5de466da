import { readFile } from 'node:fs/promises'
import { addProduct, slugOf } from '../screenshots/preparation'
import { expectNothingFrom } from './axe'
import { delivery, drill, expect, fillIn, mailedLink, openShopkeeper, order, pay, paymentPage, test } from './shop'

const password = 'correct horse'

test(
  'gives a paid order an invoice, a receipt that anybody can check, a credit note and a second order',
  drill,
  async ({ page, customer, browser, javaScriptEnabled }) => {
    await page.goto('/instruments/violin-case')
    await page.getByText('For a company (optional)').click()
    await fillIn(
      page,
      { Company: 'Bow & Sons', 'Purchase order number': 'PO-7', 'Order quantity': '4', ...delivery },
      'Order Now',
    )
    await pay(page, javaScriptEnabled)
    await page.getByText('Your payment is successful!').waitFor()

    await page.goto('/dashboard/myOrders')
    await page.getByRole('rowheader').getByRole('link').click()
    await expect(page.getByRole('heading', { name: /^Order C-\d{4}$/ })).toBeVisible()
    const orderPage = page.url()
    const steps = page.locator('main ol').getByRole('listitem')
    await expect(steps).toHaveCount(2)
    await page.getByRole('link', { name: /^Invoice INV-/ }).click()
    const invoice = page.getByRole('main')
    for (const text of ['Bow & Sons', 'PO-7', customer.name]) await expect(invoice).toContainText(text)
    await expect(page.getByRole('link', { name: /^Credit Note/i })).toHaveCount(0)
    if (javaScriptEnabled) await expectNothingFrom(page)
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
    expect(sheets).toHaveLength(1)

    await page.getByRole('link', { name: 'Receipt' }).click()
    await page.getByRole('heading', { name: 'Receipt' }).waitFor()

    const shopkeeper = await openShopkeeper(browser, javaScriptEnabled)
    await shopkeeper.goto('/dashboard/manageOrders?status=paid')
    const row = shopkeeper.getByRole('row', { name: customer.email })
    await row.getByRole('link', { name: /^C-\d+$/ }).click()
    await fillIn(shopkeeper, { Amount: '10', Reason: 'A scratch' })
    await shopkeeper.getByRole('button', { name: 'Refund', exact: true }).click()
    await expect(shopkeeper.getByRole('heading', { name: /^Refund \$10\.00 to / })).toBeVisible()
    await shopkeeper.getByRole('button', { name: 'Refund', exact: true }).click()
    await expect(shopkeeper.getByText('Refunded $10.00.')).toBeVisible()
    await shopkeeper.close()

    await page.goto(orderPage)
    await expect(steps.filter({ hasText: '$10.00' })).toHaveCount(1)
    await page.getByRole('link', { name: /^Credit Note/i }).click()
    await expect(page.getByRole('heading', { name: /^Credit note/i })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('$10.00')

    await page.goto(orderPage)
    await page.getByRole('link', { name: 'Order Again' }).click()
    await expect(page.getByLabel('Order quantity')).toHaveValue('4')
    await expect(page.getByLabel('Address')).toHaveValue('1 Bow Lane\nCremona')
    await page.getByRole('button', { name: 'Order Now' }).click()
    await expect(page).toHaveURL(paymentPage)
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('row', { name: /Violin Case/ })).toHaveCount(2)
  },
)

test(
  'emails a customer once when an instrument is back, and ends that by the link in the email',
  drill,
  async ({ page, customer, browser, shop, request, javaScriptEnabled }) => {
    const names = [`Serpent for ${customer.name}`, `Rebec for ${customer.name}`]
    const shopkeeper = await openShopkeeper(browser, javaScriptEnabled)
    const slugs: string[] = []
    for (const name of names) {
      await addProduct(shopkeeper, { name, available: 1, minimum: 3 })
      slugs.push(await slugOf(shopkeeper, name))
      await page.goto(`/instruments/${slugs.at(-1)}`)
      await page.getByRole('link', { name: 'Email me when it is back' }).click()
      await page.getByRole('button', { name: 'Yes, email me once' }).click()
      await expect(page.getByText(`We will email you once, when ${name} is back.`)).toBeVisible()
    }
    await shopkeeper.goto(`/dashboard/manageProduct/${slugs[0]}`)
    await fillIn(shopkeeper, { 'Stock change': '2', Reason: 'A delivery' }, 'Save')
    await expect(shopkeeper.getByText('Product updated.')).toBeVisible()
    await shopkeeper.close()

    const link = await mailedLink(request, shop, customer.email, 'unsubscribe')
    await page.goto('/dashboard/wishes')
    await expect(page.getByRole('rowheader')).toHaveText([names[1]!])
    const stranger = await (await browser.newContext({ javaScriptEnabled })).newPage()
    await stranger.goto(link)
    await expect(stranger.getByText(`You wait for ${names[1]}.`)).toBeVisible()
    await stranger.getByRole('button', { name: 'Send me none of these emails' }).click()
    await expect(stranger.getByText('We send you no more back-in-stock emails.')).toBeVisible()
    await stranger.context().close()
    await page.reload()
    await expect(page.getByText('You wait for no instrument')).toBeVisible()
  },
)

test(
  'asks for a price above the stock, gets an offer by email, and accepts it once',
  drill,
  async ({ page, customer, browser, shop, request: http, javaScriptEnabled }) => {
    await page.goto('/instruments/tuba-bbb')
    await page.getByRole('link', { name: 'Ask for a volume price' }).click()
    await fillIn(page, { 'Order quantity': '5000', Message: 'For nine schools' }, 'Ask for a volume price')
    await expect(page.getByText('We have your request.')).toBeVisible()

    const shopkeeper = await openShopkeeper(browser, javaScriptEnabled)
    await shopkeeper.goto('/dashboard/manageQuotes')
    const request = shopkeeper.getByRole('row', { name: new RegExp(`${customer.name}\\b`) })
    await request.getByRole('link').first().click()
    await expect(shopkeeper.getByText('For nine schools')).toBeVisible()
    await fillIn(shopkeeper, { 'Unit price': 'x', 'Order quantity': '2' }, 'Send the offer')
    await expect(shopkeeper.locator('.field').getByText(/^Unit price must be a number/)).toBeVisible()
    if (javaScriptEnabled) await expectNothingFrom(shopkeeper)
    await fillIn(shopkeeper, { 'Unit price': '1234.56' }, 'Send the offer')
    await expect(shopkeeper.getByText('Your answer is on its way to the customer.')).toBeVisible()
    await shopkeeper.close()

    const offer = await mailedLink(http, shop, customer.email, 'dashboard/quotes')
    await page.goto(offer)
    await fillIn(page, { Address: '1 Bow Lane', Phone: '123' })
    await page.getByRole('button', { name: 'Accept: order 2 for $2,469.12' }).click()
    await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
    if (javaScriptEnabled) await expectNothingFrom(page)
    await page.getByLabel('Phone').fill('+39 0372 555 0199')
    await page.getByRole('button', { name: 'Accept: order 2 for $2,469.12' }).click()
    await expect(page).toHaveURL(paymentPage)
    await expect(page.getByRole('main')).toContainText('$2,469.12')
    await page.goto(offer)
    await expect(page.getByText(/^You accepted this offer/)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0)
  },
)

test(
  'gives customers their data and closes the account, and the address can register anew',
  drill,
  async ({ page, customer }) => {
    await order(page, 'trumpet-case', 4)
    await page.goto('/dashboard/myProfile')
    await page.getByRole('link', { name: /^My data/ }).click()
    await fillIn(page, { Password: 'not this one' }, 'Download my data')
    await expect(page.getByRole('alert')).toBeVisible()
    await page.getByLabel('Password').fill(password)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const download = await downloading
    const file = await readFile(await download.path(), 'utf8')
    expect(JSON.parse(file)).toBeTruthy()
    for (const text of [customer.email, 'Trumpet Case', '1 Bow Lane']) expect(file).toContain(text)
    expect(file).not.toMatch(/"hash"|scrypt|pbkdf2/i)

    await page.goto('/dashboard/myProfile/data')
    await fillIn(page, { Password: password }, 'Close my account')
    await expect(page.getByRole('heading', { name: 'Close my account?' })).toBeVisible()
    await expect(page.getByText('1 unpaid order is cancelled.')).toBeVisible()
    await page.getByRole('button', { name: 'Close my account' }).click()
    await expect(page.getByText('Your account is closed.')).toBeVisible()
    await page.goto('/login')
    await fillIn(page, { Email: customer.email, Password: password }, 'Login')
    await expect(page.getByRole('alert')).toBeVisible()

    await page.goto('/register')
    await fillIn(page, { Name: 'Somebody new', Email: customer.email, Password: password }, 'Register')
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  },
)
