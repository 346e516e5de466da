import { eq, sql } from 'drizzle-orm'
import { emptySearches } from '../../app/db/schema'
import { setStaffRole } from '../../app/store/accounts/users.server'
import { parseCsv } from '../../app/http/csv/csv.server'
import { expect, test, type Shop } from '../support/shop'

/** They are written after the response. */
async function kept(shop: Shop, atLeast: number) {
  const rows = () => shop.deps.db.select().from(emptySearches).orderBy(emptySearches.words)
  await expect.poll(async () => (await rows()).length).toBeGreaterThanOrEqual(atLeast)
  return (await rows()).map(({ words, searches }) => [words, searches])
}

const search = (q: string, rest = '') => `/allInstruments?q=${encodeURIComponent(q)}${rest}`

test('counts what shoppers look for and do not find, and nothing else', async ({ shop }) => {
  // A Worker of its own: the words of an address count once.
  await shop.configure({})
  await shop.sells({ name: 'Violin', price: 100_00 })
  const visitor = shop.visitor()
  for (const path of [
    search('violin'),
    search('violn'),
    search('violin', '&max=1'),
    search('used violin'),
    search('kazoo', '&page=2'),
    search('jo@shop.com'),
    search('07700 900123'),
    '/allInstruments?family=brass',
    '/instruments?q=kazoo',
  ])
    await visitor.get(path)
  const signedIn = await shop.signedIn(await shop.customer())
  await signedIn.get(search('Kazoo'))
  await visitor.get(search('théremin ', '&max=5000'))
  expect(await kept(shop, 3)).toEqual([
    ['kazoo', 1],
    ['theremin', 1],
    ['used violin', 1],
  ])
})

test('shows the page of a search although it cannot be counted', async ({ shop }) => {
  await shop.deps.db.run(sql`ALTER TABLE empty_searches RENAME TO away`)
  const { status, text } = await shop.visitor().get(search('ocarina'))
  expect([status, text.includes('Nothing matches “ocarina”')]).toEqual([200, true])
  await shop.deps.db.run(sql`ALTER TABLE away RENAME TO empty_searches`)
})

test('shows the searches of a month in the reports, with a link to add the product, and all in the CSV', async ({
  shop,
}) => {
  const month = new Date(shop.deps.now()).toISOString().slice(0, 7)
  await shop.deps.db.insert(emptySearches).values([
    { month, words: 'double reed & more', searches: 3 },
    { month, words: 'kazoo', searches: 1 },
    { month: '2026-01', words: 'lute', searches: 7 },
    // The store keeps no signs: this is how a row would look that something else has written.
    { month: '2026-01', words: '=1+2', searches: 1 },
  ])
  const browser = await shop.visitor().signIn(await shop.admin())
  const { page } = await browser.get('/dashboard/reports')
  const rows = (of: typeof page) =>
    of
      .querySelectorAll('section[aria-labelledby=searches] tbody tr')
      .map((row) => row.querySelectorAll('th, td').map((cell) => cell.textContent.trim()))
  expect(rows(page)).toEqual([
    ['double reed & more', '3', 'Add as a product'],
    ['kazoo', '1', 'Add as a product'],
  ])
  const links = page
    .querySelectorAll('section[aria-labelledby=searches] tr a')
    .map((link) => link.getAttribute('href')!)
  expect(links[0]).toBe('/allInstruments?q=double%20reed%20%26%20more')
  const form = await browser.get(links[1]!)
  expect(form.page.querySelector('[name=name]')!.getAttribute('value')).toBe('double reed & more')
  expect(rows((await browser.get('/dashboard/reports?month=2026-01')).page)).toHaveLength(2)
  expect((await browser.get('/dashboard/reports?month=2026-02')).text).toContain('Every search found something.')
  const many = Array.from({ length: 20 }, (_, nth) => ({ month: '2026-03', words: `shawm ${nth}`, searches: 1 }))
  await shop.deps.db.insert(emptySearches).values(many)
  const march = () => browser.get('/dashboard/reports?month=2026-03')
  const twenty = await march()
  expect([rows(twenty.page).length, twenty.text.includes('The CSV has them all.')]).toEqual([20, false])
  await shop.deps.db.insert(emptySearches).values({ month: '2026-03', words: 'viol', searches: 1 })
  const more = await march()
  expect([rows(more.page).length, more.text]).toEqual([
    20,
    expect.stringContaining('The first 20 of 21. The CSV has them all.'),
  ])
  await shop.deps.db.delete(emptySearches).where(eq(emptySearches.month, '2026-03'))
  const file = (await (await browser.fetch('/dashboard/reports.csv?of=searches')).text()).replace('\uFEFF', '')
  expect([...parseCsv(file, ',')]).toEqual([
    ['Month', 'Words', 'Searches'],
    [month, 'double reed & more', '3'],
    [month, 'kazoo', '1'],
    ['2026-01', 'lute', '7'],
    ['2026-01', "'=1+2", '1'],
  ])
})

test('shows a bookkeeper the searches without the link to a form that only admins have', async ({ shop }) => {
  const month = new Date(shop.deps.now()).toISOString().slice(0, 7)
  await shop.deps.db.insert(emptySearches).values({ month, words: 'kazoo', searches: 1 })
  const bookkeeper = await shop.customer()
  await setStaffRole(shop.deps, await shop.admin(), bookkeeper.id, 'bookkeeper')
  const { text, html } = await (await shop.visitor().signIn(bookkeeper)).get('/dashboard/reports')
  expect(text).toContain('kazoo')
  expect(html).not.toContain('/dashboard/addProduct')
})
