import { readFileSync } from 'node:fs'
import { settingsVersions } from '../../app/db/schema'
import { sectionNames } from '../../app/store/settings/settings'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'
import { sendLogo } from '../support/send-logo'

const path = '/dashboard/settings'

const rosewood = {
  ...{ name: 'Rosewood & Sons', tagline: 'harps since Tuesday', heroWords: 'We make harps.', story: 'One.\n\nTwo.' },
  ...{ supportEmail: 'help@rosewood.example', supportPhone: '+1 555 020 0001', salesEmail: '', salesPhone: '' },
  ...{ profile: 'https://rosewood.example/about', facebook: 'https://facebook.example/rosewood' },
  ...{ deliveryTime: 'Two weeks', returns: 'Within 14 days' },
}

async function anOwnShop(shop: Shop, vars?: Record<string, string>) {
  await shop.changesSettings(vars)
  const admin = await shop.admin()
  return { admin, browser: await shop.signedIn(admin), visitor: shop.visitor() }
}

test('lists the sections of the settings as folds and the other pages of them, without a variable of the deployment', async ({
  shop,
}) => {
  const { browser } = await anOwnShop(shop, { DELIVERY_TIME: 'Two weeks' })
  const { page, text } = await browser.get(path)
  const pages = page.querySelectorAll('form.settings .settings-link a').map((link) => link.getAttribute('href')!)
  expect(pages).toHaveLength(7)
  for (const each of pages) expect([each, (await browser.get(each)).status]).toEqual([each, 200])
  const folds = page.querySelectorAll('form.settings details')
  expect(folds.map(({ id }) => id)).toEqual(sectionNames)
  expect(folds.filter((fold) => fold.hasAttribute('open'))).toEqual([])
  expect(text).toContain('Sender of emails')
  expect(text).not.toMatch(/[A-Z]+_[A-Z]/)
})

test('shows what an admin has saved on every page, and who saved it', async ({ shop }) => {
  const { admin, browser, visitor } = await anOwnShop(shop, { EDGE_CACHE_SECONDS: '3600' })
  await shop.sells({ name: 'Harp' })
  const before = await Promise.all(['/', '/catalog/harp', '/login', '/nowhere'].map((page) => visitor.get(page)))
  expect(before.map(({ html }) => html.includes('Cadenza'))).toEqual([true, true, true, true])
  const page = await browser.get(path)
  expect(page.page.querySelectorAll('script')).toHaveLength(0)
  expect(page.page.querySelector('[name=name]')?.getAttribute('value')).toBe('Cadenza')
  expect(page.page.querySelector('.menu-link[aria-current=page]')?.text).toBe('Settings')
  const saved = await browser.press(page, 'Save', rosewood)
  expect(saved.text).toContain('Saved.')
  expect(saved.text).toContain(`${admin.name}: Shop’s name, Tagline`)

  const home = await visitor.get('/')
  expect(home.page.querySelector('title')?.text).toBe('Rosewood & Sons: harps since Tuesday')
  expect(home.page.querySelector('.lead')?.text).toBe('We make harps.')
  for (const words of ['Two weeks', 'Within 14 days', 'help@rosewood.example', '+1 555 020 0001', 'Two.'])
    expect(home.text).toContain(words)
  expect(home.text).not.toContain('Sales questions')
  expect(home.page.querySelector('.social a')?.getAttribute('href')).toBe('https://facebook.example/rosewood')
  for (const page of ['/catalog/harp', '/login', '/nowhere', '/reviews', '/allInstruments', '/dashboard'])
    expect([page, (await visitor.get(page)).html.includes('Cadenza')]).toEqual([page, false])
})

/** The folds that stand open, with what their heads say. */
const openOf = ({ page }: PageResponse) =>
  page.querySelectorAll('form.settings details[open]').map((fold) => [fold.id, fold.querySelector('.hint')?.text])

test('comes back to the parts that were saved and says so, and opens those that have an error', async ({ shop }) => {
  const { browser } = await anOwnShop(shop)
  const saved = await browser.press(await browser.get(path), 'Save', { mainColor: '#0b5394', returns: 'Never' })
  expect([saved.fragment, openOf(saved)]).toEqual([
    '#selling',
    [
      ['selling', 'Saved'],
      ['look', 'Saved'],
    ],
  ])
  const refused = await browser.press(saved, 'Save', { supportEmail: 'x', mainColor: '#ffd700' })
  expect(openOf(refused).map(([id]) => id)).toEqual(expect.arrayContaining(['look', 'contact']))
  expect(openOf(refused).flat()).not.toContain('Saved')
  const unchanged = await browser.press(await browser.get(path), 'Save')
  expect([unchanged.text.includes('Saved.'), openOf(unchanged)]).toEqual([true, []])
  expect(openOf(await browser.get(`${path}?open=invoices`))).toEqual([['invoices', 'Seller, VAT']])
})

test('names an edit in conflict, loses nothing that was typed, and replaces it at the second press', async ({
  shop,
}) => {
  const { browser } = await anOwnShop(shop)
  const bea = await shop.signedIn(await shop.admin())
  const open = await browser.get(path)
  await bea.press(await bea.get(path), 'Save', { returns: 'Never', tagline: 'by Bea' })
  const refused = await browser.press(open, 'Save', { returns: 'Always', heroWords: 'Mine' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Returns: now “Never”. Save again to replace it.')
  expect(refused.text).toMatch(/The Shopkeeper saved the settings at .*, while you were editing them\./)
  expect(refused.page.querySelector('[name=returns]')?.getAttribute('value')).toBe('Always')
  const saved = await browser.press(refused, 'Save')
  const value = (name: string) => saved.page.querySelector(`[name=${name}]`)?.getAttribute('value')
  expect([value('returns'), value('tagline')]).toEqual(['Always', 'by Bea'])
  expect((await browser.get('/')).text).toContain('Mine')
})

test('refuses hostile and odd words with a message each, and stores nothing', async ({ shop }) => {
  const { browser } = await anOwnShop(shop)
  const page = await browser.get(path)
  const refused = await browser.press(page, 'Save', {
    ...{ name: '<b>Rosewood</b>', facebook: 'javascript:alert(1)', story: '<script>alert(1)</script>' },
    ...{ supportEmail: 'x', holdHours: '-1', returns: 'x'.repeat(201) },
  })
  expect(refused.status).toBe(422)
  for (const words of ['without < and >', 'starts with https://', 'without HTML', 'like name@', 'from 0 to 8,760'])
    expect(refused.page.querySelector('.form-error')?.text).toContain(words)
  expect(refused.page.querySelector('[name=name]')?.getAttribute('value')).toBe('<b>Rosewood</b>')
  // What is no tag is a text.
  await browser.press(await browser.get(path), 'Save', {
    name: `O'Hara "&" co`,
    heroWords: 'From < 20 to > 30 & "more"',
  })
  const { html } = await browser.get('/')
  expect(html).toContain('From &lt; 20 to &gt; 30 &amp; &quot;more&quot;')
  expect(html).toContain(`"name":"O'Hara \\"&\\" co"`)
  expect(await shop.deps.db.$count(settingsVersions)).toBe(1)
})

test('gives pages the colors and the logo of the shop, and refuses what cannot be read or is no picture', async ({
  shop,
}) => {
  const { browser, visitor } = await anOwnShop(shop, { EDGE_CACHE_SECONDS: '3600' })
  const policy = 'content-security-policy'
  const before = await visitor.get('/')
  const refused = await browser.press(await browser.get(path), 'Save', { mainColor: '#ffd700' })
  expect(refused.text).toContain(
    '#ffd700 is too light to be read on paper (below 4.5 : 1). The nearest that would do is #',
  )
  const saved = await browser.press(refused, 'Save', { mainColor: '#0b5394', accentColor: '#0b5394' })
  expect(saved.text).toContain('Saved.')
  const after = await visitor.get('/')
  expect(after.html).toContain(':root{--color-varnish:#0b5394;--color-brass:#0b5394}@media screen and')
  // The browser takes the styles by their hash.
  expect(after.headers.get(policy)).not.toBe(before.headers.get(policy))

  const noPicture = new Blob(['GIF89a'])
  expect((await sendLogo(browser, noPicture, 'logo.svg')).status).toBe(422)
  expect((await visitor.get('/')).page.querySelector('.brand img')).toBeNull()
  const png = new Blob([readFileSync('build/client/touch-icon.png')])
  expect((await sendLogo(browser, png, 'logo.png')).text).toContain('Saved.')
  const logo = (await visitor.get('/')).page.querySelector('.brand img')
  expect([logo?.getAttribute('height'), logo?.getAttribute('width')]).toEqual(['32', '32'])
  expect((await visitor.fetch(logo!.getAttribute('src')!)).status).toBe(200)
  await browser.press(await browser.get(path), 'Save', { removeLogo: 'on' })
  expect((await visitor.get('/')).page.querySelector('.brand img')).toBeNull()
})

test('refuses an SVG as the logo, and shows its own mark where an earlier release has stored one', async ({ shop }) => {
  const { admin, browser, visitor } = await anOwnShop(shop)
  await shop.deletePictures()
  const refused = await sendLogo(browser, new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>']), 'logo.svg')
  expect([refused.status, refused.page.querySelector('.form-error')?.text]).toEqual([
    422,
    expect.stringContaining('The picture must be a JPEG, PNG, WebP or AVIF file.'),
  ])
  expect(await shop.storedPictures()).toEqual([])
  const stored = { name: 'Rosewood', logo: `/pictures/${'0'.repeat(32)}-1000x333/logo.svg` }
  await shop.deps.db
    .insert(settingsVersions)
    .values({ version: 1, document: JSON.stringify(stored), savedAt: 1, savedBy: admin.id })
  expect((await visitor.get('/')).page.querySelector('.brand img')).toBeNull()
  // The form can still be saved.
  const saved = await browser.press(await browser.get(path), 'Save', { name: 'Ebony' })
  expect([saved.text.includes('Saved.'), saved.page.querySelector('.settings-logo')]).toEqual([true, null])
  expect((await visitor.get('/')).text).toContain('Ebony')
})

test('a customer and a visitor cannot see or change the settings', async ({ shop }) => {
  await anOwnShop(shop)
  const customer = await shop.signedIn(await shop.customer())
  for (const browser of [customer, shop.visitor()]) {
    expect((await browser.get(path)).path).not.toBe(path)
    await browser.post(path, { ...rosewood, version: '0', holdHours: '72' })
  }
  expect(await shop.deps.db.$count(settingsVersions)).toBe(0)
})
