import type { Locator, Page } from '@playwright/test'
import { expectNothingFrom } from './axe'
import { expectInFirstView } from './first-view'
import { drill, expect, fillIn, order, signInAs, test } from './shop'

const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 900 }
const families = ['Strings', 'Brass', 'Woodwind', 'Cases']
const isDesktop = (page: Page) => page.viewportSize()!.width > 1000

const bottomOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().bottom + scrollY)

for (const viewport of [phone, desktop]) {
  const size = `${viewport.width} × ${viewport.height}`
  test.describe(size, viewport === phone ? {} : drill, () => {
    test.use({ viewport })

    test(`has search and families in the header of every public page at ${size}`, drill, async ({ page }) => {
      const top = page.getByRole('banner')
      for (const path of [
        '/',
        '/allInstruments',
        '/catalog/oboe-conservatoire-system',
        '/reviews',
        '/login',
        '/register',
        '/nowhere',
      ]) {
        await page.goto(path)
        const links = families.map((name) => top.getByRole('link', { name, exact: true }))
        await expectInFirstView(page, top.getByLabel('Search'), top.getByRole('button', { name: 'Find' }), ...links)
        for (const link of links) expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
        const height = (await top.boundingBox())!.height
        expect(height, path).toBeLessThanOrEqual(isDesktop(page) ? 60 : 140)
      }
      if (!isDesktop(page)) {
        const [field, menu] = [top.getByRole('search'), top.getByRole('navigation')]
        const row = (await field.boundingBox())!
        expect(row.width).toBe(328)
        for (const box of await Promise.all([menu.first().boundingBox(), menu.last().boundingBox()])) {
          expect(box!.y >= row.y + row.height || box!.y + box!.height <= row.y).toBe(true)
        }
      }
      await top.getByLabel('Search').fill('double horn')
      await top.getByLabel('Search').press('Enter')
      await expect(page).toHaveURL(/\/allInstruments\?q=double\+horn$/)
      await expect(page.getByRole('rowheader').first()).toContainText('Double Horn in F and Bb')
      await expect(top.getByLabel('Search')).toHaveValue('double horn')
      await top.getByRole('link', { name: 'Cases' }).click()
      await expect(page).toHaveURL(/\/allInstruments\?family=cases$/)
      await expect(top.getByRole('link', { name: 'Cases' })).toHaveAttribute('aria-current', 'page')
    })

    test(`begins the list in the first view at ${size}`, async ({ page }) => {
      await page.goto('/allInstruments')
      const rows = page.locator('tbody tr')
      // Other tests add products, and hide some for a while.
      const count = await rows.count()
      expect(count).toBeGreaterThanOrEqual(20)
      const measured = Math.min(count, 24) - 1
      await expectInFirstView(page, ...[0, 1, 2].map((index) => rows.nth(index)))
      const end = await bottomOf(rows.nth(measured))
      expect(end).toBeLessThanOrEqual(isDesktop(page) ? 2600 : 2300)
      const further = (await bottomOf(rows.last())) - end
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      expect(height - further).toBeLessThanOrEqual(isDesktop(page) ? 3000 : 2700)
      // Nothing is cut off, nor lies upon something else that can be pressed.
      expect(
        await rows
          .locator('a')
          .evaluateAll((links) => links.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length),
      ).toBe(0)
      await expect(page.getByRole('main')).not.toContainText('…')
      for (const link of await rows.nth(1).getByRole('link').all()) {
        expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
        await link.click({ trial: true })
      }
    })

    test(`filters and sorts the list at ${size}`, async ({ page }) => {
      const form = page.getByRole('main').locator('form')
      const price = form.getByLabel('Price up to')
      await page.goto('/allInstruments?q=clarinet')
      if (isDesktop(page)) {
        const tops = await form
          .locator('select, input:not([type=hidden])')
          .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom / 30)))
        expect(new Set(tops).size, 'all filters in one row').toBe(1)
      } else {
        await expect(price).toBeHidden()
        await page.getByText('Filter and sort').click()
      }
      await price.fill('1200')
      await form.getByRole('button', { name: 'Search' }).click()
      await expect(page.getByRole('main')).toContainText(/\d match(es)? for “clarinet”, up to \$1,200/)
      await page.getByRole('link', { name: 'At any price' }).click()
      await expect(page).toHaveURL(/\/allInstruments\?q=clarinet$/)
      const header = page.getByRole('banner')
      await header.getByLabel('Search').fill('violin between 300 and 1,000')
      await header.getByLabel('Search').press('Enter')
      await expect(page).toHaveURL(/\/allInstruments\?q=violin&min=300&max=1000$/)
      await expect(page.getByRole('main')).toContainText(/\d match(es)? for “violin”, from \$300, up to \$1,000/)
      await page.goto('/allInstruments?max=cheap')
      await expect(page.getByText('In dollars, like 1,450.00')).toBeVisible()
    })

    test(`gives reasons to trust the shop in the first view of home at ${size}`, drill, async ({ page }) => {
      await page.goto('/')
      const main = page.getByRole('main')
      const facts = ['Delivery', 'Returns', 'Payment'].map((term) => main.locator('.hero dt').filter({ hasText: term }))
      await expectInFirstView(
        page,
        main.getByText('over four decades').first(),
        ...facts,
        main.getByRole('link', { name: 'Get Started' }),
      )
      if (isDesktop(page)) return
      expect((await main.locator('.card h3').first().boundingBox())!.y).toBeLessThan(740)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(4500)
    })

    test(
      `shows customers and newcomers their way in the first view of login and register at ${size}`,
      drill,
      async ({ page, javaScriptEnabled }) => {
        const main = page.getByRole('main')
        const ways = [
          main.getByRole('link', { name: 'I have an account' }),
          main.getByRole('link', { name: 'I am new' }),
        ]
        await page.goto('/login')
        await expectInFirstView(page, ...ways, main.getByLabel('Password'), main.getByRole('button', { name: 'Login' }))
        if (javaScriptEnabled) await expectNothingFrom(page)
        await ways[1]!.click()
        await expect(page).toHaveURL(/\/register$/)
        await expect(ways[1]!).toHaveAttribute('aria-current', 'page')
        await expectInFirstView(page, ...ways, main.getByRole('button', { name: 'Register' }))
        if (javaScriptEnabled) await expectNothingFrom(page)
      },
    )

    test(`lets a stranger who pressed Purchase log in or register with the instrument in view at ${size}`, async ({
      page,
      javaScriptEnabled,
    }) => {
      await page.goto('/catalog/concert-flute-in-c')
      await page.getByLabel('Quantity').fill('4')
      await page.getByRole('button', { name: 'Purchase' }).click()
      await expect(page).toHaveURL(/\/login\?redirectTo=/)
      const main = page.getByRole('main')
      const picture = main.locator('img:visible').first()
      const ways = [main.getByRole('link', { name: 'I have an account' }), main.getByRole('link', { name: 'I am new' })]
      const product = [main.getByText('Concert Flute in C'), main.getByText('$760.00 each'), picture]
      await expectInFirstView(page, ...ways, ...product, main.getByRole('button', { name: 'Login' }))
      if (javaScriptEnabled) await expectNothingFrom(page)
      await ways[1]!.click()
      await expectInFirstView(page, ...ways, ...product, main.getByLabel('Name'))
      const email = `stranger${viewport.width}${javaScriptEnabled ? 's' : ''}@example.com`
      await fillIn(main, { Name: 'A Stranger', Email: email, Password: 'correct horse' }, 'Register')
      await expect(page).toHaveURL(/\/instruments\/flute-c\?quantity=4$/)
      await expect(page.getByLabel('Order quantity')).toHaveValue('4')
    })
  })
}

test('writes no text of the header or of the list over another, however long a name is', drill, async ({ page }) => {
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/allInstruments')
    const overlaps = await page.locator('.site-header, tbody tr').evaluateAll((groups) =>
      groups.flatMap((group) => {
        const texts: Node[] = []
        const walker = document.createTreeWalker(group, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) if (walker.currentNode.textContent?.trim()) texts.push(walker.currentNode)
        const lines = texts.flatMap((text) => {
          const range = document.createRange()
          range.selectNodeContents(text)
          return [...range.getClientRects()].map((rect) => ({ text, rect }))
        })
        return lines
          .filter(({ text, rect }) =>
            lines.some(
              (other) =>
                other.text !== text &&
                Math.min(rect.right, other.rect.right) - Math.max(rect.left, other.rect.left) > 1 &&
                // Lines of text stand closer than their boxes are high.
                Math.min(rect.bottom, other.rect.bottom) - Math.max(rect.top, other.rect.top) > 3,
            ),
          )
          .map(({ text }) => text.textContent)
      }),
    )
    expect(overlaps, `${width} px`).toEqual([])
    const top = page.getByRole('banner')
    const [brand, menu] = [top.locator('.brand'), top.getByRole('navigation', { name: 'Main' })]
    const [left, right] = [(await brand.boundingBox())!, (await menu.boundingBox())!]
    expect(right.x - left.x - left.width).toBeGreaterThanOrEqual(0)
    const middle = ({ y, height }: { y: number; height: number }) => y + height / 2
    expect(Math.abs(middle(left) - middle(right))).toBeLessThan(2)
  }
})

test('leaves search and families out of the header of the desk', drill, async ({ page }) => {
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard')
  const top = page.getByRole('banner')
  await expect(top.getByRole('search')).toHaveCount(0)
  await page.goto('/')
  await expect(top.getByRole('search')).toBeVisible()
})

test(
  'shows the name of the shop beside the menu of who is signed in at 320 px, with room between them',
  drill,
  async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 740 })
    await signInAs(page, 'ada@example.com')
    await page.goto('/')
    const top = page.getByRole('banner')
    const name = top.getByRole('link', { name: 'Cadenza' })
    const [left, right] = [(await name.boundingBox())!, (await top.getByRole('link', { name: 'Home' }).boundingBox())!]
    expect(left.width).toBeGreaterThan(50)
    expect(right.x - left.x - left.width).toBeGreaterThanOrEqual(8)
  },
)

test('writes the words of the footer that lead nowhere as text, one after the other', drill, async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/login')
    const footer = page.getByRole('contentinfo')
    const [first, second] = [footer.getByText('Branding', { exact: true }), footer.getByText('Design', { exact: true })]
    expect((await first.boundingBox())!.y).toBe((await second.boundingBox())!.y)
  }
})

test('ends the ways, fields and buttons of login and register at one edge', drill, async ({ page }) => {
  for (const path of ['/login', '/register', '/login?redirectTo=%2Finstruments%2Foboe'])
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      const parts = page.locator(
        '.auth > :first-child > header, .ways, .auth .field input, .auth .form > .button, .auth .actions > :last-child',
      )
      const edges = await parts.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right))
      expect(edges.length).toBeGreaterThan(4)
      expect(new Set(edges.map(Math.round)).size, `${path} at ${width} px`).toBe(1)
    }
})

test('stands Pay and Cancel of an order on one line of My Orders', drill, async ({ page, customer }) => {
  expect(customer.email).toBeTruthy()
  for (const instrument of ['oboe', 'viola-16']) await order(page, instrument, 1)
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/dashboard/myOrders')
    const rows = await page.locator('tbody tr').all()
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      const pay = (await row.getByRole('link', { name: 'Pay' }).boundingBox())!
      const cancel = (await row.getByRole('button', { name: 'Cancel' }).boundingBox())!
      expect(Math.abs(pay.y - cancel.y), `${width} px`).toBeLessThanOrEqual(1)
    }
  }
})
