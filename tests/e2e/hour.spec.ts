import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { openDatabase } from '../../app/db/open.server'
import { contactMessages } from '../../app/db/schema'
import { addOrders } from '../support/many-orders'
import { expectFocusSeen } from './keyboard'
import { drill, expect, fillIn, orderToPay, payInFull, signInAs, test as base } from './shop'

/** In a worker, and so a shop, of its own: the hour changes products that other tests order. */
const test = base.extend<object, { ownShop: boolean }>({
  ownShop: [true, { option: true, scope: 'worker' }],
})

/*
 * An hour of the shopkeeper, counted: 50 orders, of which 20 are shipped with tracking (10 of them together), 3 refunded, 5 products
 * changed, 2 pictures, 3 messages answered, 1 review hidden, and the month read. A load is a document that the browser shows; a press is
 * one of a link, a button, a box or a fold, or Enter in a field. Typing counts as nothing.
 */

/** The same at commit ebc0386 (docs/decisions/0046-the-desk.md). */
const before = { loads: 82, presses: 99 }

class Hour {
  loads = 0
  presses = 0

  constructor(
    readonly page: Page,
    readonly byKeyboard: boolean,
  ) {
    page.on('domcontentloaded', () => this.loads++)
  }

  async press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    this.presses++
    if (!this.byKeyboard) return target.click()
    await target.focus()
    await expectFocusSeen(this.page)
    await this.page.keyboard.press(key)
  }

  /** Comes to another document. */
  async open(target: Locator): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), this.press(target)])
  }

  button(name: string): Promise<void> {
    return this.open(this.page.getByRole('button', { name, exact: true }))
  }

  /** On a phone, the further items are behind 'More'. */
  async menu(name: RegExp): Promise<void> {
    const item = this.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name })
    if (!(await item.isVisible())) await this.press(this.page.getByRole('link', { name: 'More', exact: true }))
    await this.open(item)
  }

  async find(number: string): Promise<void> {
    const field = this.page.getByLabel('Search').last()
    await field.fill(number)
    this.presses++
    await Promise.all([this.page.waitForEvent('load'), field.press('Enter')])
  }
}

const picture = async (background: string) => ({
  ...{ name: 'photo.jpg', mimeType: 'image/jpeg' },
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

/** Without scripts, it is a link. */
async function selectAll(hour: Hour, page: Page): Promise<void> {
  const box = page.getByRole('checkbox', { name: 'Select all' })
  if (await box.isVisible()) await hour.press(box, 'Space')
  else await hour.open(page.getByRole('link', { name: 'Select all' }))
}

async function shipTwenty(hour: Hour, page: Page): Promise<void> {
  await hour.open(page.getByRole('table', { name: 'Orders to ship' }).getByRole('link').first())
  for (let nth = 1; nth <= 10; nth++) {
    await fillIn(page, { Carrier: 'Swift & Sons', 'Tracking number': `S-${nth}` })
    await hour.button('Ship and open the next')
    await expect(page.getByText('Order marked as shipped. Here is the next one.')).toBeVisible()
  }
  await hour.open(page.getByRole('link', { name: 'Back to the orders' }))
  // Ten at least: other tests may have left some more.
  const others = await page.locator('tbody tr').count()
  expect(others).toBeGreaterThanOrEqual(10)
  await selectAll(hour, page)
  await hour.button('With tracking')
  await page.getByLabel('Carrier of all').fill('Swift & Sons')
  for (const [nth, field] of (await page.getByLabel(/^Tracking number of/).all()).entries())
    await field.fill(`T-${nth}`)
  await hour.button(`Ship ${others} orders`)
  await expect(page.getByText(`${others} orders marked as shipped.`)).toBeVisible()
}

async function refundThree(hour: Hour, page: Page, numbers: string[]): Promise<void> {
  for (const number of numbers) {
    await hour.find(number)
    await expect(page.getByRole('heading', { name: `Order ${number}` })).toBeVisible()
    await fillIn(page, { Amount: '5', Reason: 'Scratch on the lid' })
    await hour.button('Refund')
    await hour.button('Refund')
    await expect(page.getByText('Refunded $5.00.')).toBeVisible()
  }
}

async function changeProducts(hour: Hour, page: Page): Promise<void> {
  await hour.menu(/^Manage Products/)
  for (let row = 0; row < 7; row++) await hour.press(page.locator('tbody').getByRole('checkbox').nth(row), 'Space')
  await hour.button('Change selected')
  for (let row = 0; row < 5; row++) {
    await page
      .getByLabel('Price')
      .nth(row)
      .fill(String(700 + row))
    await page.getByLabel('Available').nth(row).fill('50')
  }
  for (const [row, color] of [
    [5, '#864'],
    [6, '#468'],
  ] as const) {
    hour.presses++
    await page
      .getByLabel('New picture')
      .nth(row)
      .setInputFiles(await picture(color))
  }
  await hour.button('Save')
  await expect(page.getByText('Products updated.')).toBeVisible()
}

async function answerThree(hour: Hour, page: Page): Promise<void> {
  await hour.menu(/^Messages/)
  for (const answer of await page.getByRole('link', { name: 'Answer by email' }).all()) {
    await expect(answer).toHaveAttribute('href', /^mailto:/)
    hour.presses++
  }
  await selectAll(hour, page)
  await hour.button('Mark as answered')
  await expect(page.getByText(/\d+ messages are done\./)).toBeVisible()
}

async function hideReview(hour: Hour, page: Page): Promise<void> {
  await hour.menu(/^Reviews/)
  const review = page
    .locator('.entries > li')
    .filter({ has: page.locator('summary', { hasText: /^Hide$/ }) })
    .first()
  await hour.press(review.locator('summary', { hasText: /^Hide$/ }))
  await review.getByLabel('Reason').fill('Rude')
  await hour.open(review.getByRole('button', { name: 'Hide' }))
  await expect(page.getByText('The review is hidden.')).toBeVisible()
}

for (const [what, width, byKeyboard] of [
  ['on a desk', 1280, false],
  ['on a phone', 360, false],
  ['with the keyboard alone', 1280, true],
] as const) {
  test(
    `an hour of the shopkeeper takes half the pages and presses of before, ${what}`,
    drill,
    async ({ page, shop, customer, javaScriptEnabled }) => {
      test.slow()
      await page.setViewportSize({ width, height: width > 1000 ? 900 : 740 })
      const db = openDatabase(shop.database)
      await addOrders({ db }, 50)
      const numbers: string[] = []
      for (let nth = 0; nth < 3; nth++) {
        await orderToPay(page, 'cello-case', 1)
        await payInFull(page, javaScriptEnabled)
      }
      const message = { name: 'Zoe', email: customer.email, message: 'Hello', copy: 0, createdAt: Date.now() }
      for (const nth of [1, 2, 3])
        await db.insert(contactMessages).values({ id: `${customer.email}${nth}`, ...message })
      await page.goto('/dashboard/myOrders')
      numbers.push(...new Set((await page.locator('main').innerText()).match(/C-\d+/g)))
      expect(numbers).toHaveLength(3)
      await signInAs(page, 'admin@example.com')
      await page.goto('/dashboard')

      const hour = new Hour(page, byKeyboard)
      const parts: Record<string, number[]> = {}
      const count = async (part: string, work: Promise<void>) => {
        const [loads, presses] = [hour.loads, hour.presses]
        await work
        parts[part] = [hour.loads - loads, hour.presses - presses]
      }
      await count('ship', shipTwenty(hour, page))
      await count('refund', refundThree(hour, page, numbers))
      await count('products', changeProducts(hour, page))
      await count('messages', answerThree(hour, page))
      await count('review', hideReview(hour, page))
      await count('month', hour.menu(/^Reports/))
      await expect(page.getByRole('heading', { name: 'Month by month' })).toBeVisible()
      const { loads, presses } = hour
      console.warn(`The hour, ${what}: ${JSON.stringify({ loads, presses, 'of each': parts })}`)
      expect(loads).toBeLessThanOrEqual(before.loads / 2)
      expect(presses).toBeLessThanOrEqual(before.presses / 2)
    },
  )
}
