import type { Page } from '@playwright/test'
import { openDatabase } from '../../app/db/open.server'
import { addOrders } from '../support/many-orders'
import { expectNothingFrom } from './axe'
import { drill, expect, signInAs, test as base } from './shop'

/** A shop with 60 orders, some with the longest names, in the hands of its admin. */
const test = base.extend<object, { orders: undefined }>({
  orders: [
    async ({ shop }, use) => {
      await addOrders({ db: openDatabase(shop.database) }, 60)
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

// One after the other: each worker that takes part starts and fills a shop of its own.
test.describe.configure({ mode: 'default' })

const desktop = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }
const list = '/dashboard/manageOrders'

async function openAsAdmin(page: Page, path: string, viewport = desktop) {
  await page.setViewportSize(viewport)
  await signInAs(page, 'admin@example.com')
  await page.goto(path)
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test(
  'shows at least 14 orders in the first view of a desk, and 50 on a page of 2,600 px',
  drill,
  async ({ page, javaScriptEnabled }) => {
    await openAsAdmin(page, list)
    const rows = page.locator('tbody tr')
    await expect(rows).toHaveCount(50)
    const seen = await rows.evaluateAll((all) => {
      const end = document.querySelector('.desk-bar')!.getBoundingClientRect().top
      return all.filter((row) => row.getBoundingClientRect().bottom <= end).length
    })
    expect(seen).toBeGreaterThanOrEqual(14)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2600)
    expect(await isTooWide(page)).toBe(0)
    if (javaScriptEnabled) await expectNothingFrom(page)
  },
)

test(
  'shows an order in at most 96 px of a phone, with targets of 44 px and nothing beside the page',
  drill,
  async ({ page, javaScriptEnabled }) => {
    await openAsAdmin(page, list, phone)
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => (row as HTMLElement).offsetHeight))
    expect(heights).toHaveLength(50)
    expect(Math.max(...heights)).toBeLessThanOrEqual(96)
    expect(await isTooWide(page)).toBe(0)
    const targets = page.locator('.cell-select label, .cell-action button, .desk-bar > *:visible')
    for (const box of await targets.evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))) {
      expect(box.height).toBeGreaterThanOrEqual(44)
      expect(box.width).toBeGreaterThanOrEqual(44)
    }
    // A press beside the number leads to the order too.
    await page
      .locator('tbody tr')
      .first()
      .click({ position: { x: 120, y: 40 } })
    await expect(page.getByRole('heading', { name: /^Order C-\d+$/ })).toBeVisible()
    expect(await isTooWide(page)).toBe(0)
    if (javaScriptEnabled) await expectNothingFrom(page)
  },
)

test(
  'begins the rows of a list in the upper third of a phone, each of at most 96 px',
  drill,
  async ({ page, javaScriptEnabled }) => {
    for (const path of [list, '/dashboard/manageProduct']) {
      await openAsAdmin(page, path, phone)
      const rows = await page.locator('tbody tr').evaluateAll((all) =>
        all.map((row) => {
          const { top, height } = row.getBoundingClientRect()
          return { top, height }
        }),
      )
      expect(rows[0]!.top).toBeLessThanOrEqual(phone.height * 0.35)
      expect(Math.max(...rows.map(({ height }) => height))).toBeLessThanOrEqual(96)
      // Menu, tabs and bar are a row each, in which one sees where one is.
      for (const row of await page.locator('.desk-nav > ul:first-child, .filters, .desk-bar').all())
        expect((await row.boundingBox())!.height).toBeLessThanOrEqual(58)
      const current = page.getByRole('navigation', { name: 'Dashboard' }).locator('[aria-current]')
      await expect(current).toBeInViewport({ ratio: 0.9 })
      if (javaScriptEnabled) await expectNothingFrom(page)
    }
  },
)

test(
  'shows the sales of today, this week and this month in the first view',
  drill,
  async ({ page, javaScriptEnabled }) => {
    for (const viewport of [desktop, phone]) {
      await openAsAdmin(page, '/dashboard', viewport)
      for (const period of ['Today', 'This week', 'This month'])
        await expect(page.getByRole('row', { name: period })).toBeInViewport({ ratio: 1 })
      expect(await isTooWide(page)).toBe(0)
      if (javaScriptEnabled) await expectNothingFrom(page)
    }
  },
)

test(
  'ends a phone’s page of reports within 2,600 px, its long tables folded',
  drill,
  async ({ page, javaScriptEnabled }) => {
    await openAsAdmin(page, '/dashboard/reports', phone)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2600)
    const months = page.getByRole('table', { name: 'Month by month' })
    await expect(months).toBeHidden()
    await page.getByText('Months', { exact: true }).click()
    await expect(months).toBeVisible()
    expect(await isTooWide(page)).toBe(0)
    if (javaScriptEnabled) await expectNothingFrom(page)
    await page.setViewportSize(desktop)
    await page.reload()
    await expect(months).toBeVisible()
  },
)

test('keeps the bar for several orders in view, from the first row to the last', drill, async ({ page }) => {
  for (const viewport of [desktop, phone]) {
    await openAsAdmin(page, list, viewport)
    const bar = page.getByRole('button', { name: 'Ship selected' })
    for (const row of [0, 25, 49]) {
      await page.locator('tbody tr').nth(row).scrollIntoViewIfNeeded()
      await expect(bar).toBeInViewport({ ratio: 1 })
    }
  }
})

test('ticks all orders of the page, and ships those that are paid with one press', async ({
  page,
  javaScriptEnabled,
}) => {
  await openAsAdmin(page, `${list}?status=paid`)
  const boxes = page.getByRole('checkbox', { name: /^Select order C-/ })
  const count = await boxes.count()
  expect(count).toBeGreaterThan(10)
  const all = javaScriptEnabled
    ? page.getByRole('checkbox', { name: 'Select all' })
    : page.getByRole('link', { name: 'Select all' })
  // It ticks the others too.
  if (javaScriptEnabled) await boxes.nth(1).check()
  await all.click()
  for (const box of await boxes.all()) await expect(box).toBeChecked()
  // Only the first three.
  for (let row = 3; row < count; row++) await boxes.nth(row).uncheck()
  if (javaScriptEnabled) await expect(all).not.toBeChecked()
  const numbers = (await page.locator('tbody th').allTextContents()).slice(0, 3)
  await page.getByRole('button', { name: 'Ship selected' }).click()
  await expect(page.getByText(`${numbers.join(', ')}: marked as shipped.`)).toBeVisible()
  await expect(page).toHaveURL(/status=paid/)
  await expect(page.locator('tbody tr')).toHaveCount(count - 3)
})

test('leads back from an order to the same row of the same page', async ({ page }) => {
  await openAsAdmin(page, list, phone)
  await page.getByRole('link', { name: 'Next' }).click()
  const link = page.locator('tbody tr').nth(2).getByRole('link')
  const number = (await link.textContent())!
  await link.click()
  await page.getByRole('link', { name: 'Back to the orders' }).click()
  await expect(page).toHaveURL(/before=/)
  await expect(page.getByRole('link', { name: number, exact: true })).toBeFocused()
  await expect(page.getByRole('link', { name: number, exact: true })).toBeInViewport()
})

test('shows number, name and address beside the form that ships, also for the next order', async ({ page }) => {
  for (const viewport of [desktop, phone]) {
    await openAsAdmin(page, `${list}?status=paid&q=kelly`, viewport)
    await page.locator('tbody tr').nth(1).getByRole('link').click()
    await expect(page.getByRole('button', { name: 'Ship Now' })).toBeInViewport({ ratio: 1 })
    await page.getByLabel('Carrier').fill('Swift & Sons')
    await page.getByRole('button', { name: 'Ship and open the next' }).click()
    await expect(page).toHaveURL(/q=kelly&status=paid&carrier=Swift/)
    const number = /C-\d+/.exec((await page.getByRole('heading', { level: 1 }).textContent())!)![0]
    for (const what of [page.getByRole('heading', { name: `Ship ${number}` }), page.locator('.ship-to .copy')])
      await expect(what).toBeInViewport({ ratio: 1 })
    await expect(page.locator('.ship-to')).toContainText('Aoife Kelly')
    await expect(page.getByLabel('Carrier')).toHaveValue('Swift & Sons')
    await expect(page.getByLabel('Carrier')).toBeInViewport()
  }
})

test("keeps 'Delete Product' where it is when a product unfolds", drill, async ({ page }) => {
  for (const width of [320, 360, 768, 1280, 1920]) {
    await openAsAdmin(page, '/dashboard/manageProduct', { width, height: 740 })
    const row = page.locator('tbody tr').nth(2)
    // Clear of the bar.
    await row.evaluate((it) => it.scrollIntoView({ block: 'center', behavior: 'instant' }))
    const fold = row.locator('summary')
    const places = () =>
      row.evaluate((it) =>
        [...it.querySelectorAll('th, .cell-price, .cell-action .button:not(details *), summary')].map((each) => {
          const [{ x, y }, from] = [each.getBoundingClientRect(), it.getBoundingClientRect()]
          return [each.textContent, Math.round(x - from.x), Math.round(y - from.y)]
        }),
      )
    const before = await places()
    expect(before).toHaveLength(5)
    const box = (await fold.boundingBox())!
    const press = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await press()
    await expect(row.getByRole('link', { name: 'Duplicate' })).toBeVisible()
    expect(await places()).toEqual(before)
    expect(await fold.boundingBox()).toEqual(box)
    await press()
    await expect(row.getByRole('link', { name: 'Duplicate' })).toBeHidden()
    await expect(page).not.toHaveURL(/delete=/)
  }
})

test('cuts nothing off above a list, down to 320 px', drill, async ({ page }) => {
  for (const path of [list, '/dashboard/manageProduct?state=low', '/dashboard/makeAdmin'])
    for (const width of [320, 360, 768, 1024, 1280]) {
      await openAsAdmin(page, path, { width, height: 740 })
      const controls = page.locator('.desk-search :is(select, button, [type=date], [placeholder]):visible')
      const cut = await controls.evaluateAll((all) =>
        all.flatMap((each) => {
          const has = each.getBoundingClientRect().width
          const copy = each.cloneNode(true) as HTMLElement
          copy.style.cssText = 'position: absolute; width: max-content'
          const placeholder = each.getAttribute('placeholder')
          // As wide as its longest text.
          if (placeholder !== null) {
            copy.setAttribute('value', placeholder)
            copy.style.setProperty('field-sizing', 'content')
          }
          each.parentElement!.appendChild(copy)
          const needs = copy.getBoundingClientRect().width
          copy.remove()
          return needs > has + 1 ? [`${each.textContent || placeholder}: ${needs} > ${has}`] : []
        }),
      )
      expect([path, width, cut]).toEqual([path, width, []])
      // An email beside a name is there in whole, or not at all.
      const emails = await page.locator('.line > .hint').evaluateAll((all) =>
        all.flatMap((each) => {
          const [email, line] = [each, each.parentElement!].map((it) => it.getBoundingClientRect())
          return email!.top < line!.bottom && email!.right > line!.right + 1 ? [each.textContent] : []
        }),
      )
      expect([path, width, emails]).toEqual([path, width, []])
    }
})

test('fades out what goes on beside a row of a phone, until its end', drill, async ({ page }) => {
  for (const width of [320, 360]) {
    await openAsAdmin(page, list, { width, height: 740 })
    for (const row of await page.locator('.filters, .desk-bar').all()) {
      const { isFaded, isCut, isClear } = await row.evaluate((it) => {
        const { backgroundImage, position } = getComputedStyle(it, '::after')
        const isCut = it.scrollWidth > it.clientWidth
        it.scrollLeft = it.scrollWidth
        const last = it.lastElementChild!.getBoundingClientRect()
        return {
          isFaded: backgroundImage.includes('gradient') && position === 'sticky',
          isCut,
          isClear: last.right <= it.getBoundingClientRect().right - 20,
        }
      })
      expect({ isFaded, isCut, isClear }, `${width} px`).toEqual({ isFaded: true, isCut: true, isClear: true })
    }
  }
})

test('prints the slips of the selected orders on a page each', drill, async ({ page }) => {
  await openAsAdmin(page, `${list}?status=paid`)
  for (const row of [0, 1, 2]) await page.locator('tbody tr').nth(row).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Packing slips' }).click()
  await expect(page.getByRole('heading', { name: 'Packing slip', exact: true })).toHaveCount(3)
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
  expect(sheets).toHaveLength(3)
})
