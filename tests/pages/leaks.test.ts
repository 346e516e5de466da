import { expect } from 'vitest'
import { accessTokens, emailTokens, passwords, sessions } from '../../app/db/schema'
import { googleClientSecret, mailApiKey, stripeSecretKey, stripeWebhookSecret } from '../../sandbox/keys'
import { test } from '../support/shop'

test('no secret, hash or token is told in any page, header, log line or error of a whole run', async ({ shop }) => {
  const violin = await shop.sells()
  const browser = shop.visitor()
  const told: string[] = []
  const tell = (answer: { html: string; headers: Headers }) => {
    // The cookie is where the session belongs.
    const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
    told.push(answer.html, JSON.stringify(headers))
    return answer
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

  tell(await browser.press(await browser.get('/register'), 'Register', { name: 'Ada', email: 'bad', password }))
  tell(
    await browser.press(await browser.get('/register'), 'Register', {
      name: 'Ada',
      email: 'ada@example.com',
      password,
    }),
  )
  for (const path of [...pages, '/dashboard/myProfile/sessions']) tell(await browser.get(path))
  const order = { orderQuantity: '1', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const ordered = await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', order)
  const payment = ordered.page.querySelector('a[href*="/payment/"]')!.getAttribute('href')!
  tell(await browser.get(payment))
  await browser.press(await browser.get(payment), 'Pay on the secure page')
  tell(await browser.get(payment))
  const issued = await browser.fetch('/user/ada@example.com', {
    method: 'PUT',
    headers: { origin: shop.vars.SHOP_ORIGIN!, 'content-type': 'application/json' },
    body: '{}',
  })
  const { token } = await issued.json<{ token: string }>()
  for (const authorization of [`Bearer ${token}`, `Bearer ${token}x`]) {
    const answer = await browser.fetch('/admin/ada@example.com', { headers: { authorization } })
    tell({ html: await answer.text(), headers: answer.headers })
  }
  tell(await browser.press(await browser.get('/forgot-password'), 'Send the link', { email: 'ada@example.com' }))
  await browser.settled()
  for (const path of ['/auth/google/callback?code=x&state=y', '/reset-password?token=not-a-token'])
    tell(await browser.get(path))

  const { db } = shop.deps
  const stored = [
    ...(await db.select({ secret: passwords.hash }).from(passwords)),
    ...(await db.select({ secret: sessions.tokenHash }).from(sessions)),
    ...(await db.select({ secret: accessTokens.tokenHash }).from(accessTokens)),
    ...(await db.select({ secret: emailTokens.tokenHash }).from(emailTokens)),
  ].map(({ secret }) => secret)
  expect(stored.length).toBeGreaterThanOrEqual(5)
  // The database goes away in the middle of it: errors are where secrets slip out.
  shop.breaks('the database is stopped')
  await shop.database.stop()
  for (const path of pages) tell(await browser.get(path))
  tell(await shop.visitor().post('/login', { email: 'ada@example.com', password }))
  expect(shop.log.length).toBeGreaterThan(0)

  const session = JSON.parse(atob(decodeURIComponent(browser.cookie('session')!))) as string
  const secrets = [password, session, token, ...stored, 'scrypt$']
  const keys = [googleClientSecret, mailApiKey, stripeSecretKey, stripeWebhookSecret, shop.vars.SESSION_SECRET!]
  const everything = [...told, ...shop.log].join('\n')
  expect(everything).toContain('Concert Violin')
  expect([...secrets, ...keys].filter((secret) => everything.includes(secret))).toEqual([])
})
