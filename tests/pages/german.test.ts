import { isWhole } from '../support/depth'
import { appCode } from '../support/totp'
import { day } from '../../app/store/shared/dates'
import { newId } from '../../app/store/shared/ids.server'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { declineQuote, offerPrice } from '../../app/store/quotes/quotes.server'
import { expect, parcel, test, type Shop } from '../support/shop'
import { payAt } from '../support/hosted-page'
import { speakGerman, untranslated } from '../support/german'
import type { PageResponse, TestBrowser } from '../support/test-browser'

/** What shopkeeper and customers have typed, what is no word of a language, and what names the page itself. */
const typed =
  /^(Cadenza|Viola|Zoë|Wood|Strings|Brass|Woodwind|Cases|English|Deutsch|Facebook|YouTube|Instagram|utf-8|width=|light dark|product|summary|http|index|noindex|SL|A viola|Length|Copyright ©|1 Bow Lane|Fehler: Viola)|@|^\S+\.(svg|png)$|^([A-Z2-7]{4} ?){8}$/

async function compare(shop: Shop, paths: string[]): Promise<[string, string[]][]> {
  const visitor = shop.visitor()
  const found: [string, string[]][] = []
  for (const path of paths) {
    const [english, german] = [await visitor.get(path), await visitor.get(`/de${path === '/' ? '' : path}`)]
    expect([path, german.status]).toEqual([path, english.status])
    expect(german.page.querySelector('html')?.getAttribute('lang')).toBe('de')
    const left = untranslated(german, english, typed)
    if (left.length > 0) found.push([path, left])
  }
  return found
}

test('says nothing in English on the public pages below /de', async ({ shop }) => {
  await speakGerman(shop)
  await shop.sells({ name: 'Viola', family: 'strings', stock: 4, priceBreaks: [{ from: 3, priceCents: 900_00 }] })
  expect(
    await compare(shop, [
      '/',
      '/home',
      '/allInstruments',
      '/allInstruments?q=viola&max=x',
      '/allInstruments?q=theremin',
      '/allInstruments?q=viola+theremin',
      '/allInstruments?q=viola&max=1',
      '/allInstruments?page=9',
      '/catalog/viola',
      '/reviews',
    ]),
  ).toEqual([])
})

test('has no German until an admin switches it on, and none any more after switching it off', async ({ shop }) => {
  const visitor = shop.visitor()
  const before = await visitor.get('/home')
  expect([before.html.includes('rel="alternate"'), (await visitor.get('/de')).status]).toEqual([false, 404])
  await speakGerman(shop, { EDGE_CACHE_SECONDS: '3600' })
  const reader = shop.visitor()
  expect((await reader.get('/de')).text).toContain('Willkommen, liebe Musikfreunde')
  const admin = await shop.signedIn(await shop.admin())
  await admin.press(await admin.get('/dashboard/settings'), 'Save', { secondLanguage: '' })
  const after = await reader.get('/de')
  expect([after.status, after.page.querySelector('html')?.getAttribute('lang')]).toEqual([404, 'en'])
  expect((await reader.get('/home')).html).not.toContain('rel="alternate"')
})

test('leads from each page to the same one in the other language, and says to search engines what belongs together', async ({
  shop,
}) => {
  await speakGerman(shop)
  await shop.sells({ name: 'Viola' })
  const visitor = shop.visitor()
  const { SHOP_ORIGIN: origin = '' } = shop.vars
  for (const path of ['/', '/catalog/viola', '/allInstruments?family=strings']) {
    const german = `/de${path === '/' ? '' : path}`
    const [one, other] = [await visitor.get(path), await visitor.get(german)]
    for (const { page } of [one, other]) {
      const links = page.querySelectorAll('link[rel=alternate]')
      expect(links.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')])).toEqual([
        ['en', origin + path],
        ['de', origin + german],
        ['x-default', origin + path],
      ])
    }
    const linkOf = ({ page }: typeof one) => page.querySelector('footer a[lang]')!
    expect([linkOf(one).text, linkOf(one).getAttribute('href')]).toEqual(['Deutsch', origin + german])
    expect([linkOf(other).text, linkOf(other).getAttribute('href')]).toEqual(['English', origin + path])
  }
  const canonical = ({ page }: Awaited<ReturnType<typeof visitor.get>>) =>
    page.querySelector('link[rel=canonical]')?.getAttribute('href')
  expect(canonical(await visitor.get('/de/catalog/viola'))).toBe(`${origin}/de/catalog/viola`)
  const searched = await visitor.get('/de/allInstruments?q=viola')
  expect(searched.page.querySelector('link[rel=alternate]')).toBeNull()
  expect((await visitor.get('/de/catalog/none')).page.querySelector('link[rel=alternate]')).toBeNull()
  const sitemap = await visitor.get('/sitemap.xml')
  expect(sitemap.html).toContain(`<loc>${origin}/de/catalog/viola</loc>`)
  expect(sitemap.html).toContain(`<xhtml:link rel="alternate" hreflang="de" href="${origin}/de/catalog/viola"/>`)
})

test('keeps the prefix in links and forms between German pages, and in no other', async ({ shop }) => {
  await speakGerman(shop)
  await shop.sells({ name: 'Viola' })
  const visitor = shop.visitor()
  const home = await visitor.get('/de/home')
  const paths = home.page
    .querySelectorAll('a, form')
    .map((each) => each.getAttribute('href') ?? each.getAttribute('action'))
  expect(paths).toEqual(expect.arrayContaining(['/de/allInstruments', '/de/catalog/viola', '/de/home?send']))
  expect(paths.filter((path) => /^\/(?!de\/)(home|allInstruments|catalog\/|reviews)/.test(path ?? ''))).toEqual([])
  expect(home.html).toContain('<link rel="icon" href="/favicon.svg"')
  const sent = await visitor.press(home, 'Senden', { name: 'Zoë', email: 'zoe@example.com', message: 'Hallo' })
  expect([sent.path, sent.fragment]).toEqual(['/de/home', '#contact'])
  expect(sent.text).toContain('Vielen Dank. Ihre Nachricht ist auf dem Weg zu uns.')
})

test('writes prices, numbers and days as Germans do', async ({ shop }) => {
  await speakGerman(shop)
  await shop.sells({ name: 'Viola', price: 123_450, stock: 1200 })
  const visitor = shop.visitor()
  const german = await visitor.get('/de/catalog/viola')
  expect(german.text.replace(/\s+/g, ' ')).toContain('1.234,50 $')
  expect(german.text).toContain('1.200 verfügbar')
  const english = await visitor.get('/catalog/viola')
  expect(english.text).toContain('$1,234.50')
  expect(english.text).toContain('1200 available')
})

test('never gives a copy of one language to readers of the other, from memory or from the data centre', async ({
  shop,
}) => {
  await speakGerman(shop, { EDGE_CACHE_SECONDS: '3600' })
  await shop.sells({ name: 'Viola' })
  const visitor = shop.visitor()
  const langOf = async (path: string, headers?: Record<string, string>) =>
    (await visitor.get(path, headers)).page.querySelector('html')?.getAttribute('lang')
  for (const path of ['/home', '/catalog/viola', '/allInstruments', '/reviews', '/'])
    for (const headers of [{}, { 'save-data': 'on' }] as Record<string, string>[])
      for (let visit = 0; visit < 2; visit++) {
        expect([path, await langOf(`/de${path === '/' ? '' : path}`, headers)]).toEqual([path, 'de'])
        expect([path, await langOf(path, headers)]).toEqual([path, 'en'])
      }
  const etags = await Promise.all(
    ['/home', '/de/home'].map(async (path) => (await visitor.get(path)).headers.get('etag')),
  )
  expect(new Set(etags).size).toBe(2)
  // At once: each rendering keeps its language while others wait for the database.
  const pages = Array.from({ length: 20 }, (_, nth) => `/${nth % 2 ? 'de/' : ''}allInstruments?q=viola&page=${nth}`)
  const langs = await Promise.all(pages.map((path) => shop.visitor().get(path)))
  expect(langs.map(({ page }) => page.querySelector('html')?.getAttribute('lang'))).toEqual(
    pages.map((path) => (path.startsWith('/de') ? 'de' : 'en')),
  )
})

test('takes nothing else for the prefix', async ({ shop }) => {
  await speakGerman(shop)
  await shop.sells({ name: 'Viola' })
  const { SHOP_ORIGIN: origin = '' } = shop.vars
  const html = { accept: 'text/html', 'user-agent': 'test' }
  const statusOf = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(origin + path, { redirect: 'manual', headers: html, ...init })
    return [response.status, (await response.text()).includes('lang="de"')]
  }
  for (const path of [
    ...[
      '/de/de',
      '/de/de/home',
      '/DE',
      '/De/home',
      '/d%65',
      '/de%2Fhome',
      '/dehome',
      '/de.html',
      '/de//home',
      '/en',
      '/fr',
    ],
    ...['/de/api', '/de/order', '/de/user', '/de/user/admin/x@example.com', '/de/__api/reviews', '/de/openapi.json'],
    ...['/de/healthz', '/de/webhooks/stripe', '/de/sitemap.xml', '/de/robots.txt', '/de/dashboard/manageOrders'],
    ...['/de/dashboard/settings', '/de/../dashboard/settings', '/de/catalog.html', '/de/dictionary'],
  ])
    expect([path, ...(await statusOf(path))]).toEqual([path, path.includes('..') ? 303 : 404, false])
  const json = await fetch(`${origin}/de/reviews`, { headers: { accept: 'application/json' } })
  expect(json.status).toBe(404)
  const doubled = await fetch(`${origin}//de/home`, { redirect: 'manual', headers: html })
  expect([404, 308]).toContain(doubled.status)
  const foreign = await fetch(`${origin}/de/home`, {
    method: 'POST',
    headers: { ...html, origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'name=x',
  })
  expect(foreign.status).toBe(403)
  expect(await statusOf('/de/')).toEqual([200, true])
})

test('a login leads to the same page without the prefix where there is no German, and with it where there is', async ({
  shop,
}) => {
  const { email, password } = await shop.customer()
  const login = async (to: string) => {
    const browser = shop.visitor()
    const page = await browser.get(`/login?redirectTo=${encodeURIComponent(to)}`)
    return browser.press(page, 'Login', { email, password })
  }
  for (const [to, path] of [
    ['/de/dashboard', '/dashboard'],
    ['/de/dashboard/myOrders?page=1', '/dashboard/myOrders?page=1'],
    ['/de', '/'],
    ['/dehome', '/dehome'],
  ] as const)
    expect([to, (await login(to)).path]).toEqual([to, path])
  await speakGerman(shop)
  expect((await login('/de/dashboard')).path).toBe('/de/dashboard')
})

/** The same in both languages; the button by what it says in each. */
async function inBoth(
  browser: TestBrowser,
  path: string,
  press?: [german: string, english: string, typed: Record<string, string>],
) {
  const visit = async (prefix: string, button?: string): Promise<PageResponse> => {
    const page = await browser.get(prefix + path)
    return button === undefined ? page : browser.press(page, button, press?.[2])
  }
  const german = await visit('/de', press?.[0])
  return { path, german, left: untranslated(german, await visit('', press?.[1]), typed) }
}

test('takes a customer from registration to the receipt in German, wrong turns included, and writes the emails in it', async ({
  shop,
}) => {
  await speakGerman(shop)
  const id = await shop.sells({ id: 'viola', name: 'Viola', price: 11_01, stock: 900 })
  await shop.sells({ id: 'gone', name: 'Viola da gamba', stock: 0 })
  const problems: [string, string[]][] = []
  const look = async (browser: TestBrowser, path: string, press?: Parameters<typeof inBoth>[2]) => {
    const { german, left } = await inBoth(browser, path, press)
    expect([path, german.page.querySelector('html')?.getAttribute('lang')]).toEqual([path, 'de'])
    if (left.length > 0) problems.push([`${path} ${press?.[0] ?? ''}`, left])
    return german
  }
  const zoë = shop.visitor()
  await look(zoë, '/login?redirectTo=%2Finstruments%2Fviola')
  await look(zoë, '/login?google=cancelled')
  await look(zoë, '/login', ['Anmelden', 'Login', { email: 'x', password: '' }])
  await look(zoë, '/login', ['Anmelden', 'Login', { email: 'nobody@example.com', password: 'not this one' }])
  await look(zoë, '/register', ['Registrieren', 'Register', { name: '', email: 'x', password: 'x' }])
  await look(zoë, '/forgot-password', ['Link senden', 'Send the link', { email: 'x' }])
  await look(zoë, '/reset-password?token=x')

  const purchase = `/instruments/${id}`
  const guarded = await zoë.get(`/de${purchase}`)
  expect(guarded.path).toMatch(/^\/de\/login\?redirectTo=/)
  const register = await zoë.get(guarded.page.querySelector('.ways a[href*=register]')!.getAttribute('href')!)
  const email = 'zoe@example.com'
  const arrived = await zoë.press(register, 'Registrieren', { name: 'Zoë', email, password: 'correct horse' })
  expect(arrived.path).toBe(`/de${purchase}`)
  expect(arrived.text).toContain('Ihr Konto ist angelegt.')
  const [verification] = await shop.emailsTo(email)
  expect(verification!.subject).toBe('Bitte bestätigen Sie Ihre E-Mail-Adresse')
  expect(verification!.html).toContain('<html lang="de">')
  await look(zoë, '/dashboard')
  const link = new URL(/https?:\/\/\S+/.exec(verification!.text)![0])
  expect(link.pathname).toBe('/de/verify-email')
  const verified = await zoë.press(await zoë.get(link.pathname + link.search), 'Meine E-Mail-Adresse bestätigen')
  expect([verified.path, verified.text]).toEqual(['/de/dashboard', expect.stringContaining('bestätigt.')])

  const data = await zoë.get(`/de${purchase}.data`, { accept: '*/*' })
  expect([data.status, data.html.includes('Auf Lager')]).toEqual([200, true])
  await look(zoë, purchase)
  await look(zoë, '/instruments/gone')
  await look(zoë, '/dashboard/wishes?instrument=gone')
  await look(zoë, purchase, ['Zahlungspflichtig bestellen', 'Order Now', { orderQuantity: '', customerPhone: '1' }])
  await look(zoë, purchase, [
    'Zahlungspflichtig bestellen',
    'Order Now',
    { ...parcel, orderQuantity: '901', code: 'NONE' },
  ])
  for (const path of ['/dashboard/addReview', '/dashboard/myProfile', '/dashboard/myOrders', '/login/confirm'])
    await look(zoë, path)
  await look(zoë, '/dashboard/addReview', ['Absenden', 'Submit', { description: '' }])
  await look(zoë, '/dashboard/myProfile', ['Profil speichern', 'Update Profile', { name: '', phone: '1' }])

  const payment = await zoë.press(await zoë.get(`/de${purchase}`), 'Zahlungspflichtig bestellen', {
    ...{ ...parcel, orderQuantity: '3' },
  })
  expect(payment.path).toMatch(/^\/de\/dashboard\/myOrders\/payment\//)
  expect(payment.text).toContain('Ihre Bestellung ist aufgenommen. Bitte zahlen Sie jetzt!')
  const orderPath = payment.path.replace('/de', '').replace('/payment', '')
  for (const path of [payment.path.replace('/de', ''), orderPath, '/dashboard/myOrders', purchase, '/dashboard'])
    await look(zoë, path)
  const { location } = await zoë.press(payment, 'Auf der sicheren Seite zahlen')
  const back = new URL((await payAt(location!)).location!)
  const paid = await zoë.get(back.pathname + back.search)
  expect([paid.path.split('?')[0], paid.text]).toEqual([
    payment.path,
    expect.stringContaining('Ihre Zahlung war erfolgreich!'),
  ])
  for (const path of [payment.path, orderPath, '/dashboard/myOrders'].map((path) => path.replace(/^\/de/, '')))
    await look(zoë, path)
  await look(zoë, orderPath.replace('myOrders', 'myOrders/receipt'))
  await look(zoë, `${purchase}?again=${orderPath.split('/').pop()}`)
  expect(problems).toEqual([])

  const emails = await shop.emailsTo(email)
  const receipt = emails.find(({ subject }) => subject.startsWith('Quittung: C-'))!
  expect(receipt.text).toContain('Wir haben Ihre Zahlung von 33,03\u00a0$ erhalten.')
  expect(receipt.text).toContain('Stückpreis: 11,01')
  expect(receipt.text).toContain(`${shop.vars.SHOP_ORIGIN}/de/dashboard/myOrders/receipt/`)
  expect(emails.map(({ subject }) => subject)).toContainEqual(
    expect.stringMatching(/^Ihre Bestellung: C-\d+, 3 × Viola$/),
  )
  await zoë.press(await zoë.get('/de/home'), 'Senden', { name: 'Zoë', email, message: 'Hallo' })
  const [toShop] = await shop.emailsTo(shop.deps.shopEmail)
  expect([toShop!.subject, toShop!.html.includes('<html lang="en">')]).toEqual(['Message from Zoë', true])

  // An order in English gets its emails in English, also when a German request sends them.
  await zoë.press(await zoë.get(purchase), 'Order Now', { ...parcel, orderQuantity: '2' })
  await zoë.press(await zoë.get('/de/dashboard/myOrders'), 'Stornieren')
  const later = (await shop.emailsTo(email)).map(({ subject }) => subject)
  expect(later).toContainEqual(expect.stringMatching(/^(Your order|Cancelled): C-\d+, 2 × Viola$/))
  expect(later.filter((subject) => subject.includes('2 × Viola') && /Ihre|Storniert/.test(subject))).toEqual([])
})

test.runIf(isWhole)(
  'says nothing in English about price requests, passkeys, a second factor, one’s data and invoices',
  async ({ shop }) => {
    await speakGerman(shop)
    const admin = await shop.admin()
    const viola = await shop.sells({ id: 'viola', name: 'Viola', price: 250_00, minimum: 2, stock: 30 })
    const customer = await shop.customer({ name: 'Zoë' })
    const zoë = await shop.signedIn(customer)
    const problems: [string, string[]][] = []
    const look = async (path: string, press?: Parameters<typeof inBoth>[2]) => {
      const { german, left } = await inBoth(zoë, path, press)
      expect([path, german.page.querySelector('html')?.getAttribute('lang')]).toEqual([path, 'de'])
      if (left.length > 0) problems.push([`${path} ${press?.[0] ?? ''}`, left])
      return german
    }
    const form = `/dashboard/quotes/new?instrument=${viola}`
    await look('/dashboard/quotes')
    await look(form, ['Mengenpreis anfragen', 'Ask for a volume price', { orderQuantity: '1' }])
    const ask = async (orderQuantity: string) => {
      const asked = await zoë.press(await zoë.get(`/de${form}`), 'Mengenpreis anfragen', { orderQuantity })
      expect([asked.path, asked.text]).toEqual([
        expect.stringMatching(/^\/de\/dashboard\/quotes\/./),
        expect.stringContaining('Ihre Anfrage ist da.'),
      ])
      return asked.path.replace('/de', '')
    }
    const [asked, offered, short, declined] = [await ask('20'), await ask('10'), await ask('29'), await ask('5')]
    await look(asked)
    const idOf = (path: string) => path.split('/').pop()!
    const validUntil = (Math.floor(Date.now() / day) + 9) * day
    for (const [path, quantity] of [
      [offered, 10],
      [short, 29],
    ] as const)
      await offerPrice(shop.deps, admin, idOf(path), {
        ...{ price: 90_00, orderQuantity: quantity, validUntil, reply: 'Viola' },
      })
    await declineQuote(shop.deps, admin, idOf(declined), { reason: 'Viola' })
    const [accept, inEnglish] = [
      'Annehmen: 10 Stück für 900,00\u00a0$ zahlungspflichtig bestellen',
      'Accept: order 10 for $900.00',
    ]
    await look(offered, [accept, inEnglish, { customerAddress: '', customerPhone: '1' }])
    const ordered = await zoë.press(await zoë.get(`/de${offered}`), accept, parcel)
    expect(ordered.path).toMatch(/^\/de\/dashboard\/myOrders\/payment\//)
    for (const path of [offered, short, declined, '/dashboard/quotes']) await look(path)
    await zoë.press(await zoë.get('/de/dashboard/myOrders'), 'Stornieren')
    await look(offered)

    await look('/dashboard/myProfile/sessions')
    await shop.signedIn(customer)
    await look('/dashboard/myProfile/sessions')
    await look('/dashboard/myProfile/passkey')
    await look('/dashboard/myProfile/passkey', ['Hinzufügen', 'Add passkey', { name: '' }])
    await look('/dashboard/myProfile/secondFactor')
    await look('/dashboard/myProfile/secondFactor', ['Einrichten', 'Set up', { password: 'not this one' }])
    const factor = '/de/dashboard/myProfile/secondFactor'
    await zoë.press(await zoë.get(factor), 'Einrichten', { password: customer.password })
    const pending = await look('/dashboard/myProfile/secondFactor', ['Einschalten', 'Switch on', { code: '' }])
    const secret = pending.page.querySelector('code')!.text.replaceAll(' ', '')
    const codes = await zoë.press(await zoë.get(factor), 'Einschalten', { code: appCode(secret) })
    expect(codes.text).toContain('Ihre Wiederherstellungscodes')
    await look('/dashboard/myProfile/secondFactor')
    await look('/dashboard/myProfile/data', ['Mein Konto schließen', 'Close my account', { password: '' }])

    const payment = await zoë.press(await zoë.get('/de/instruments/viola'), 'Zahlungspflichtig bestellen', {
      ...{ ...parcel, orderQuantity: '2' },
    })
    const paidAt = await payAt((await zoë.press(payment, 'Auf der sicheren Seite zahlen')).location!)
    const back = new URL(paidAt.location!)
    await zoë.get(back.pathname + back.search)
    const orderId = idOf(payment.path)
    await refundOrder(shop.deps, admin, orderId, { submissionId: newId(), amount: 10_00, reason: 'Viola' })
    const paper = await look(`/dashboard/myOrders/invoice/${orderId}`)
    expect(paper.text).toContain('Rechnung INV-1-1')
    const note = paper.page.querySelector('a[href*="/CN-"]')!
    expect([note.text, note.getAttribute('href')]).toEqual([
      'Gutschrift CN-1-1',
      `/de/dashboard/myOrders/invoice/${orderId}/CN-1-1`,
    ])
    await look(`/dashboard/myOrders/invoice/${orderId}/CN-1-1`)
    await look('/dashboard/myProfile/data/close')
    const closed = await zoë.press(await zoë.get('/de/dashboard/myProfile/data/close'), 'Mein Konto schließen')
    expect([closed.path, closed.text]).toEqual(['/de', expect.stringContaining('Ihr Konto ist geschlossen.')])
    expect(problems).toEqual([])

    const subjects = async (email: string) => (await shop.emailsTo(email)).map(({ subject }) => subject)
    expect(await subjects(customer.email)).toContain('Ihr zweiter Faktor ist eingeschaltet')
    const [last] = (await shop.emailsTo(customer.email)).filter(({ subject }) => subject.includes('Konto'))
    expect([last!.subject, last!.text]).toEqual([
      'Ihr Konto ist geschlossen',
      expect.stringContaining('weil das Konto dieser Adresse in unserem Shop geschlossen wurde.'),
    ])
    expect(
      (await shop.emailsTo(shop.deps.shopEmail)).map(({ html }) => html.includes('<html lang="en">')),
    ).not.toContain(false)
  },
)

test('leads who works in the shop from the German dashboard to the desk, which is English', async ({ shop }) => {
  await speakGerman(shop)
  const admin = await shop.signedIn(await shop.admin())
  const desk = await admin.get('/de/dashboard')
  expect([desk.path, desk.page.querySelector('html')?.getAttribute('lang')]).toEqual(['/dashboard', 'en'])
})
