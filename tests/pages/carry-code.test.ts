import { sessions } from '../../app/db/schema'
import { FaultProxy } from '../../dev/fault-proxy'
import { expect, parcel, test, type Shop } from '../support/shop'
import type { PageResponse, TestBrowser } from '../support/test-browser'

async function makesCode(shop: Shop, fields: Record<string, string> = {}) {
  const admin = await shop.signedIn(await shop.admin())
  const form = await admin.get('/dashboard/settings/discounts')
  await admin.press(form, 'Make the code', { code: 'SPRING', percent: '10', ...fields })
  return admin
}

const codeIn = ({ page }: PageResponse) => page.querySelector('#code')?.getAttribute('value')
const follow = (browser: TestBrowser, { page }: PageResponse, selector: string) =>
  browser.get(page.querySelector(selector)!.getAttribute('href')!.replaceAll('&amp;', '&'))

test('the code of a leaflet’s link is kept from any public page, through search and register, into the order', async ({
  shop,
}) => {
  await shop.sells({ name: 'Viola', price: 100_00, stock: 20 })
  await makesCode(shop)
  const visitor = shop.visitor()
  const home = await visitor.get('/home?code=spring')
  expect(home.text).toContain('Your code SPRING is filled in when you order.')
  const found = await visitor.press(home, 'Find', { q: 'viola' })
  expect(found.path).toBe('/allInstruments?code=SPRING&q=viola')
  const product = await follow(visitor, found, 'main a[href*="/catalog/"]')
  expect(product.path).toBe('/catalog/viola?code=SPRING')
  const login = await visitor.press(product, 'Purchase', { quantity: '2' })
  const register = await follow(visitor, login, '.ways a[href^="/register"]')
  const joiner = { name: 'Bela', email: 'bela@example.com', password: 'correct horse' }
  const purchase = await visitor.press(register, 'Register', joiner)
  expect([codeIn(purchase), purchase.page.querySelector('[data-total]')!.text]).toEqual(['SPRING', '$180.00'])
  const paying = await visitor.press(purchase, 'Order Now', parcel)
  expect(paying.page.querySelector('.total')!.text).toBe('$180.00')
  // Nothing follows whoever comes without the link.
  expect((await visitor.get('/catalog/viola')).text).not.toContain('SPRING')
})

test('every link towards a purchase has the code, in both languages and for who is signed in, and no other link', async ({
  shop,
}) => {
  for (const name of ['Viola', 'Violone']) await shop.sells({ name, family: 'strings' })
  const ada = await shop.signedIn(await shop.customer())
  const admin = await makesCode(shop)
  await admin.press(await admin.get('/dashboard/settings'), 'Save', { secondLanguage: 'de' })
  for (const browser of [shop.visitor(), ada])
    for (const path of [
      '/',
      '/home',
      '/allInstruments?family=strings',
      '/catalog/viola',
      '/reviews',
      '/de/catalog/viola',
    ]) {
      const { page, text } = await browser.get(`${path}${path.includes('?') ? '&' : '?'}code=SPRING`)
      expect([path, text]).toEqual([path, expect.stringMatching(/(Your|Ihr) code SPRING/i)])
      const links = page.querySelectorAll('a[href]').map((link) => link.getAttribute('href')!)
      const onward = links.filter((href) =>
        /^(http:\/\/[^/]+)?(\/de)?\/(home|allInstruments|catalog\/|instruments\/|$|[?#])/.test(href),
      )
      expect([path, onward.length > 3]).toEqual([path, true])
      for (const href of links)
        expect([path, href, /[?&]code=SPRING(#|$)/.test(href)]).toEqual([
          path,
          href,
          onward.includes(href) && !href.includes('catalog.html'),
        ])
      for (const form of page.querySelectorAll('form'))
        expect([path, form.querySelector('[name=code]')?.getAttribute('value')]).toEqual([
          path,
          /^(\/de)?\/(allInstruments|instruments\/)/.test(form.getAttribute('action') ?? '') ? 'SPRING' : undefined,
        ])
    }
})

test('Login and Register in the header lead back to the page with the code, in both languages', async ({ shop }) => {
  await shop.sells({ name: 'Viola' })
  const admin = await makesCode(shop)
  await admin.press(await admin.get('/dashboard/settings'), 'Save', { secondLanguage: 'de' })
  const customer = await shop.customer()
  for (const path of ['/?code=SPRING', '/reviews?code=SPRING', '/allInstruments?q=viola&code=SPRING']) {
    const visitor = shop.visitor()
    const login = await follow(visitor, await visitor.get(path), '.site-header a[href^="/login"]')
    const again = await visitor.press(login, 'Login', { email: customer.email, password: customer.password })
    expect([again.path, again.text]).toEqual([path, expect.stringContaining('Your code SPRING is filled in')])
  }
  const visitor = shop.visitor()
  const here = await visitor.get('/de/catalog/viola?code=SPRING')
  const register = await follow(visitor, here, '.site-header a[href^="/de/register"]')
  const joiner = { name: 'Bela', email: 'bela@example.com', password: 'correct horse' }
  const viola = await visitor.press(register, 'Registrieren', joiner)
  expect(viola.path).toBe('/de/catalog/viola?code=SPRING')
  // Without a code they lead to the dashboard, as before.
  const { html } = await shop.visitor().get('/catalog/viola')
  expect(html).toContain('href="/register"')
})

test('a code in the address leaves one copy in the page cache, and is in none', async ({ shop }) => {
  const proxy = new FaultProxy()
  await shop.configure({
    DATABASE_URL: await proxy.open('database', () => shop.database.url),
    EDGE_CACHE_SECONDS: '15',
  })
  await shop.sells({ name: 'Viola' })
  let trips = 0
  proxy.onResponse = (_name, request) => void (trips += request.includes('"SELECT 1"') ? 0 : 1)
  const visitor = shop.visitor()
  const headers = { 'accept-encoding': 'br, dcb', accept: 'text/html' }
  for (const path of ['/catalog/viola', '/allInstruments']) {
    const plain = await visitor.fetch(path, { headers })
    const etag = plain.headers.get('etag')!
    const body = await plain.text()
    trips = 0
    for (let nth = 0; nth < 30; nth++) {
      const response = await visitor.fetch(`${path}?code=CODE-${nth}`, {
        headers: { ...headers, 'if-none-match': etag },
      })
      expect([response.status, (await response.text()).includes(`Your code CODE-${nth} is`)]).toEqual([200, true])
      expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual(['private, no-store', null])
    }
    const again = await visitor.fetch(path)
    expect([path, trips, await again.text(), again.headers.get('etag')]).toEqual([path, 0, body, etag])
  }
  proxy.close()
})

test('what cannot be a code is left out of the page, and a wrong or ended one is said where it would be used', async ({
  shop,
}) => {
  const viola = await shop.sells({ name: 'Viola', price: 100_00 })
  await shop.sells({ name: 'Flute' })
  const admin = await makesCode(shop, { instruments: 'Viola' })
  const ada = await shop.signedIn(await shop.customer())
  const { page } = await ada.get(`/catalog/viola?code=${encodeURIComponent('"><b>&lt;\'#&x=1')}`)
  expect(['main b', '.notice', '.buy [name=code]'].map((selector) => page.querySelector(selector))).toEqual([
    ...[null, null, null],
  ])
  const problemOf = async (slug: string, code: string) => {
    const purchase = await ada.press(await ada.get(`/catalog/${slug}?code=${code}`), 'Purchase', { quantity: '2' })
    expect([codeIn(purchase), purchase.page.querySelector('#orderQuantity')!.getAttribute('value')]).toEqual([
      code,
      '2',
    ])
    return purchase.page.querySelector('#code')!.closest('details')!.querySelector('.error')?.text
  }
  expect(await problemOf('viola', 'SPRING')).toBeUndefined()
  expect(await problemOf('viola', 'SPRUNG')).toContain('There is no such code.')
  expect(await problemOf('flute', 'SPRING')).toBe('This code is not for this instrument.')
  await admin.press(await admin.get('/dashboard/settings/discounts'), 'End')
  expect(await problemOf('viola', 'SPRING')).toBe('This code has ended.')
  // The address of before leads on with it.
  expect((await ada.get(`/catalog/${viola}?code=SPRING`)).path).toBe('/catalog/viola?code=SPRING')
})

test('a code that was typed is there again after a login in between', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 20 })
  await makesCode(shop)
  const customer = await shop.customer()
  const ada = await shop.visitor().signIn(customer)
  const form = await ada.get(`/instruments/${violin}?quantity=2`)
  await shop.deps.db.delete(sessions)
  const login = await ada.press(form, 'Order Now', { ...parcel, code: 'spring' })
  const again = await ada.press(login, 'Login', { email: customer.email, password: customer.password })
  expect(codeIn(again)).toBe('spring')
  const paying = await ada.press(again, 'Order Now')
  expect(paying.page.querySelector('.total')!.text).toBe('$180.00')
})
