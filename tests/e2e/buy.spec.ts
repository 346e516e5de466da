import type { Locator, Page } from '@playwright/test'
import { expectInFirstView } from './first-view'
import { bothWays, delivery, drill, expect, fillIn, order, orderToPay, pay, payInFull, paymentPage, test } from './shop'

/* The way from an instrument to a paid order, in numbers. */

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
]

for (const viewport of sizes) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, viewport.width === 360 ? {} : drill, () => {
    test.use({ viewport })

    test('keeps total and Order Now in view, and the order form short', async ({ page, customer }) => {
      expect(customer.email).toBeTruthy()
      await page.goto('/instruments/flute-c?quantity=4')
      await expect(page.getByLabel('Order quantity')).toHaveValue('4')
      const controls = [page.locator('[data-total]'), page.getByRole('button', { name: 'Order Now' })]
      await expectInFirstView(page, page.locator('.item .product-image'), ...controls)
      await expect(page.locator('[data-total]')).toHaveText('$3,040.00')
      await page.getByLabel('Phone').scrollIntoViewIfNeeded()
      for (const control of controls) await expect(control).toBeInViewport({ ratio: 1 })
      // Where the bar is at the end of the form.
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      const bar = page.locator('.order-bar')
      await bar.evaluate((element) => (element.style.position = 'static'))
      expect(await bar.evaluate((element) => element.getBoundingClientRect().bottom + scrollY)).toBeLessThan(1300)
    })

    test(
      'shows what is paid and the card form in the first view, and one strong button',
      drill,
      async ({ page, customer, javaScriptEnabled }) => {
        expect(customer.email).toBeTruthy()
        await orderToPay(page, 'flute-c', 3)
        await expect(page.getByText('You ordered 3 pieces of Concert Flute in C. Please pay: $2,280.00')).toBeVisible()
        const total = page.locator('.item .total')
        expect(await total.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(24)
        const button = page.getByRole('button', {
          name: javaScriptEnabled ? 'Pay' : 'Pay on the secure page',
          exact: true,
        })
        const card = page.frameLocator('iframe[title]').getByLabel('Card number')
        await expectInFirstView(
          page,
          page.locator('.item .product-image'),
          page.getByText(/^Order C-\d+ ships to: .*1 Bow Lane, Cremona$/),
          total,
          ...(javaScriptEnabled ? [card] : []),
          button,
        )
        await expect(page.locator('main .button:not(.button-quiet)')).toHaveCount(1)
        await expect(page.getByRole('navigation', { name: 'Dashboard' })).toHaveCount(0)
        if (viewport.width === 360) expect((await button.boundingBox())!.width).toBe(328)
        await page.getByRole('link', { name: 'Back to the order' }).click()
        await expect(page.getByRole('heading', { name: /^Order C-/ })).toBeVisible()
        await expect(page.getByText(/^Pay by .* UTC\. Then we cancel the order/)).toBeVisible()
      },
    )

    test('leads a customer from an instrument to its payment by one page', async ({ page, customer }) => {
      expect(customer.email).toBeTruthy()
      await page.goto('/catalog/concert-flute-in-c')
      const { presses, loads, press } = counting(page)
      await press(page.getByRole('button', { name: 'Purchase' }))
      await fillIn(page, delivery)
      await press(page.getByRole('button', { name: 'Order Now' }))
      await expect(page.getByText('You ordered 3 pieces of Concert Flute in C.')).toBeVisible()
      for (const part of ['search', 'navigation'] as const) await expect(page.getByRole(part)).toHaveCount(0)
      expect([presses, loads.map((path) => path.replace(/[\w-]+$/, ''))]).toEqual([
        ['Purchase', 'Order Now'],
        ['/instruments/', '/dashboard/myOrders/payment/'],
      ])
    })

    test('shows My Orders with a picture each, in short rows', drill, async ({ page, customer, javaScriptEnabled }) => {
      expect(customer.email).toBeTruthy()
      for (const id of ['flute-c', 'recorder-alto']) await order(page, id, 6)
      const rows = page.locator('.orders tbody tr')
      await expect(rows).toHaveCount(2)
      await expectInFirstView(page, rows.first())
      for (const row of await rows.all()) {
        await expect(row.locator('img')).toBeVisible()
        for (const text of ['Price', 'Order Quantity', 'Payment'])
          if (viewport.width === 360) await expect(row.locator(`td[data-label="${text}"]`)).toBeVisible()
        expect((await row.boundingBox())!.height).toBeLessThanOrEqual(220)
      }
      await rows.first().getByRole('link', { name: 'Pay' }).click()
      await payInFull(page, javaScriptEnabled)
      // Once the shop knows it too.
      await expect(page.getByRole('link', { name: 'View the order' })).toBeVisible()
      await page.goto('/dashboard/myOrders')
      expect((await rows.first().boundingBox())!.height).toBeLessThanOrEqual(170)
    })

    test(
      'shows picture, name, price, stock and Purchase in the first view of an instrument',
      drill,
      async ({ page }) => {
        for (const [slug, stock] of [
          ['concert-violin-4-4', 'In stock'],
          ['oboe-conservatoire-system', 'In stock'],
        ] as const) {
          await page.goto(`/catalog/${slug}`)
          const main = page.getByRole('main')
          await expectInFirstView(
            page,
            main.locator('.product-image').first(),
            main.getByRole('heading', { level: 1 }),
            main.locator('.purchase-price'),
            main.getByText(stock, { exact: true }),
            main.getByLabel('Quantity'),
            main.getByRole('button', { name: 'Purchase' }),
          )
        }
      },
    )
  })
}

test('says at its field why a chosen quantity cannot be ordered, and leads from Order Now to the payment', async ({
  page,
  customer,
}) => {
  expect(customer.email).toBeTruthy()
  for (const [chosen, words] of [
    ['1', 'cannot be less than minimum order'],
    ['5000', 'Cannot be more than available'],
    ['many', 'Order quantity must be a whole number'],
  ] as const) {
    await page.goto(`/instruments/flute-c?quantity=${chosen}`)
    await expect(page.locator('#orderQuantity-error')).toHaveText(words)
    await expect(page.getByLabel('Order quantity')).toHaveAttribute('aria-invalid', 'true')
  }
  await page.goto('/instruments/flute-c')
  await expect(page.getByLabel('Order quantity')).toHaveValue('')
  await expect(page.getByPlaceholder('must be atleast 3')).toBeVisible()
  await fillIn(page, { 'Order quantity': '3', ...delivery }, 'Order Now')
  await expect(page).toHaveURL(paymentPage)
  await expect(page.locator('.toast')).toContainText('New order added. Please complete payment!')
  await page.goto('/instruments/flute-c?quantity=3')
  await expect(page.getByLabel('Address')).toHaveValue(delivery.Address)
  await expect(page.getByLabel('Phone')).toHaveValue(delivery.Phone)
  await page.getByRole('link', { name: 'Pay it' }).click()
  await expect(page).toHaveURL(paymentPage)
})

/** In words, what was pressed and which pages were loaded, Stripe's too. A redirect is none. */
function counting(page: Page) {
  const [presses, loads] = [[] as string[], [] as string[]]
  page.on('response', (response) => {
    const request = response.request()
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame()
    const isRedirect = response.status() >= 300 && response.status() < 400
    if (isDocument && !isRedirect) loads.push(new URL(response.url()).pathname)
  })
  const press = async (control: Locator) => {
    presses.push((await control.textContent())?.trim() ?? '')
    await control.click()
  }
  return { presses, loads, press }
}

/** From the home page to a paid order. Without scripts the card is typed at Stripe: one press and two pages more. */
const ways = [
  { name: 'an instrument', presses: { scripted: 6, plain: 7 }, loads: { scripted: 6, plain: 8 } },
  { name: 'the login', presses: { scripted: 7, plain: 8 }, loads: { scripted: 7, plain: 9 } },
]

for (const [index, way] of ways.entries()) {
  test(
    `leads a stranger on a phone from home to a paid order in ${way.loads.plain} pages and ${way.presses.plain} presses, registering from ${way.name}`,
    index === 0 ? bothWays : drill,
    async ({ page, shop, javaScriptEnabled, request }) => {
      await page.setViewportSize(sizes[0]!)
      const email = `stranger${process.pid}x${index}${javaScriptEnabled ? 'js' : 'plain'}@example.com`
      const { presses, loads, press } = counting(page)
      const main = page.getByRole('main')
      await page.goto('/')
      await page.getByRole('banner').getByLabel('Search').fill('flute')
      await press(page.getByRole('banner').getByRole('button', { name: 'Find' }))
      await press(main.getByRole('link', { name: 'Concert Flute in C' }).first())
      await expectInFirstView(page, main.getByRole('button', { name: 'Purchase' }))
      if (way.name === 'an instrument') await press(main.getByRole('button', { name: 'New here? Create an account' }))
      else {
        await press(main.getByRole('button', { name: 'Purchase' }))
        await press(main.getByRole('link', { name: 'I am new' }))
      }
      await fillIn(page, { Name: 'Zoë', Email: email, Password: 'correct horse' })
      await press(page.getByRole('button', { name: 'Register' }))
      await expect(page.getByLabel('Order quantity')).toHaveValue('3')
      await fillIn(page, delivery)
      await press(page.getByRole('button', { name: 'Order Now' }))
      await expect(page).toHaveURL(paymentPage)
      const button = javaScriptEnabled ? 'Pay' : 'Pay on the secure page'
      await expectInFirstView(page, page.locator('.toast'), page.getByRole('button', { name: button, exact: true }))
      presses.push('Pay', ...(javaScriptEnabled ? [] : ['Pay at Stripe']))
      await pay(page, javaScriptEnabled)
      await expect(page.getByText('Your payment is successful!')).toBeVisible()
      const kind = javaScriptEnabled ? 'scripted' : 'plain'
      expect(presses, presses.join(', ')).toHaveLength(way.presses[kind])
      expect(loads, loads.join(', ')).toHaveLength(way.loads[kind])
      const paid = page.url()
      await press(main.getByRole('link', { name: /^Invoice / }))
      await expect(page.getByRole('heading', { name: /^Invoice / })).toBeVisible()
      expect(presses, 'one press to the invoice').toHaveLength(way.presses[kind] + 1)
      await page.goto(paid)
      await press(main.getByRole('link', { name: 'Add a Review' }))
      await expect(page.getByLabel('About').locator('option:checked')).toHaveText('Concert Flute in C')
      await page.getByLabel('Review').fill('It speaks at once.')
      await page.getByLabel('5 of 5').check()
      await press(page.getByRole('button', { name: 'Submit' }))
      await expect(page.getByText('Thank you for your time and feedback!')).toBeVisible()
      expect(presses, 'two more to the review').toHaveLength(way.presses[kind] + 3)
      await expect(async () => {
        const mails = await (await request.get(`${shop.sandboxUrl}/mail?to=${email}`)).text()
        expect(mails).toContain('Receipt: C-')
      }).toPass()
    },
  )
}

test('says after the payment what happens next and when, and sends the receipt again', async ({
  page,
  customer,
  javaScriptEnabled,
  shop,
  request,
}) => {
  await orderToPay(page, 'flute-c', 3)
  await payInFull(page, javaScriptEnabled)
  await expect(page.getByRole('heading', { name: 'Your payment is successful!' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/Expected \d+ .*to \d+ \w+ \d{4}\./)
  const next = page.getByRole('region', { name: 'What happens next' })
  await expect(next).toContainText(/You paid on \d+ \w+ \d{4}\./)
  await expect(page.getByRole('link', { name: /^Invoice / })).toBeVisible()
  await page.getByRole('link', { name: 'View the order' }).click()
  await page.getByRole('button', { name: 'Send the receipt again' }).dblclick()
  await expect(page.locator('.toast')).toContainText(`Your receipt is on its way to ${customer.email}.`)
  await expect(async () => {
    const mails = (await (await request.get(`${shop.sandboxUrl}/mail?to=${customer.email}`)).json()) as {
      subject: string
    }[]
    expect(mails.filter(({ subject }) => subject.startsWith('Receipt: '))).toHaveLength(2)
  }).toPass()
  await expect(page.getByRole('region', { name: 'What happens next' })).toContainText('We pack your order')
})

test(
  'makes one order of a double press, and of Back and a second press, and leads to its payment',
  bothWays,
  async ({ page, customer }) => {
    expect(customer.email).toBeTruthy()
    await page.goto('/instruments/flute-c?quantity=3')
    await fillIn(page, delivery)
    await page.getByRole('button', { name: 'Order Now' }).dblclick()
    await expect(page).toHaveURL(paymentPage)
    const payment = page.url()
    await page.goBack()
    await expect(page.getByLabel('Order quantity')).toHaveValue('3')
    await page.getByRole('button', { name: 'Order Now' }).click()
    await expect(page).toHaveURL(payment)
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('link', { name: 'Pay' })).toHaveCount(1)
  },
)
