import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { brotli, maxScripts, weigh } from '../dev/weigh'
import { demoInstruments } from '../dev/demo/instruments'
import { seedDemoShop } from '../dev/demo'
import { expect, test } from './support/shop'

/** The initial congestion window (RFC 6928), less headers and TLS. */
const oneFlight = 12_500

/** A public page has the one that registers the service worker if it can be read offline, and the login the button for passkeys. */
function inlineScripts(html: string): string {
  return [...html.matchAll(/<script>(.*?)<\/script>/g)].map(([, text]) => text).join('')
}

/** Of inline scripts, as the README says. */
const [registerBytes, passkeyBytes] = [140, 1300]

/** At 1280 × 900; on a phone there are two. */
const rowsOnFirstScreen = 6

test('sends the first pages and their styles in one flight, without scripts', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = shop.visitor()
  expect(readFileSync('README.md', 'utf8')).toContain(
    `${registerBytes} bytes of script at most, the login ${passkeyBytes}`,
  )
  for (const path of [
    '/',
    '/allInstruments',
    '/catalog/concert-violin-4-4',
    '/catalog/cello-4-4',
    '/reviews',
    '/login',
    '/register',
    '/nowhere',
  ]) {
    const { html } = await visitor.get(path)
    const { html: bytes, scripts } = weigh(html)
    expect([path, scripts, /<script(?!>| type="application\/ld)/.test(html)]).toEqual([path, 0, false])
    expect(inlineScripts(html).length, path).toBeLessThanOrEqual(path === '/login' ? passkeyBytes : registerBytes)
    expect(bytes, path).toBeLessThan(oneFlight)
  }
})

test('sends the first pages in one flight with pages of the shopkeeper in the footer, and those pages too', async ({
  shop,
}) => {
  await seedDemoShop(shop.database)
  const admin = await shop.visitor().signIn({ email: 'admin@example.com', password: 'practice' })
  for (const name of ['terms', 'privacy', 'cookies', 'returns'])
    await admin.press(await admin.get(`/dashboard/settings/pages/new?starter=${name}`), 'Publish')
  const texts = ['/pages/terms-of-use', '/pages/privacy-policy', '/pages/cookie-policy', '/pages/returns']
  for (const path of ['/', '/allInstruments', '/catalog/concert-violin-4-4', ...texts]) {
    const { html } = await shop.visitor().get(path)
    const { html: bytes, scripts } = weigh(html)
    expect([path, scripts, html.includes('href="/pages/returns"')]).toEqual([path, 0, true])
    expect(bytes, path).toBeLessThan(oneFlight)
  }
})

test('sends the first pages in one flight with twelve families and pages in the footer', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const admin = await shop.visitor().signIn({ email: 'admin@example.com', password: 'practice' })
  for (const name of [
    'Percussion',
    'Keyboards',
    'Accordions',
    'Folk strings',
    'Bows and rosin',
    'Early music',
    'Books',
    'Mutes',
  ])
    await admin.post('/dashboard/settings/families', {
      ...{ intent: 'add', name, slug: name.toLowerCase().replaceAll(' ', '-') },
    })
  for (const name of ['terms', 'privacy', 'cookies', 'returns'])
    await admin.press(await admin.get(`/dashboard/settings/pages/new?starter=${name}`), 'Publish')
  for (const path of [
    '/',
    '/allInstruments',
    '/catalog/concert-violin-4-4',
    '/catalog/cello-4-4',
    '/reviews',
    '/login',
  ]) {
    const { html, page } = await shop.visitor().get(path)
    expect([path, page.querySelectorAll('nav[aria-label=Families] a').length]).toEqual([path, 12])
    expect(weigh(html).html, path).toBeLessThan(oneFlight)
  }
})

test('keeps the list with the images of the first screen small, in few requests', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const list = weigh((await shop.visitor().get('/allInstruments')).html, rowsOnFirstScreen)
  expect(list.html + list.pictures).toBeLessThan(60_000)
  expect(list.requests).toBeLessThanOrEqual(8)
})

test('sends no script files on lists, and at most 85 kB on forms', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const visitor = await shop.visitor().signIn({ email: 'ada@example.com', password: 'practice' })
  const [instrument] = demoInstruments
  for (const path of ['/dashboard', '/dashboard/myOrders', '/dashboard/myProfile/sessions']) {
    const { html, headers } = await visitor.get(path)
    expect([path, /<script [^>]*(src|module)|modulepreload/.test(html)]).toEqual([path, false])
    expect(headers.get('content-security-policy')).toMatch(/script-src '(none|sha256-[\w+/=]+)';/)
  }
  for (const path of [`/instruments/${instrument!.id}`, '/dashboard/addReview', '/dashboard/myProfile']) {
    const { scripts, requests } = weigh((await visitor.get(path)).html)
    expect(scripts, path).toBeGreaterThan(10_000)
    expect(scripts, path).toBeLessThan(maxScripts.form)
    expect(requests, path).toBeLessThanOrEqual(8)
  }
  const admin = await shop.visitor().signIn({ email: 'admin@example.com', password: 'practice' })
  for (const path of ['/dashboard/makeAdmin', '/dashboard/manageOrders']) {
    expect((await admin.get(path)).html, path).not.toMatch(/<script [^>]*(src|module)|modulepreload/)
  }
  // One makes the dialog modal, the other ticks all rows of the list.
  const scripts = (await admin.get('/dashboard/manageProduct?delete=oboe')).page.querySelectorAll('script')
  expect(scripts).toHaveLength(2)
  expect(scripts[0]!.innerHTML.length).toBeLessThan(300)
  expect(scripts[1]!.innerHTML.length).toBeLessThan(600)
  const list = await admin.get('/dashboard/manageProduct')
  expect(list.page.querySelectorAll('script')).toHaveLength(1)
  expect(list.html).not.toMatch(/<script[^>]* src=|modulepreload/)
})

const drawings = ['art', 'plates'].flatMap((folder) =>
  readdirSync(`public/${folder}`).map((name) => `public/${folder}/${name}`),
)

test('keeps every drawing within 3 kB', () => {
  for (const file of drawings) expect(brotli(readFileSync(file)), file).toBeLessThanOrEqual(3 * 1024)
})

test('draws every picture for light and dark pages, as well-formed SVG', async () => {
  for (const file of drawings) {
    expect(readFileSync(file, 'utf8'), file).toMatch(/<style>@media\(prefers-color-scheme:dark\)\{/)
    expect((await sharp(file).metadata()).format, file).toBe('svg')
  }
})

test('makes the pictures for social networks on a light ground', async () => {
  const { data } = await sharp('build/client/plates/violin-4-4.png')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [red] = data.subarray((60 * 800 + 60) * 3)
  expect(red).toBeGreaterThan(0xf0)
})
