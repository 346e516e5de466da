import { readdirSync, readFileSync } from 'node:fs'
import { defaultWords } from '../app/shop-name'
import { settingNames } from '../app/store/settings/settings'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { payAt } from './support/hosted-page'
import { expect, orderInput, test, type Shop } from './support/shop'

test('the name of the shop stands in one file of app', () => {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((file) => `app/${file}`)
    .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(defaultWords.name))).toEqual(['app/shop-name.ts'])
})

const words: Partial<Record<string, string>> = {
  ...{ name: 'Rosewood', tagline: 'harps', heroWords: 'Harps.', story: 'Ours.', profile: 'https://rosewood.example/' },
  ...{ mainColor: '#0b5394', accentColor: '#0b5394' },
  ...{ deliveryTime: 'A week', returns: 'Within 14 days', holdHours: '48' },
  ...{ sellerName: 'Rosewood Ltd', sellerAddress: '1 Bow Lane\nYork', vatNumber: 'GB123456789', vatPercent: '20' },
}

test('a shop with other words says its default name nowhere: not on pages, in feeds, invoices, emails and the API', async ({
  shop,
}) => {
  await shop.configure({ SHOP_MAIL: 'shop@rosewood.example', MAIL_FROM: 'orders@rosewood.example' })
  shop.deps.shopEmail = 'shop@rosewood.example'
  const admin = await shop.signedIn(await shop.admin())
  const other = Object.fromEntries(
    settingNames.map((name) => [name, words[name] ?? (name.endsWith('Email') ? `${name}@rosewood.example` : '')]),
  )
  const saved = await admin.press(await admin.get('/dashboard/settings'), 'Save', other)
  expect(saved.text).toContain('Saved.')
  // And other families: two of ours, renamed, and one of its own.
  const families = '/dashboard/settings/families'
  await admin.press(await admin.get(`${families}/strings`), 'Save', { name: 'Harps', slug: 'harps' })
  await admin.press(await admin.get(`${families}/cases`), 'Save', { name: 'Bags', slug: 'bags' })
  for (const slug of ['brass', 'woodwind']) await admin.press(await admin.get(`${families}/${slug}`), 'Delete for good')
  await admin.press(await admin.get(families), 'Add family', { name: 'Lyres', slug: 'lyres' })
  const said: [string, string][] = []
  const look = async (browser: ReturnType<Shop['visitor']>, path: string, headers: Record<string, string> = {}) => {
    const response = await browser.fetch(path, { headers })
    said.push([path, [...response.headers].join('\n') + (await response.text())])
  }

  const harp = await shop.sells({ name: 'Harp', family: 'harps' })
  const visitor = shop.visitor()
  const program = { accept: 'application/json' }
  for (const path of ['/', '/home', '/allInstruments', '/catalog/harp', '/reviews', '/login', '/register', '/nowhere'])
    await look(visitor, path, { accept: 'text/html' })
  for (const path of ['/verify-email?token=x', '/forgot-password', '/reset-password?token=x', '/unsubscribe'])
    await look(visitor, path, { accept: 'text/html' })
  const files = [
    '/feed.xml',
    '/merchant.xml',
    '/sitemap.xml',
    '/catalog.html',
    '/robots.txt',
    '/sw.js',
    '/openapi.json',
  ]
  for (const path of files) await look(visitor, path)
  await look(visitor, '/home', { accept: 'text/plain' })
  await look(visitor, '/instruments', program)

  const ada = await shop.customer({ email: 'ada@example.com' })
  const customer = await shop.signedIn(ada)
  await customer.press(await customer.get('/'), 'Send', { name: 'Ada', email: ada.email, message: 'Hello', copy: 'on' })
  const { id } = await placeOrder(shop.deps, ada, orderInput(harp))
  const payment = await customer.press(
    await customer.get(`/dashboard/myOrders/payment/${id}`),
    'Pay on the secure page',
  )
  const back = new URL((await payAt(payment.location!)).location!)
  await customer.get(back.pathname + back.search)
  const account = [
    '',
    '/myOrders',
    `/myOrders/${id}`,
    `/myOrders/receipt/${id}`,
    `/myOrders/invoice/${id}`,
    '/myProfile',
  ]
  for (const page of account) await look(customer, `/dashboard${page}`, { accept: 'text/html' })
  const desk = ['', '/manageOrders', `/manageOrders/${id}`, `/manageOrders/${id}/packingSlip`, '/manageProduct']
  for (const page of [...desk, '/addProduct', '/messages', '/reports', '/makeAdmin'])
    await look(admin, `/dashboard${page}`, { accept: 'text/html' })

  await shop.visitor().press(await shop.visitor().get('/forgot-password'), 'Send the link', { email: ada.email })
  const { email } = await shop.customer()
  await visitor.press(await visitor.get('/register'), 'Register', {
    name: 'Zoë',
    email: 'zoe@example.com',
    password: 'correct horse',
  })
  expect(email).not.toBe('')
  const sent = [
    ...(await shop.emailsTo(ada.email)),
    ...(await shop.emailsTo('shop@rosewood.example')),
    ...(await shop.emailsTo('zoe@example.com')),
  ]
  expect(sent.length).toBeGreaterThan(4)
  said.push(...sent.map((mail): [string, string] => [mail.subject, JSON.stringify(mail)]))

  expect(said.filter(([, text]) => /cadenza/i.test(text)).map(([what]) => what)).toEqual([])
  const first = /family=(strings|brass|woodwind|cases)\b|>(Strings|Brass|Woodwind|Cases)\b/
  expect(said.filter(([, text]) => first.test(text)).map(([what]) => what)).toEqual([])
  expect(said.find(([path]) => path === '/sitemap.xml')![1]).toContain('family=lyres')
  const invoice = said.find(([path]) => path.includes('/invoice/'))!
  expect(invoice[1]).toContain('Rosewood Ltd')
  expect(said[0]![1]).toContain('--color-varnish:#0b5394')
  expect(sent.every(({ html }) => html.includes('#0b5394') && !html.includes('#a9772b'))).toBe(true)
})
