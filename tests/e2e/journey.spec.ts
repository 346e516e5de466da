import {
  bothWays,
  asCustomer,
  availableOf,
  delivery,
  expect,
  fillIn,
  mailedLink,
  order,
  orderToPay,
  pay,
  payByCard,
  payInCardForm,
  paymentPage,
  payInFull,
  test,
} from './shop'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test(
  'signs in on the way to an instrument, orders it and pays by card',
  bothWays,
  async ({ page, shop, javaScriptEnabled }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Purchase', exact: true }).first().click()
    await expect(page).toHaveURL(`${shop.url}/login?redirectTo=%2Finstruments%2Fviolin-4-4`)
    await fillIn(page, { Email: 'ada@example.com', Password: 'practice' }, 'Login')

    await expect(page).toHaveURL(`${shop.url}/instruments/violin-4-4`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concert Violin 4/4')
    await expect(page.getByLabel('Name')).toHaveValue('Ada')
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
    await expect(page.getByRole('button', { name: 'One more' })).toHaveCount(javaScriptEnabled ? 1 : 0)
    await fillIn(page, { 'Order quantity': '2', ...delivery }, 'Order Now')

    await expect(page).toHaveURL(paymentPage)
    await expect(page.locator('.toast')).toContainText('New order added. Please complete payment!')
    await expect(page.getByText('You ordered 2 pieces of Concert Violin 4/4. Please pay: $2,900.00')).toBeVisible()
    await payInFull(page, javaScriptEnabled)
    const transactionId = await page.locator('code').textContent()
    expect(transactionId).toMatch(/^pi_/)
    await expect(page.getByText(/^Order C-\d{4} ships to: /)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Receipt' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your payment is successful!' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to My Orders' }).click()
    const paid = page.getByRole('row', { name: new RegExp(transactionId!) })
    await expect(paid).toContainText('Paid')
    await expect(paid.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  },
)

asCustomer('returns the stock of a cancelled order', async ({ page }) => {
  const before = await availableOf(page, 'recorder-alto')
  await order(page, 'recorder-alto', 6)
  expect(await availableOf(page, 'recorder-alto')).toBe(before - 6)

  await page.goto('/dashboard/myOrders')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('status')).toContainText('Order Cancelled!')
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  expect(await availableOf(page, 'recorder-alto')).toBe(before)
})

asCustomer(
  'shows the bank’s words for a declined card and accepts another card',
  async ({ page, javaScriptEnabled }) => {
    await orderToPay(page, 'violin-case', 4)
    await pay(page, javaScriptEnabled, '4000 0000 0000 0002')
    await expect(page.getByRole('alert')).toContainText('Your card was declined.')
    if (javaScriptEnabled) await expect(page).toHaveTitle(/^Error: Payment of C-\d+ · Cadenza$/)
    if (javaScriptEnabled) await payInCardForm(page, '4242 4242 4242 4242')
    else await payByCard(page, '4242 4242 4242 4242')
    await expect(page.getByText('Your payment is successful!')).toBeVisible()
  },
)

asCustomer('confirms a payment when the customer never returns', async ({ page, shop, javaScriptEnabled }) => {
  await orderToPay(page, 'trumpet-case', 4)
  // The customer's redirect is blocked: only the webhook reaches the shop.
  const wayBack = new RegExp(`^${shop.url}/(dashboard|order)/`)
  // No 404: the page takes that for a cancelled order, and loads itself again.
  const refusal = { status: 409, body: '{}' }
  if (javaScriptEnabled) {
    await expect(page.frameLocator('iframe[title]').getByLabel('Card number')).toBeVisible()
    await page.route(wayBack, (route) => route.fulfill(refusal))
    await payInFull(page)
  } else {
    await page.getByRole('button', { name: 'Pay on the secure page' }).click()
    await expect(page).toHaveURL(new RegExp(`^${shop.sandboxUrl}/checkout/`))
    await page.route(wayBack, (route) => route.abort())
    await payByCard(page, '4242 4242 4242 4242').catch(() => undefined)
  }
  await page.unroute(wayBack)
  await expect(async () => {
    await page.goto(`${shop.url}/dashboard/myOrders`)
    await expect(page.getByRole('row', { name: /Trumpet Case/ })).toContainText('Paid', { timeout: 500 })
  }).toPass()
})

asCustomer(
  'confirms or refuses a payment after the bank’s 3-D Secure check',
  async ({ page, shop, javaScriptEnabled }) => {
    await orderToPay(page, 'cello-case', 2)
    await pay(page, javaScriptEnabled, '4000 0027 6000 3184')
    await page.getByRole('button', { name: 'Fail authentication' }).click()
    if (javaScriptEnabled) {
      await expect(page.getByRole('alert')).toContainText('Your bank did not confirm the payment')
      await payInCardForm(page, '4000 0027 6000 3184')
    } else {
      await payByCard(page, '4000 0027 6000 3184')
    }
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await expect(page.getByText('Your payment is successful!')).toBeVisible()
    expect(new URL(page.url()).origin).toBe(shop.url)
    expect(page.url()).not.toContain('secret')
    await page.getByRole('link', { name: 'Receipt' }).click()
    await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
    await expect(page.getByText(/^pi_/)).toBeVisible()
  },
)

asCustomer('returns from the hosted page to an unpaid order', async ({ page, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled, 'with JavaScript the card form is on our own page')
  await orderToPay(page, 'saxophone-case', 3)
  await page.getByRole('button', { name: 'Pay on the secure page' }).click()
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await expect(page.getByText('You ordered 3 pieces of Alto Saxophone Case.')).toBeVisible()
  await page.goto('/dashboard/myOrders')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('status')).toContainText('Order Cancelled!')
})

test('registers, verifies the email and signs out', bothWays, async ({ page, shop, request, javaScriptEnabled }) => {
  const email = `new${process.pid}${javaScriptEnabled ? 'js' : 'plain'}@example.com`
  await page.goto('/register')
  await fillIn(page, { Name: 'New Customer', Email: email.toUpperCase(), Password: 'correct horse' }, 'Register')
  await expect(page.getByRole('status')).toContainText('User Registered. Please verify your email.')
  await expect(page.getByText('Welcome to your Dashboard')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('New Customer')

  const link = await mailedLink(request, shop, email, 'verify-email')
  await page.goto(link)
  await page.getByRole('button', { name: 'Verify my email' }).click()
  await expect(page.getByRole('status')).toContainText('Your email is verified')
  await page.goto(link)
  await page.getByRole('button', { name: 'Verify my email' }).click()
  await expect(page.getByRole('alert')).toContainText('already used')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Fdashboard$/)
})

test('shows a 404 page with links for an unknown URL', async ({ page }) => {
  const response = await page.goto('/violins/none')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'A violin with a broken string' })).toBeVisible()
  await page.getByRole('link', { name: 'View All Instruments' }).click()
  await expect(page.getByRole('row', { name: /Concert Violin/ })).toBeVisible()
})
