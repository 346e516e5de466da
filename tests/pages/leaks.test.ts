import { accessTokens, emailTokens, passwords, sessions } from '../../app/db/schema'
import { googleClientSecret, mailApiKey, stripeSecretKey, stripeWebhookSecret } from '../../sandbox/keys'
import { expect, test } from '../support/shop'

test('leaks no secret, hash or token in pages, headers, logs or errors', async ({ shop }) => {
  const violin = await shop.sells()
  const browser = shop.visitor()
  const output: string[] = []
  const record = (response: { html: string; headers: Headers }) => {
    // The session cookie is a secret that belongs here.
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
    output.push(response.html, JSON.stringify(headers))
    return response
  }
  const password = 'a passphrase to look for'
  const pages = [
    '/',
    '/allInstruments',
    '/login',
    '/dashboard',
    `/instruments/${violin}`,
    '/dashboard/myOrders',
    '/nowhere',
  ]

  record(await browser.press(await browser.get('/register'), 'Register', { name: 'Ada', email: 'bad', password }))
  record(
    await browser.press(await browser.get('/register'), 'Register', {
      name: 'Ada',
      email: 'ada@example.com',
      password,
    }),
  )
  for (const path of [...pages, '/dashboard/myProfile/sessions']) record(await browser.get(path))
  const order = { orderQuantity: '1', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const ordered = await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', order)
  const payment = ordered.path
  record(ordered)
  await browser.press(await browser.get(payment), 'Pay on the secure page')
  record(await browser.get(payment))
  const issued = await browser.fetch('/user/ada@example.com', {
    method: 'PUT',
    headers: { origin: shop.vars.SHOP_ORIGIN!, 'content-type': 'application/json' },
    body: '{}',
  })
  const { token } = await issued.json<{ token: string }>()
  for (const authorization of [`Bearer ${token}`, `Bearer ${token}x`]) {
    const response = await browser.fetch('/admin/ada@example.com', { headers: { authorization } })
    record({ html: await response.text(), headers: response.headers })
  }
  record(await browser.press(await browser.get('/forgot-password'), 'Send the link', { email: 'ada@example.com' }))
  await browser.waitUntilIdle()
  for (const path of ['/auth/google/callback?code=x&state=y', '/reset-password?token=not-a-token'])
    record(await browser.get(path))

  const { db } = shop.deps
  const tables = [
    ...(await db.select({ secret: passwords.hash }).from(passwords)),
    ...(await db.select({ secret: sessions.tokenHash }).from(sessions)),
    ...(await db.select({ secret: accessTokens.tokenHash }).from(accessTokens)),
    ...(await db.select({ secret: emailTokens.tokenHash }).from(emailTokens)),
  ].map(({ secret }) => secret)
  expect(tables.length).toBeGreaterThanOrEqual(5)
  // Error messages often leak secrets.
  shop.skipInvariants('the database is stopped')
  await shop.database.stop()
  for (const path of pages) record(await browser.get(path))
  record(await shop.visitor().post('/login', { email: 'ada@example.com', password }))
  expect(shop.log.length).toBeGreaterThan(0)

  const session = JSON.parse(atob(decodeURIComponent(browser.cookie('session')!))) as string
  const secrets = [password, session, token, ...tables, 'scrypt$']
  const { SESSION_SECRET, DATABASE_AUTH_TOKEN } = shop.vars
  const ours = [SESSION_SECRET!, DATABASE_AUTH_TOKEN!]
  const keys = [googleClientSecret, mailApiKey, stripeSecretKey, stripeWebhookSecret, ...ours]
  const everything = [...output, ...shop.log].join('\n')
  expect(everything).toContain('Concert Violin')
  expect([...secrets, ...keys].filter((secret) => everything.includes(secret))).toEqual([])
})
