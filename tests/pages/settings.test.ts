import { readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { settingsVersions } from '../../app/db/schema'
import { sectionNames, settingNames, settingSections } from '../../app/store/settings/settings'
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

/** As a browser does, with what the form has. */

test('begins with links to the pages of the settings, and has a fold for each section', async ({ shop }) => {
  const { browser } = await anOwnShop(shop, { DELIVERY_TIME: 'Two weeks' })
  const { page, text } = await browser.get(path)
  const linksOf = (name: string) =>
    page.querySelectorAll(`nav[aria-label="${name}"] a`).map((link) => link.getAttribute('href')!)
  const pages = linksOf('Pages of the settings')
  expect(pages).toHaveLength(7)
  for (const each of pages) expect([each, (await browser.get(each)).status]).toEqual([each, 200])
  const folds = page.querySelectorAll('form.settings details')
  expect(folds.map(({ id }) => id)).toEqual([...sectionNames, 'fixed'])
  expect(folds.filter((fold) => fold.hasAttribute('open'))).toEqual([])
  expect(text.split('DELIVERY_TIME')).toHaveLength(2)
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
  for (const words of ['Two weeks, included', 'Within 14 days', 'help@rosewood.example', '+1 555 020 0001', 'Two.'])
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
    '#look',
    [
      ['look', 'Saved'],
      ['selling', 'Saved'],
    ],
  ])
  const refused = await browser.press(saved, 'Save', { supportEmail: 'x', mainColor: '#ffd700' })
  expect(openOf(refused).map(([id]) => id)).toEqual(expect.arrayContaining(['look', 'contact']))
  expect(openOf(refused).flat()).not.toContain('Saved')
  const unchanged = await browser.press(await browser.get(path), 'Save')
  expect([unchanged.text.includes('Saved.'), openOf(unchanged)]).toEqual([true, []])
  expect(openOf(await browser.get(`${path}?open=invoices`))).toEqual([['invoices', 'Seller, VAT']])
})

test('every setting is in one section', () => {
  const all = sectionNames.flatMap((section): string[] => [...settingSections[section]])
  expect(all.sort()).toEqual([...settingNames].sort())
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

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">${content}</svg>`

test('takes an SVG as the logo, written anew and in a sandbox', async ({ shop }) => {
  const { browser, visitor } = await anOwnShop(shop)
  await shop.deletePictures()
  const drawing = svg('<!-- ours --><inkscape:grid/><path style="fill:#0b5394" d="M0 0h60v20z"/>')
  const saved = await sendLogo(browser, new Blob([drawing]), 'logo.png')
  expect(saved.text).toContain('Saved.')
  const home = await visitor.get('/')
  const { src, width, height } = home.page.querySelector('.brand img')!.attributes
  expect([width, height]).toEqual(['96', '32'])
  expect(home.html).toContain(`"logo":"${shop.deps.origin}${src}"`)
  expect(saved.page.querySelector('.settings-logo')?.getAttribute('src')).toBe(src)
  const response = await visitor.fetch(src!)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  })
  expect(await response.text()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" style="background:#fbf7f0;" viewBox="0 0 60 20" width="1000" height="333"><path style="fill:#0b5394" d="M0 0h60v20z"></path></svg>',
  )
  // Another change keeps it.
  await browser.press(await browser.get(path), 'Save', { name: 'Rosewood' })
  expect((await visitor.get('/')).page.querySelector('.brand img')?.getAttribute('src')).toBe(src)
  for (const other of ['logo.webp', '160.svg', 'logo.svg/..', 'Logo.svg'])
    expect([other, (await visitor.fetch(src!.replace('logo.svg', other))).status]).toEqual([other, 404])
})

test('refuses an SVG with anything that runs or is elsewhere by its name, and stores nothing', async ({ shop }) => {
  const { browser, visitor } = await anOwnShop(shop)
  await shop.deletePictures()
  const utf16 = new Blob([new Uint8Array([0xff, 0xfe]), svg('').replace(/./g, '$&\0')])
  for (const [file, words] of [
    [svg('<script>alert(1)</script>'), 'The SVG has the element <script>, which a logo cannot have here.'],
    [svg('<path onclick="alert(1)"/>'), 'The SVG has the event attribute onclick'],
    [svg('<foreignObject/>'), 'The SVG has the element <foreignObject>'],
    [svg('<use href="https://evil.example/a.svg#x"/>'), 'to another file (https://evil.example/a.svg#x)'],
    [svg('<style>@import url(//evil.example)</style>'), 'The SVG has a style without an end'],
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'The SVG has a DOCTYPE'],
    [`  ${svg('<g>')}`, 'The SVG is damaged in line 1: </svg> closes nothing'],
    [svg(' '.repeat(65_536)), 'An SVG may have at most 64 KB.'],
    [new Blob([svg('<title>'), new Uint8Array([0xe9]), '</title></svg>']), 'The SVG is not in UTF-8.'],
    [utf16, 'The picture must be a JPEG, PNG, WebP or AVIF file.'],
    ['<html><script>alert(1)</script></html>', 'The SVG has <html> where <svg> must stand'],
  ] as const) {
    const refused = await sendLogo(browser, file instanceof Blob ? file : new Blob([file]), 'logo.svg')
    expect([refused.status, refused.page.querySelector('.form-error')?.text]).toEqual([
      422,
      expect.stringContaining(words),
    ])
  }
  expect(await shop.storedPictures()).toEqual([])
  expect(await shop.deps.db.$count(settingsVersions)).toBe(0)
  expect((await visitor.get('/')).page.querySelector('.brand img')).toBeNull()
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

test('another isolate shows a change within a second: at once where it reads the database, soon where it has copies', async ({
  shop,
}) => {
  const { browser } = await anOwnShop(shop, { EDGE_CACHE_SECONDS: '3600' })
  await shop.configure({ EDGE_CACHE_SECONDS: '3600' })
  const elsewhere = shop.visitor()
  await shop.sells({ name: 'Harp' })
  for (const page of ['/home', '/allInstruments?q=harp']) expect((await elsewhere.get(page)).html).toContain('Cadenza')
  await browser.press(await browser.get(path), 'Save', { name: 'Rosewood' })
  // Rendered for each visitor, because of its query.
  expect((await elsewhere.get('/allInstruments?q=harp')).html).not.toContain('Cadenza')
  expect((await elsewhere.get('/home')).html).not.toContain('Cadenza')
  await browser.press(await browser.get(path), 'Save', { name: 'Maple' })
  await vi.waitFor(async () => expect((await elsewhere.get('/home')).html).toContain('Maple'), { timeout: 5000 })
})
