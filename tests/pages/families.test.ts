import { eq } from 'drizzle-orm'
import { instruments } from '../../app/db/schema'
import { expect, test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

const path = '/dashboard/settings/families'

async function add(admin: TestBrowser, name: string, slug: string, fields: Record<string, string> = {}) {
  return admin.press(await admin.get(path), 'Add family', { name, slug, ...fields })
}

const headOf = async (browser: TestBrowser, page = '/reviews') =>
  (await browser.get(page)).page
    .querySelectorAll('nav[aria-label=Families] a')
    .map((link) => [link.textContent, link.getAttribute('href')])

async function familyOf(shop: Shop, id: string) {
  const [row] = await shop.deps.db
    .select({ family: instruments.family })
    .from(instruments)
    .where(eq(instruments.id, id))
  return row!.family
}

test('begins with the four families of the shop, and adds one to menu, filters, form, JSON, feeds and sitemap', async ({
  shop,
}) => {
  const admin = await shop.signedIn(await shop.admin())
  const four = [
    ['Strings', '/allInstruments?family=strings'],
    ['Brass', '/allInstruments?family=brass'],
    ['Woodwind', '/allInstruments?family=woodwind'],
    ['Cases', '/allInstruments?family=cases'],
  ]
  expect(await headOf(shop.visitor())).toEqual(four)
  const added = await add(admin, 'Percussion', 'percussion')
  expect([added.path, added.text.includes('Percussion is added.')]).toEqual([path, true])
  expect(await headOf(shop.visitor())).toEqual([...four, ['Percussion', '/allInstruments?family=percussion']])

  const form = await admin.get('/dashboard/addProduct')
  await admin.press(form, 'Add Product', {
    ...{ name: 'Bodhrán', family: 'percussion', img: '/plates/oboe.svg', description: 'Goat skin.', price: '120' },
    ...{ availableQuantity: '4', minQuantity: '1' },
  })
  const visitor = shop.visitor()
  const list = await visitor.get('/allInstruments?family=percussion')
  expect(list.page.querySelector('h1')?.textContent).toBe('Percussion')
  expect(list.text).toContain('Percussion (1)')
  expect((await visitor.get('/allInstruments?q=percussion')).text).toContain('Bodhrán')
  const json = await (await visitor.fetch('/instruments?family=percussion')).json<{ name: string; family: string }[]>()
  expect(json.map(({ name, family }) => [name, family])).toEqual([['Bodhrán', 'percussion']])
  for (const file of [
    '/sitemap.xml',
    '/merchant.xml',
    '/catalog.html',
    '/catalog/bodhran',
    '/dashboard/manageProduct.csv',
  ])
    expect([file, /percussion/i.test(await (await admin.fetch(file)).text())]).toEqual([file, true])
})

test('renames a family and its address: instruments, counts and search follow, the old address redirects and is accepted', async ({
  shop,
}) => {
  const admin = await shop.signedIn(await shop.admin())
  const id = await shop.sells({ name: 'Lute', family: 'strings' })
  const edit = await admin.get(`${path}/strings`)
  const saved = await admin.press(edit, 'Save', { name: 'Plucked', slug: 'plucked' })
  expect(saved.text).toContain('Saved.')
  expect(await familyOf(shop, id)).toBe('plucked')
  const visitor = shop.visitor()
  const old = await visitor.fetch('/allInstruments?family=strings&inStock=1')
  expect([old.status, old.headers.get('location')]).toEqual([302, '/allInstruments?inStock=1&family=plucked'])
  expect((await visitor.get('/allInstruments?family=plucked')).text).toContain('Plucked (1)')
  expect((await visitor.get('/allInstruments?q=plucked')).text).toContain('Lute')
  expect((await visitor.get('/catalog/lute')).page.querySelector('nav[aria-label=Families]')?.text).toContain('Plucked')
  for (const slug of ['strings', 'plucked'])
    expect(await (await visitor.fetch(`/instruments?family=${slug}`)).json<unknown[]>()).toHaveLength(1)
  expect((await admin.get(`${path}/plucked`)).text).toContain('Former addresses that lead here: strings.')
  // Back again: no loop.
  await admin.press(await admin.get(`${path}/plucked`), 'Save', { name: 'Strings', slug: 'strings' })
  expect((await visitor.fetch('/allInstruments?family=strings')).status).toBe(200)
  expect((await visitor.fetch('/allInstruments?family=plucked')).headers.get('location')).toBe(
    '/allInstruments?family=strings',
  )
  expect(await familyOf(shop, id)).toBe('strings')
})

test('names who was faster when two admins edit a family', async ({ shop }) => {
  const [one, other] = [await shop.signedIn(await shop.admin()), await shop.signedIn(await shop.admin())]
  const [first, second] = [await one.get(`${path}/brass`), await other.get(`${path}/brass`)]
  await one.press(first, 'Save', { name: 'Horns' })
  const refused = await other.press(second, 'Save', { name: 'Tubas' })
  expect([refused.status, refused.text.includes('Someone else changed this family')]).toEqual([409, true])
  await other.press(refused, 'Save', { name: 'Tubas' })
  expect((await headOf(shop.visitor())).map(([name]) => name)).toContain('Tubas')
})

test('shows names as text, whatever is in them', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  await add(admin, '<b>Drums</b> & "co"', 'drums', { cases: 'on' })
  await shop.sells({ name: 'Case for a violin', family: 'drums' })
  await shop.sells({ name: 'Violin', family: 'strings' })
  const visitor = shop.visitor()
  for (const page of [
    '/home',
    '/allInstruments',
    '/catalog/violin',
    '/catalog/case-for-a-violin',
    '/catalog.html',
    '/merchant.xml',
  ])
    expect([page, (await (await visitor.fetch(page)).text()).includes('<b>Drums')]).toEqual([page, false])
  expect((await visitor.get('/catalog/violin')).text).toContain('A case for it')
  expect((await visitor.get('/catalog/case-for-a-violin')).text).toContain('Fits in this case')
})
