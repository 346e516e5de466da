import { asCustomer, drill, expect, order, orderToPay, payInCardForm, payInFull, test } from './shop'

test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'the card form needs scripts')

const secretsOf = (page: import('@playwright/test').Page) => {
  const secrets: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/create-payment-intent') && response.ok()) {
      secrets.push(response.json().then(({ clientSecret }: { clientSecret: string }) => clientSecret))
    }
  })
  return async () => new Set(await Promise.all(secrets))
}

asCustomer('keeps the card number away from the page and the shop', async ({ page, shop }) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(shop.url)) requests.push(request.url() + (request.postData() ?? ''))
  })
  await orderToPay(page, 'clarinet-bb', 3)
  await payInFull(page)
  expect(await page.locator('main input:not([type=hidden])').count()).toBe(0)
  expect(requests.filter((text) => text.replace(/\D/g, '').includes('4242424242424242'))).toEqual([])
})

asCustomer('offers no wallet in the card form', async ({ page }) => {
  await page.addInitScript(() => {
    interface Elements {
      create: (type: string, options: object) => unknown
    }
    type Stripe = (...parts: unknown[]) => { elements: (options: object) => Elements }
    let wrapped: Stripe | undefined
    Object.defineProperty(window, 'Stripe', {
      get: () => wrapped,
      set: (load: Stripe) => {
        const watched: Stripe = (...parts) => {
          const stripe = load(...parts)
          const open = stripe.elements.bind(stripe)
          stripe.elements = (options) => {
            const elements = open(options)
            const create = elements.create.bind(elements)
            elements.create = (type, options) => {
              document.documentElement.setAttribute('data-element-options', JSON.stringify({ type, ...options }))
              return create(type, options)
            }
            return elements
          }
          return stripe
        }
        wrapped = Object.assign(watched, load)
      },
    })
  })
  await orderToPay(page, 'clarinet-bb', 3)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  const elementOptions = JSON.parse((await page.locator('html').getAttribute('data-element-options'))!) as object
  const wallets = { applePay: 'never', googlePay: 'never', link: 'never' }
  expect(elementOptions).toMatchObject({ type: 'payment', wallets })
  const response = await page.reload()
  expect(response?.headers()['permissions-policy']).toContain('payment=()')
})

asCustomer('gives the card fields an edge that follows the colour scheme', drill, async ({ page }) => {
  await orderToPay(page, 'clarinet-bb', 3)
  const field = page.frameLocator('.card-fields iframe').locator('.Input').first()
  for (const [colorScheme, edge] of [
    ['light', 'rgb(138, 122, 104)'],
    ['dark', 'rgb(141, 125, 108)'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(field).toHaveCSS('border-top-color', edge)
  }
})

asCustomer(
  'reuses one intent in two tabs and after a reload, and shows a payment in both',
  async ({ page, context }) => {
    const secrets = secretsOf(page)
    await orderToPay(page, 'flugelhorn-bb', 1)
    await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
    const other = await context.newPage()
    const otherSecrets = secretsOf(other)
    await other.goto(page.url())
    await payInFull(other)
    expect(new Set([...(await secrets()), ...(await otherSecrets())]).size).toBe(1)

    await payInFull(page)
    await expect(page.getByRole('alert')).toHaveCount(0)
  },
)

asCustomer('charges nothing when another tab has cancelled the order', async ({ page, context }) => {
  await orderToPay(page, 'flugelhorn-bb', 1)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  const other = await context.newPage()
  await other.goto(new URL('/dashboard/myOrders', page.url()).href)
  await other.getByRole('button', { name: 'Cancel' }).click()
  await expect(other.getByText('Order Cancelled!')).toBeVisible()
  await payInCardForm(page, '4242 4242 4242 4242')
  await expect(page.getByRole('alert')).toHaveText('You cancelled this order. Nothing was charged.')
  await expect(page.getByRole('link', { name: 'Order Again' })).toBeVisible()
  await page.getByRole('link', { name: 'View the order' }).click()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
})

asCustomer(
  'shows that the order is cancelled when that happens while the card form loads',
  async ({ page, context }) => {
    const other = await context.newPage()
    await page.route('**/create-payment-intent', async (route) => {
      await other.goto(new URL('/dashboard/myOrders', page.url()).href)
      await other.getByRole('button', { name: 'Cancel' }).click()
      await expect(other.getByText('Order Cancelled!')).toBeVisible()
      await route.continue()
    })
    await orderToPay(page, 'flugelhorn-bb', 1)
    await expect(page.getByRole('alert')).toHaveText('You cancelled this order. Nothing was charged.')
  },
)

asCustomer('reports only the payment when the session ends while the card is typed', async ({ page, context }) => {
  await orderToPay(page, 'flugelhorn-bb', 1)
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  await context.clearCookies()
  const lookedAgain: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('.data')) lookedAgain.push(request.url())
  })
  const patchResponse = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await payInCardForm(page, '4242 4242 4242 4242')
  expect((await patchResponse).status()).toBe(401)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(lookedAgain).toEqual([])
  await expect(page.getByText('Your payment is successful!')).toBeVisible()
})

asCustomer('pays once on a double click', async ({ page, request, shop }) => {
  await orderToPay(page, 'alto-saxophone', 2)
  const fields = page.frameLocator('iframe[title]')
  await fields.getByLabel('Card number').fill('4242 4242 4242 4242')
  await fields.getByLabel(/^Expiration date/).fill('12 / 40')
  await fields.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay', exact: true }).dblclick()
  await expect(page.getByText('Your payment is successful!')).toBeVisible()
  const transactionId = await page.locator('code').textContent()
  const ledger = (await (await request.get(`${shop.sandboxUrl}/ledger`)).json()) as {
    what: string
    paymentIntent: string
  }[]
  const paid = ledger.filter(({ what, paymentIntent }) => what === 'succeeded' && paymentIntent === transactionId)
  expect(paid).toHaveLength(1)
})

asCustomer('offers the hosted page when Stripe’s script fails to load', async ({ page, shop }) => {
  await order(page, 'bassoon', 1)
  await page.route(`${shop.sandboxUrl}/endive/stripe.js`, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('alert')).toContainText('The card form did not load.')
  // The intent may still be pending: then the shop asks to try again.
  await expect(async () => {
    await page.getByRole('button', { name: 'Pay on the secure page' }).click()
    await expect(page).toHaveURL(new RegExp(`^${shop.sandboxUrl}/checkout/`), { timeout: 3000 })
  }).toPass()
})

asCustomer('closes an open hosted page when the card form opens', async ({ page, browser }) => {
  await order(page, 'oboe', 1)
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const hosted = await plain.newPage()
  await hosted.goto(new URL('/dashboard/myOrders', page.url()).href)
  await hosted.getByRole('link', { name: 'Pay' }).click()
  await hosted.getByRole('button', { name: 'Pay on the secure page' }).click()
  await expect(hosted.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  await hosted.reload()
  await expect(hosted.getByRole('button', { name: /^Pay \$/ })).toHaveCount(0)
  await plain.close()
})

asCustomer('offers the hosted page beside a slow card form', async ({ page, shop }) => {
  await order(page, 'viola-16', 1)
  // Never responds, like a blocker or a stalled connection.
  await page.route(`${shop.sandboxUrl}/endive/stripe.js`, () => undefined)
  await page.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeDisabled()
  await page.getByRole('button', { name: 'Pay on the secure page' }).click()
  await expect(page).toHaveURL(new RegExp(`^${shop.sandboxUrl}/checkout/`))
})
