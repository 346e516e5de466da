import { eq } from 'drizzle-orm'
import { sessions } from '../../app/db/schema'
import { expect, test } from '../support/shop'

test('redirects to login and back to the requested page', async ({ shop }) => {
  const violin = await shop.sells()
  const ada = await shop.customer()
  const browser = shop.visitor()
  const login = await browser.get(`/instruments/${violin}?from=window`)
  expect(login.path).toBe(`/login?redirectTo=${encodeURIComponent(`/instruments/${violin}?from=window`)}`)
  const after = await browser.press(login, 'Login', { email: ada.email, password: ada.password })
  expect(after.path).toBe(`/instruments/${violin}?from=window`)
})

test('never redirects to another site after sign-in', async ({ shop }) => {
  const ada = await shop.customer()
  for (const evil of ['//evil.example', 'https://evil.example', '/\\evil.example', '/%2f%2fevil.example']) {
    const browser = shop.visitor()
    const login = await browser.get(`/login?redirectTo=${encodeURIComponent(evil)}`)
    const after = await browser.press(login, 'Login', { email: ada.email, password: ada.password })
    expect(after.path, evil).toBe('/dashboard')
  }
})

test('redirects an expired session home from My Orders and to login elsewhere', async ({ shop }) => {
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  await shop.deps.db.delete(sessions).where(eq(sessions.userId, ada.id))
  const home = await browser.get('/dashboard/myOrders')
  expect([home.path, home.text]).toEqual(['/', expect.stringContaining('You were logged out. Log in to continue.')])
  expect((await browser.get('/dashboard')).path).toBe('/login?redirectTo=%2Fdashboard')
})

test('ends the session at sign-out, with every copy of its cookie', async ({ shop }) => {
  const browser = await shop.visitor().signIn(await shop.customer())
  const copied = browser.cookie('session')!
  const page = await browser.get('/dashboard')
  await browser.press(page, 'Sign Out')
  const attacker = shop.visitor()
  attacker.setCookie('session', copied)
  expect((await attacker.get('/dashboard')).path).toBe('/login?redirectTo=%2Fdashboard')
})

test('gives the same response for an unknown email and a wrong password', async ({ shop }) => {
  const ada = await shop.customer()
  const browser = shop.visitor()
  const login = await browser.get('/login')
  const wrong = await browser.press(login, 'Login', { email: ada.email, password: 'not this one' })
  const unknown = await browser.press(login, 'Login', { email: 'nobody@example.com', password: 'not this one' })
  expect(wrong.status).toBe(401)
  expect(unknown.status).toBe(401)
  expect(unknown.text).toBe(wrong.text)
})

test('refuses to register an email twice and keeps the first account', async ({ shop }) => {
  const ada = await shop.customer({ email: 'ada@example.com' })
  const browser = shop.visitor()
  const response = await browser.press(await browser.get('/register'), 'Register', {
    name: 'Somebody',
    email: ' ADA@example.com ',
    password: 'another password',
  })
  expect(response.status).toBe(409)
  expect(response.text).toContain('This email already has an account. Log in instead.')
  expect(response.page.querySelector('#password')?.getAttribute('value')).toBeUndefined()
  await shop.visitor().signIn(ada)
})

test.for([
  ['no email', 'email', '', 'Email is Required'],
  ['half an email', 'email', 'jo@shop', 'Provide a valid Email'],
  ['100 kB of email', 'email', 'x'.repeat(100_000), 'Provide a valid Email'],
  ['no password', 'password', '', 'Password is Required'],
  ['a short password', 'password', '12345', 'Must be 6 characters or longer'],
  ['100 kB of password', 'password', 'x'.repeat(100_000), 'Must be at most 1000 characters'],
  ['a blank name', 'name', '  ', 'Name is Required'],
  ['a long name', 'name', 'x'.repeat(101), 'Name must be at most 100 characters'],
  ['a NUL in the name', 'name', 'a\u0000b', 'Name contains characters that are not allowed'],
] as const)('registering with %s is refused beside the field', async ([, field, wrong, message], { shop }) => {
  const browser = shop.visitor()
  const response = await browser.press(await browser.get('/register'), 'Register', {
    name: 'Zoë 李 <b>',
    email: 'zoe@example.com',
    password: 'correct horse',
    [field]: wrong,
  })
  expect(response.status).toBe(422)
  expect(response.page.querySelector(`#${field}-error`)?.textContent).toBe(message)
  expect(response.html).not.toContain('correct horse')
  if (field !== 'name') expect(response.page.querySelector('#name')?.getAttribute('value')).toBe('Zoë 李 <b>')
})

test('starts no download for a page on another site', async ({ shop }) => {
  const browser = await shop.visitor().signIn(await shop.admin())
  const data = '/dashboard/myProfile/data'
  const elsewhere: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { referer: 'https://evil.example/' },
  ]
  for (const file of [
    `${data}.json`,
    '/dashboard/manageOrders.csv',
    '/dashboard/manageProduct.csv',
    '/dashboard/reports.csv',
  ]) {
    for (const headers of elsewhere) {
      const refused = await browser.fetch(file, { headers })
      expect([refused.status, refused.headers.get('content-disposition')]).toEqual([403, null])
      expect(await refused.text()).toBe('Another site has asked for this file. Open the shop and download it there.\n')
    }
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { referer: shop.deps.origin },
    ])
      expect((await browser.fetch(file, { headers: headers as Record<string, string> })).status).toBe(200)
  }
  const refreshes = async (headers: Record<string, string>) =>
    (await browser.get(`${data}?download`, headers)).page.querySelector('meta[http-equiv=refresh]') !== null
  expect([await refreshes({}), await refreshes(elsewhere[0]!)]).toEqual([true, false])
})

test('refuses a malformed or too large form with the right status', async ({ shop }) => {
  const browser = shop.visitor()
  const post = (body: string | URLSearchParams, type?: string) => {
    const headers = new Headers({ origin: shop.deps.origin })
    if (type) headers.set('content-type', type)
    return browser.fetch('/login', { method: 'POST', body, headers })
  }
  expect((await post('{}', 'application/json')).status).toBe(415)
  expect((await post(new URLSearchParams({ email: 'x'.repeat(600_000) }))).status).toBe(413)
  expect((await post('no boundary', 'multipart/form-data')).status).toBe(400)
})

test.for([
  ['30,000 fields', Array.from({ length: 30_000 }, () => 'a=').join('&')],
  ['a list of 30 million', 'a[30000000]=1'],
  ['a path', 'a.b.c=1'],
  ['a prototype', '__proto__=1&constructor.prototype=2'],
  ['one name twice', 'email=a&email=b'],
  ['a command for the parser', '__intent__=x'],
  ['a state for the parser', '__state__=x'],
] as const)('a form with %s is refused at once', async ([, body], { shop }) => {
  const startedAt = performance.now()
  const headers = { origin: shop.deps.origin, 'content-type': 'application/x-www-form-urlencoded' }
  const response = await shop.visitor().fetch('/login', { method: 'POST', body, headers })
  expect(response.status).toBe(400)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})

test('shows a page with status 404 for an unknown URL', async ({ shop }) => {
  const response = await shop.visitor().get('/no/such/page')
  expect(response.status).toBe(404)
  expect(response.text).toContain('Page not found')
})

test('sends no-store, a request id and security headers with every response', async ({ shop }) => {
  const browser = await shop.visitor().signIn(await shop.customer())
  for (const path of ['/', '/allInstruments', '/dashboard', '/nowhere', '/healthz']) {
    const { headers } = await browser.get(path)
    expect(headers.get('cache-control'), path).toBe('private, no-store')
    expect(headers.get('x-request-id'), path).toBeTruthy()
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('content-security-policy'), path).toMatch(/frame-ancestors 'none'/)
  }
})

test('stores a contact message, emails it to the shop and copies the sender', async ({ shop }) => {
  const browser = shop.visitor()
  const after = await browser.press(await browser.get('/'), 'Send', {
    name: 'Zoë',
    email: 'zoe@my-music.example',
    message: 'Do you have a <b>left-handed</b> cello?',
  })
  expect(after.text).toContain('Thank you. Your message is on its way to us.')
  await browser.waitUntilIdle()
  const response = await fetch(`${shop.sandbox.url}/mail`)
  const mails = await response.json<{ to: string; replyTo: string | null; text: string }[]>()
  expect(mails.map(({ to, replyTo }) => [to, replyTo]).sort()).toEqual([
    ['shop@cadenza.example', 'zoe@my-music.example'],
    ['zoe@my-music.example', null],
  ])
  expect(mails.every(({ text }) => text.includes('Do you have a <b>left-handed</b> cello?'))).toBe(true)
})

test('reports database health', async ({ shop }) => {
  const browser = shop.visitor()
  expect((await browser.get('/healthz')).status).toBe(200)
  shop.skipInvariants('the database is stopped')
  await shop.database.stop()
  expect((await browser.get('/healthz')).status).toBe(503)
  const home = await browser.get('/')
  expect(home.status).toBe(503)
  expect(home.headers.get('retry-after')).toBe('10')
  expect(home.text).toContain('Something went wrong')
})

test('ignores an unsigned or wrongly signed webhook event', async ({ shop }) => {
  const body = JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: {} },
  })
  for (const signature of [null, 't=1,v1=00', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]) {
    const headers: Record<string, string> = signature ? { 'stripe-signature': signature } : {}
    const response = await shop.visitor().fetch('/webhooks/stripe', { method: 'POST', body, headers })
    expect(response.status).toBe(400)
  }
  expect((await shop.visitor().fetch('/webhooks/stripe')).status).toBe(405)
})

test('answers a form for a page without one with 405 and Allow', async ({ shop }) => {
  const { status, headers } = await shop
    .visitor()
    .fetch('/allInstruments', { method: 'POST', body: new URLSearchParams({ a: '1' }) })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
