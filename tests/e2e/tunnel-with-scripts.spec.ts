import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../../app/db/open.server'
import { orders, users } from '../../app/db/schema'
import { addInstrument } from '../../app/store/catalog/manage-instruments.server'
import { newId } from '../../app/store/shared/ids.server'
import { scriptDeps } from '../../dev/script-deps'
import type { TemporaryShop } from '../../dev/temporary-shop'
import { randomOf } from '../stress/report'
import { BrokenLine } from './broken-line'
import { drill, expect, fillIn, signInAs, test as base } from './shop'

/* `npm run check -- tunnel TRIES SEED` makes more tries than `npm test`. */
const tries = Number(process.env.TUNNEL_TRIES ?? 4)
const seed = Number(process.env.TUNNEL_SEED ?? 7)

const test = base.extend<{ line: BrokenLine }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  line: async ({}, use) => {
    const line = new BrokenLine()
    await use(line)
    await line.close()
  },
  // Chromium does not use a proxy for loopback addresses by default.
  proxy: async ({ line }, use) => use({ server: await line.open(), bypass: '<-loopback>' }),
  // The default page fails on console errors, and a broken connection is one.
  page: async ({ context }, use) => use(await context.newPage()),
})

test.setTimeout(60_000 + tries * 30_000)

const cuts = ['before', 'within', 'after'] as const
/** What the customer does while there is no connection. */
const habits = [
  'waits',
  'reloads',
  'closes the tab',
  'closes the tab at once',
  'has two tabs',
  'presses again',
  'reloads and presses',
] as const

const unsent = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('unsentOrder')))

async function fillInOrder(page: Page, instrument: string, address: string) {
  await page.goto(`/instruments/${instrument}`)
  await expect(page.getByRole('button', { name: 'One more' })).toBeVisible()
  await fillIn(page, { 'Order quantity': '1', Address: address, Phone: '+39 0372 555 0199' })
}

/** Whose session the browser then has. An account has at most 100 unpaid orders. */
async function newCustomer(page: Page, shop: TemporaryShop): Promise<void> {
  const id = newId()
  const email = `${id}@example.com`
  const at = Date.now()
  await openDatabase(shop.database).insert(users).values({ id, name: 'Ada', email, createdAt: at, emailVerifiedAt: at })
  await signInAs(page, email)
}

test('sends an order once when the connection is back, wherever it broke', drill, async ({ context, line, shop }) => {
  const db = openDatabase(shop.database)
  const random = randomOf(seed)
  const pick = (count: number) => Math.floor(random() * count)
  const details = { name: 'Tin Whistle', img: '/plates/flute-c.svg', price: 20_00, minQuantity: 1 }
  const { id: instrument } = await addInstrument({ ...scriptDeps(db), invalidate: () => undefined }, 'test', {
    ...details,
    availableQuantity: 100_000,
  })
  const [results, made] = [{ lost: 0, doubled: 0 }, [] as string[]]
  for (let number = 0; number < tries; number++) {
    let page = await context.newPage()
    if (number % 50 === 0) await newCustomer(page, shop)
    const [cut, habit] = [cuts[number % cuts.length]!, habits[pick(habits.length)]!]
    const address = `${number} Bow Lane, cut ${cut}, ${habit}`
    made.push(address)
    await fillInOrder(page, instrument, address)
    Object.assign(line, { cut, everything: true })
    await page.getByRole('button', { name: 'Order Now' }).click()
    await expect.poll(() => unsent(page), address).toHaveLength(1)
    if (habit !== 'closes the tab at once') {
      await expect(page.getByText('Your order is not sent yet'), address).toBeVisible()
      if (habit === 'presses again') await page.getByRole('button', { name: 'Order Now' }).click()
      if (habit.startsWith('reloads')) await page.reload({ waitUntil: 'commit', timeout: 5000 }).catch(() => undefined)
    }
    if (habit.startsWith('closes')) {
      await page.close()
      page = await context.newPage()
    }
    // The connection may come back at any moment.
    await page.waitForTimeout(pick(300))
    Object.assign(line, { cut: null, everything: false })
    if (habit.startsWith('closes') || habit.startsWith('reloads'))
      await expect(() => page.goto(`/instruments/${instrument}`)).toPass()
    if (habit === 'reloads and presses') {
      await expect(page.getByText('Your order is not sent yet'), address).toBeVisible()
      await page.getByRole('button', { name: 'Order Now' }).click()
    }
    const pages = [page]
    if (habit === 'has two tabs') {
      pages.push(await context.newPage())
      await pages[1]!.goto(`/instruments/${instrument}`)
    }
    await Promise.all(pages.map(goOnline))
    await expect(page, address).toHaveURL(/\/dashboard\/myOrders/)
    await expect.poll(() => unsent(page), address).toEqual([])
    for (const each of pages) await each.close()
  }
  const placed = await db
    .select({ address: orders.customerAddress })
    .from(orders)
    .where(eq(orders.instrumentId, instrument))
  for (const address of made) {
    const count = placed.filter((order) => order.address === address).length
    if (count === 0) results.lost++
    if (count > 1) results.doubled++
  }
  console.warn(`${tries} orders with a broken line, seed ${seed}: ${results.lost} lost, ${results.doubled} doubled`)
  expect([results, placed.length]).toEqual([{ lost: 0, doubled: 0 }, tries])
})

test('reads a page whole or says that it cannot, wherever the connection broke', drill, async ({ page, line }) => {
  const random = randomOf(seed)
  const seen = ['/home', '/allInstruments', '/catalog/oboe-conservatoire-system', '/reviews']
  const unseen = ['/allInstruments?q=flute', '/catalog/cello-4-4', '/catalog.html']
  await page.goto('/home')
  // Pages that are opened before the worker runs do not come through it. It copies the page that registered it itself.
  await waitForCopies(page, ['/home'])
  for (const path of seen) await page.goto(path)
  await waitForCopies(page, seen)
  for (let number = 0; number < tries; number++) {
    const cut = cuts[number % cuts.length]!
    const isSeen = random() < 0.6
    const paths = isSeen ? seen : unseen
    const path = paths[Math.floor(random() * paths.length)]!
    Object.assign(line, { cut, everything: true })
    await page.goto(path)
    const words = isSeen ? 'This is a copy, as of' : 'this page was not opened here before'
    await expect(page.locator('main'), `${path}, cut ${cut}`).toContainText(words)
    await expect(page.locator('footer'), `${path}, cut ${cut}`).toHaveCount(1)
    Object.assign(line, { cut: null, everything: false })
  }
})

/** Whole ones. `waitForFunction` does not await a promise: it takes it for true. */
async function waitForCopies(page: Page, paths: string[]): Promise<void> {
  const missing = () =>
    page.evaluate(async (all) => {
      const copies = await caches.open('pages-1')
      const texts = await Promise.all(all.map(async (path) => (await copies.match(path))?.text()))
      return all.filter((_, index) => !texts[index]?.endsWith('</html>'))
    }, paths)
  await expect.poll(missing).toEqual([])
}

/** As the browser says it, often sooner than the page tries again by itself. */
async function goOnline(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined)
}
