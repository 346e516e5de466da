import { eq, isNull } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { identities, emails, emailTokens, passwords, sessions, rateLimits, users } from '../../app/db/schema'
import { hashSecret } from '../../app/store/ids.server'
import { checkPassword, startSession } from '../../app/store/accounts/sign-in.server'
import { issueAccessToken } from '../../app/store/accounts/access-tokens.server'
import { requestPasswordReset, resetPassword } from '../../app/store/accounts/password-reset.server'
import { quarterHour } from '../../app/store/rate-limit.server'
import { chooseAtGoogle, type Chosen } from '../support/google-page'
import { test, type Shop } from '../support/shop'
import type { Answer, TestBrowser } from '../support/test-browser'

/** Path and query of the link in the newest mail to somebody. */
async function linkTo(shop: Shop, email: string): Promise<string> {
  const link = /https?:\/\/\S+/.exec((await shop.mailsTo(email))[0]?.text ?? '')?.[0]
  if (!link) throw new Error(`No link was mailed to ${email}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

async function asksForReset(shop: Shop, email: string): Promise<{ browser: TestBrowser; answer: Answer }> {
  const browser = shop.visitor()
  const written = () => shop.deps.db.$count(emails, eq(emails.recipient, email))
  const before = await written()
  const answer = await browser.press(await browser.get('/forgot-password'), 'Send the link', { email })
  // It is written after the answer; to an unknown address, not at all.
  await vi.waitUntil(async () => (await written()) > before, 2000).catch(() => undefined)
  await browser.settled()
  return { browser, answer }
}

/** Goes to Google from the login page, chooses an account there, and comes back. */
async function signsInWithGoogle(browser: TestBrowser, chosen: Chosen, from = '/login') {
  const start = await browser.press(await browser.get(from), 'Continue with Google')
  expect(start.location).toContain('/o/oauth2/v2/auth?')
  const back = await chooseAtGoogle(start.location!, chosen)
  return { back, answer: await browser.get(back.pathname + back.search) }
}

const isIn = async (browser: TestBrowser) => (await browser.get('/dashboard')).path === '/dashboard'

// Password reset

test('a forgotten password is chosen anew by a mailed link, and the old one is worth nothing', async ({ shop }) => {
  const ada = await shop.customer()
  const { browser, answer } = await asksForReset(shop, ada.email)
  expect(answer.path).toBe('/login')
  expect(answer.text).toContain('Password reset email sent')

  const page = await browser.get(await linkTo(shop, ada.email))
  const after = await browser.press(page, 'Change my password', { password: 'a new password' })
  expect(after.text).toContain('Your password is changed.')
  await shop.visitor().signIn({ ...ada, password: 'a new password' })
  await expect(shop.visitor().signIn(ada)).rejects.toThrow('do not belong together')
})

test('choosing a new password ends every session, every token and every other link', async ({ shop }) => {
  const ada = await shop.customer()
  const [laptop, phone] = [await shop.visitor().signIn(ada), await shop.visitor().signIn(ada)]
  const { token } = await issueAccessToken(shop.deps, sessionOf(laptop))
  await asksForReset(shop, ada.email)
  const stolen = await linkTo(shop, ada.email)
  const { browser } = await asksForReset(shop, ada.email)
  const link = await linkTo(shop, ada.email)
  await browser.press(await browser.get(link), 'Change my password', { password: 'a new password' })

  expect([await isIn(laptop), await isIn(phone)]).toEqual([false, false])
  const bearer = await browser.fetch(`/admin/${ada.email}`, { headers: { authorization: `Bearer ${token}` } })
  expect(bearer.status).toBe(401)
  for (const used of [stolen, link]) {
    const token = new URLSearchParams(used.split('?')[1]).get('token')!
    const again = await browser.post('/reset-password', { token, password: 'yet another one' })
    expect(again.status).toBe(409)
    expect(again.text).toContain('used already')
  }
})

test('a used, expired or invented reset link is refused when it is opened, with a way to a new one', async ({
  shop,
}) => {
  const ada = await shop.customer()
  await asksForReset(shop, ada.email)
  const used = await linkTo(shop, ada.email)
  const { browser } = await asksForReset(shop, ada.email)
  const link = await linkTo(shop, ada.email)
  expect((await browser.get(link)).page.querySelector('#password')).not.toBeNull()
  const page = await browser.get(used)
  expect(page.status).toBe(200)
  await browser.press(page, 'Change my password', { password: 'a new password' })
  await asksForReset(shop, ada.email)
  const expired = await linkTo(shop, ada.email)
  await shop.deps.db
    .update(emailTokens)
    .set({ expiresAt: Date.now() - 1 })
    .where(isNull(emailTokens.usedAt))
  for (const dead of [used, link, expired, '/reset-password?token=invented', '/reset-password']) {
    const answer = await browser.get(dead)
    expect([answer.status, answer.page.querySelector('#password')]).toEqual([410, null])
    expect(answer.page.querySelector('[role="alert"]')?.text).toBe(
      'This link has been used already, or its time is up.',
    )
    expect(answer.page.querySelector('main a.button')?.getAttribute('href')).toBe('/forgot-password')
  }
})

test('of two resets with one link at the same time, one wins', async ({ shop }) => {
  const ada = await shop.customer()
  await asksForReset(shop, ada.email)
  const token = new URLSearchParams((await linkTo(shop, ada.email)).split('?')[1]).get('token')!
  const results = await Promise.allSettled(
    ['first one', 'second one'].map((password) => resetPassword(shop.deps, { token, password })),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a reset link dies after 10 minutes', async ({ shop }) => {
  const ada = await shop.customer()
  const asked = Date.now()
  await requestPasswordReset({ ...shop.deps, now: () => asked }, ada.email)
  const [mail] = await shop.deps.db.select({ text: emails.text }).from(emails)
  const token = /token=(\S+)/.exec(mail!.text)![1]!
  const late = { ...shop.deps, now: () => asked + 10 * 60 * 1000 }
  await expect(resetPassword(late, { token, password: 'too late now' })).rejects.toMatchObject({ code: 'conflict' })
  await resetPassword({ ...shop.deps, now: () => asked + 10 * 60 * 1000 - 1 }, { token, password: 'just in time' })
})

test('a reset for an unknown address is answered like any other, and mails nothing', async ({ shop }) => {
  const ada = await shop.customer()
  const known = await asksForReset(shop, ada.email)
  const unknown = await asksForReset(shop, 'nobody@example.com')
  expect(unknown.answer.status).toBe(known.answer.status)
  expect(unknown.answer.text).toBe(known.answer.text)
  expect(await shop.mailsTo('nobody@example.com')).toEqual([])
})

test.for(['', '   ', 'jo', 'jo@shop', 'x'.repeat(100_000)])(
  'a reset for no address says so beside the field and in a toast (%#)',
  async (typed, { shop }) => {
    const { browser, answer } = await asksForReset(shop, typed)
    expect(answer.status).toBe(422)
    expect(answer.page.querySelector('#email-error')?.textContent).toBe('Enter valid email address')
    expect(answer.page.querySelector('[role="status"] .toast-error')?.text).toContain('Enter valid email address')
    expect((await browser.get('/forgot-password')).text).not.toContain('Enter valid email address')
  },
)

test('a mailed link is nowhere to be read once it is sent', async ({ shop }) => {
  const ada = await shop.customer()
  await asksForReset(shop, ada.email)
  const secret = (await linkTo(shop, ada.email)).split('token=')[1]!
  const stored = [await shop.deps.db.select().from(emails), await shop.deps.db.select().from(emailTokens)]
  expect(JSON.stringify(stored)).not.toContain(secret)
})

test('a mail provider that is down delays the mail and fails nobody', async ({ shop }) => {
  await fetch(`${shop.sandbox.url}/faults`, {
    method: 'POST',
    body: JSON.stringify({ mail: { failNext: 2, status: 500 } }),
    headers: { 'content-type': 'application/json' },
  })
  const browser = shop.visitor()
  const after = await browser.press(await browser.get('/register'), 'Register', {
    name: 'Zoë',
    email: 'zoe@example.com',
    password: 'correct horse',
  })
  expect(after.path).toBe('/dashboard')
  await browser.settled()
  expect(await shop.mailsTo('zoe@example.com')).toEqual([])

  const { deliverPendingEmails } = await import('../../app/store/deliver-email.server')
  const later = (minutes: number) => ({ ...shop.deps, now: () => Date.now() + minutes * 60_000 })
  for (const minutes of [2, 5, 10, 20]) await deliverPendingEmails(later(minutes))
  expect(await shop.mailsTo('zoe@example.com')).toHaveLength(1)
})

test('a letter goes out once, however many see to the outbox at the same time', async ({ shop }) => {
  const { deliverPendingEmails } = await import('../../app/store/deliver-email.server')
  const ada = await shop.customer()
  await requestPasswordReset(shop.deps, ada.email)
  const sent = await Promise.all(Array.from({ length: 6 }, () => deliverPendingEmails(shop.deps)))
  expect(sent.reduce((sum, each) => sum + each.sent, 0)).toBe(1)
  expect(await shop.deps.db.select({ attempts: emails.attempts }).from(emails)).toEqual([{ attempts: 1 }])
})

// Google

test('somebody new signs in with Google, lands where they were going, and is the same customer the next time', async ({
  shop,
}) => {
  const violin = await shop.sells()
  const browser = shop.visitor()
  const wanted = `/instruments/${violin}`
  const { answer } = await signsInWithGoogle(browser, { email: 'grace@example.com' }, (await browser.get(wanted)).path)
  expect(answer.path).toBe(wanted)
  expect(answer.text).toContain('Grace')
  await signsInWithGoogle(shop.visitor(), { email: 'grace@example.com' })
  expect(await shop.deps.db.select().from(users)).toHaveLength(1)
})

test('Google signs in whoever has a verified address, though no password could stand beside it', async ({ shop }) => {
  const browser = shop.visitor()
  await signsInWithGoogle(browser, { email: 'grace@my-shop.com' })
  expect(await isIn(browser)).toBe(true)
})

test('Google without a verified address signs nobody in', async ({ shop }) => {
  const ada = await shop.customer()
  const browser = shop.visitor()
  const { answer } = await signsInWithGoogle(browser, { email: ada.email, verified: false })
  expect([answer.path, answer.status]).toEqual(['/login?google=unverified', 401])
  expect(answer.page.querySelector('form[action="/auth/google"] .error')?.text).toContain(
    'Google has not verified this email',
  )
  expect(await isIn(browser)).toBe(false)
  expect(await shop.deps.db.select().from(identities)).toEqual([])
})

test('says that no email can be sent to the address of a Google account', async ({ shop }) => {
  const browser = shop.visitor()
  const { answer } = await signsInWithGoogle(browser, { email: 'grace..h@example.com' })
  expect([answer.path, answer.status]).toEqual(['/login?google=address', 401])
  expect(answer.page.querySelector('form[action="/auth/google"] .error')?.text).toContain('We cannot send email')
  expect(await shop.deps.db.select().from(identities)).toEqual([])
})

test('a verified account is joined to Google and keeps its password', async ({ shop }) => {
  const ada = await shop.customer()
  await shop.deps.db.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, ada.id))
  const browser = shop.visitor()
  await signsInWithGoogle(browser, { email: ada.email })
  expect(await isIn(browser)).toBe(true)
  expect(await shop.deps.db.select().from(users)).toHaveLength(1)
  await shop.visitor().signIn(ada)
})

test('a callback that this browser did not ask for, was changed, or comes twice signs nobody in', async ({ shop }) => {
  const browser = shop.visitor()
  const { back } = await signsInWithGoogle(browser, { email: 'grace@example.com' })
  const path = back.pathname + back.search
  const thief = shop.visitor()
  expect((await thief.get(path)).path).toBe('/login?google=failed')
  expect(await isIn(thief)).toBe(false)

  // Login CSRF: the attacker's own code, in a browser that has a handshake of its own under way.
  const victim = shop.visitor()
  await victim.press(await victim.get('/login'), 'Continue with Google')
  expect((await victim.get(path)).text).toContain('did not work')
  expect(await isIn(victim)).toBe(false)

  // The same with the victim's own state and a code that nobody has used yet: it was given for another verifier (PKCE).
  const attacker = shop.visitor()
  const theirs = await attacker.press(await attacker.get('/login'), 'Continue with Google')
  const { searchParams } = await chooseAtGoogle(theirs.location!, { email: 'grace@example.com' })
  const mine = await victim.press(await victim.get('/login'), 'Continue with Google')
  const state = new URL(mine.location!).searchParams.get('state')!
  const forged = new URLSearchParams({ state, code: searchParams.get('code')! })
  expect((await victim.get(`${back.pathname}?${forged.toString()}`)).text).toContain('did not work')
  expect(await isIn(victim)).toBe(false)

  // And once more by the browser that has used it.
  await browser.press(await browser.get('/dashboard'), 'Sign Out')
  await browser.get(path)
  expect(await isIn(browser)).toBe(false)
})

test('giving up at Google leads back to the page that was left, with a word under its form', async ({ shop }) => {
  for (const page of ['login', 'register']) {
    const browser = shop.visitor()
    const start = await browser.press(
      await browser.get(`/${page}?redirectTo=%2FallInstruments`),
      'Continue with Google',
    )
    const state = new URL(start.location!).searchParams.get('state')!
    const answer = await browser.get(`/auth/google/callback?error=access_denied&state=${state}`)
    expect([answer.path, answer.status]).toEqual([`/${page}?google=failed&redirectTo=%2FallInstruments`, 401])
    expect(answer.page.querySelector('form[action="/auth/google"] .error')?.text).toBe(
      'Signing in with Google did not work. Please try again.',
    )
  }
  expect((await shop.visitor().get('/login?google=constructor')).status).toBe(200)
})

test('Google that is down is said, and nobody is signed in', async ({ shop }) => {
  await fetch(`${shop.sandbox.url}/faults`, {
    method: 'POST',
    body: JSON.stringify({ google: { failNext: 1, status: 500 } }),
    headers: { 'content-type': 'application/json' },
  })
  const browser = shop.visitor()
  const { answer } = await signsInWithGoogle(browser, { email: 'grace@example.com' })
  expect(answer.text).toContain('Signing in with Google did not work')
  expect(await isIn(browser)).toBe(false)
})

// Account pre-hijacking: somebody registers the address of somebody else, and waits.

async function hijackerRegisters(shop: Shop, email: string) {
  const browser = shop.visitor()
  const hijacker = { email, password: 'the hijacker knows it' }
  await browser.press(await browser.get('/register'), 'Register', { name: 'Not Grace', ...hijacker })
  await browser.settled()
  const { token } = await issueAccessToken(shop.deps, sessionOf(browser))
  return { browser, hijacker, token, verifyLink: await linkTo(shop, email) }
}

async function expectNoWayIn(shop: Shop, { browser, hijacker, token }: Awaited<ReturnType<typeof hijackerRegisters>>) {
  expect(await isIn(browser)).toBe(false)
  await expect(shop.visitor().signIn(hijacker)).rejects.toThrow('do not belong together')
  const bearer = await shop
    .visitor()
    .fetch(`/admin/${hijacker.email}`, { headers: { authorization: `Bearer ${token}` } })
  expect(bearer.status).toBe(401)
}

test('pre-hijack, merge: the owner comes with Google, and the hijacker’s password is gone', async ({ shop }) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  const owner = shop.visitor()
  const { answer } = await signsInWithGoogle(owner, { email: 'grace@example.com' })
  expect(answer.text).toContain('Hello, Grace')
  await expectNoWayIn(shop, hijack)
  expect(await shop.deps.db.select().from(passwords)).toEqual([])
})

test('pre-hijack, session: the hijacker’s open session ends when the owner comes', async ({ shop }) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  await signsInWithGoogle(shop.visitor(), { email: 'grace@example.com' })
  expect(await isIn(hijack.browser)).toBe(false)
  expect(await shop.deps.db.select().from(sessions)).toHaveLength(1)
})

test('pre-hijack, details: the address that the hijacker left is not where the owner’s parcels go', async ({
  shop,
}) => {
  await hijackerRegisters(shop, 'grace@example.com')
  await shop.deps.db.update(users).set({ address: '1 Thief Lane', phone: '07700900999', image: '/x' })
  await signsInWithGoogle(shop.visitor(), { email: 'grace@example.com' })
  const [owner] = await shop.deps.db.select().from(users)
  expect(owner).toMatchObject({ name: 'Grace', address: null, phone: null, image: null })
})

test('pre-hijack, reset: the owner’s reset ends all that the hijacker holds', async ({ shop }) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  const { browser } = await asksForReset(shop, 'grace@example.com')
  const page = await browser.get(await linkTo(shop, 'grace@example.com'))
  await browser.press(page, 'Change my password', { password: 'the owner’s own' })
  await expectNoWayIn(shop, hijack)
})

test('pre-hijack, trojan: Google with another address never reaches the account', async ({ shop }) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  await signsInWithGoogle(shop.visitor(), { email: 'hijacker@example.com', name: 'H' })
  await signsInWithGoogle(shop.visitor(), { email: 'grace@example.com' })
  const joined = await shop.deps.db
    .select({ email: users.email })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
  expect(joined.map(({ email }) => email).sort()).toEqual(['grace@example.com', 'hijacker@example.com'])
  await expectNoWayIn(shop, hijack)
})

test('pre-hijack, old link: a verification link from before the owner came proves nothing any more', async ({
  shop,
}) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  const owner = shop.visitor()
  await signsInWithGoogle(owner, { email: 'grace@example.com' })
  expect((await owner.press(await owner.get(hijack.verifyLink), 'Verify my email')).text).toContain('used already')
  await expectNoWayIn(shop, hijack)
})

test('pre-hijack, blessing: an owner who opens the hijacker’s link does not verify the hijacker’s account', async ({
  shop,
}) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  const owner = shop.visitor()
  expect((await owner.get(hijack.verifyLink)).path).toMatch(/^\/login\?redirectTo=%2Fverify-email/)
  const token = hijack.verifyLink.split('token=')[1]!
  expect((await owner.post('/verify-email', { token })).path).toMatch(/^\/login/)
  const somebodyElse = await shop.visitor().signIn(await shop.customer())
  expect((await somebodyElse.post('/verify-email', { token })).status).toBe(409)
  await signsInWithGoogle(owner, { email: 'grace@example.com' })
  await expectNoWayIn(shop, hijack)
})

test('pre-hijack, reset: what the hijacker left does not fill in the owner’s orders', async ({ shop }) => {
  await hijackerRegisters(shop, 'grace@example.com')
  await shop.deps.db.update(users).set({ address: '1 Thief Lane', phone: '07700900999', image: '/x' })
  const { browser } = await asksForReset(shop, 'grace@example.com')
  const page = await browser.get(await linkTo(shop, 'grace@example.com'))
  await browser.press(page, 'Change my password', { password: 'the owner’s own' })
  const [owner] = await shop.deps.db.select().from(users)
  expect(owner).toMatchObject({ address: null, phone: null, image: null })
})

test('a sign-in that was under way when the password was reset does not come through', async ({ shop }) => {
  const ada = await shop.customer()
  const from = { address: '203.0.113.9', device: null }
  const proven = await checkPassword(shop.deps, ada, from)
  await asksForReset(shop, ada.email)
  const token = (await linkTo(shop, ada.email)).split('token=')[1]!
  await resetPassword(shop.deps, { token, password: 'a new password' })
  await expect(startSession(shop.deps, proven, 'browser')).rejects.toMatchObject({ code: 'wrong-credentials' })
  expect(await shop.deps.db.select().from(sessions)).toEqual([])
})

// Sessions

test('a customer sees where they are signed in and ends all the others', async ({ shop }) => {
  const ada = await shop.customer()
  const [laptop, phone] = [await shop.visitor().signIn(ada), await shop.visitor().signIn(ada)]
  const page = await laptop.get('/dashboard/myProfile/sessions')
  expect(page.page.querySelectorAll('tbody tr')).toHaveLength(2)
  const after = await laptop.press(page, 'Sign out everywhere else')
  expect(after.text).toContain('You are signed out everywhere else.')
  expect([await isIn(laptop), await isIn(phone)]).toEqual([true, false])
})

test('where one is signed in does not name a session that has ended without use', async ({ shop }) => {
  const ada = await shop.customer()
  const [laptop, phone] = [await shop.visitor().signIn(ada), await shop.visitor().signIn(ada)]
  const day = 24 * 60 * 60 * 1000
  await shop.deps.db
    .update(sessions)
    .set({ seenAt: Date.now() - 8 * day })
    .where(eq(sessions.tokenHash, await hashSecret(sessionOf(phone))))
  const { page } = await laptop.get('/dashboard/myProfile/sessions')
  expect(page.querySelectorAll('tbody tr')).toHaveLength(1)
})

test('a session ends after 7 days without use, and after 30 days with it', async ({ shop }) => {
  const { findSessionUser } = await import('../../app/store/accounts/sign-in.server')
  const browser = await shop.visitor().signIn(await shop.customer())
  const day = 24 * 60 * 60 * 1000
  const begun = Date.now()
  const at = (days: number) => findSessionUser({ ...shop.deps, now: () => begun + days * day }, sessionOf(browser))
  expect(await at(6)).not.toBeNull()
  expect(await at(12)).not.toBeNull()
  expect(await at(19.5)).toBeNull()
  for (const days of [18, 24, 29]) expect(await at(days), `day ${days}`).not.toBeNull()
  expect(await at(30.1)).toBeNull()
})

test('over https the session is a __Host- cookie that only this site sends', async ({ shop }) => {
  const { setSessionCookie } = await import('../../app/http/auth/session.server')
  const line = await setSessionCookie('https://cadenza.example', { secret: 's', expiresAt: Date.now() })
  expect(line).toMatch(/^__Host-session=/)
  for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(line).toContain(attribute)
  expect(line).not.toContain('Domain')
  expect(shop.vars.SHOP_ORIGIN).toMatch(/^http:/)
})

// Access tokens

test('an access token is given to the session of that very email, and to nobody else', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const browser = await shop.visitor().signIn(ada)
  const put = (who: TestBrowser, email: string) =>
    who.fetch(`/user/${email}`, {
      method: 'PUT',
      headers: { origin: shop.vars.SHOP_ORIGIN!, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })

  const given = await put(browser, ada.email)
  expect(given.status).toBe(200)
  const { token } = await given.json<{ token: string }>()
  expect((await put(browser, bea.email)).status).toBe(403)
  expect((await put(shop.visitor(), ada.email)).status).toBe(401)
  expect((await put(shop.visitor(), 'nobody@example.com')).status).toBe(401)

  const ask = (authorization: string) => shop.visitor().fetch(`/admin/${ada.email}`, { headers: { authorization } })
  expect(await (await ask(`Bearer ${token}`)).json()).toEqual({ admin: false })
  expect((await ask('Bearer forged')).status).toBe(401)
  expect((await ask(token)).status).toBe(401)
})

test('signing out kills the access token and empties the browser’s storage', async ({ shop }) => {
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const { token } = await issueAccessToken(shop.deps, sessionOf(browser))
  const out = await browser.fetch('/sign-out', { method: 'POST', headers: { origin: shop.vars.SHOP_ORIGIN! } })
  expect(out.headers.get('clear-site-data')).toBe('"storage"')
  const bearer = await shop.visitor().fetch(`/admin/${ada.email}`, { headers: { authorization: `Bearer ${token}` } })
  expect(bearer.status).toBe(401)
})

test('signing out revokes the token that the browser sends along, whatever else it sends', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const browser = await shop.visitor().signIn(ada)
  const { token } = await issueAccessToken(shop.deps, sessionOf(await shop.visitor().signIn(bea)))
  const ask = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await shop.visitor().fetch(`/admin/${bea.email}`, { headers })).status
  }
  expect(await ask()).toBe(200)
  expect((await browser.post('/sign-out', { accessToken: token })).path).toBe('/')
  expect(await ask()).toBe(401)
  await browser.signIn(ada)
  const headers = { origin: shop.vars.SHOP_ORIGIN!, 'content-type': 'application/json' }
  const broken = await browser.fetch('/sign-out', { method: 'POST', body: '{', headers })
  expect([broken.status, broken.headers.get('location')]).toEqual([303, '/'])
  expect(await isIn(browser)).toBe(false)
})

// Guessing

test('of 1,000 guesses at once from one address 10 are heard, and the owner still gets in', async ({ shop }) => {
  const ada = await shop.customer()
  const owner = await shop.visitor().signIn(ada)
  await owner.press(await owner.get('/dashboard'), 'Sign Out')
  const guesser = shop.visitor()
  const guess = (index: number) =>
    guesser.fetch('/login', {
      method: 'POST',
      body: new URLSearchParams({ email: ada.email, password: `guess number ${index}` }),
      headers: {
        origin: shop.vars.SHOP_ORIGIN!,
        'cf-connecting-ip': '203.0.113.9',
        'x-forwarded-for': `198.51.100.${index % 250}`,
      },
    })
  const windowOf = () => Math.floor(Date.now() / quarterHour)
  const first = windowOf()
  const statuses: number[] = []
  let waits = 0
  for (let lane = 0; lane < 20; lane++) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(lane * 50 + index)))
    statuses.push(...answers.map(({ status }) => status))
    waits += answers.filter(({ headers }) => Number(headers.get('retry-after')) > 0).length
  }
  const heard = statuses.filter((status) => status === 401).length
  expect(heard).toBeGreaterThan(0)
  expect(heard).toBeLessThanOrEqual(10 * (windowOf() - first + 1))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1000 - heard)
  expect(waits).toBe(1000 - heard)
  await owner.signIn(ada)
  // From an address of their own the owner gets in with any browser: one machine does not use up the account's limit.
  const elsewhere = { 'cf-connecting-ip': '203.0.113.10' }
  const fresh = await shop.visitor().post('/login', { email: ada.email, password: ada.password }, elsewhere)
  expect(fresh.path).toBe('/dashboard')
})

test('all addresses of one IPv6 network count as one', async ({ shop }) => {
  const { clientIp } = await import('../../app/http/auth/device-cookie.server')
  const of = (address: string) => clientIp(new Request('http://x', { headers: { 'cf-connecting-ip': address } }))
  expect(of('2001:db8:0:7::1')).toBe(of('2001:0db8::7:1:2:3:4'))
  expect(of('2001:db8:0:7::1')).not.toBe(of('2001:db8:0:8::1'))
  expect(of('203.0.113.9')).toBe('203.0.113.9')
  expect(shop.vars.SHOP_ORIGIN).toBeTruthy()
})

test('guesses at one account from many addresses stop at 100, and the owner’s own browser still gets in', async ({
  shop,
}) => {
  const ada = await shop.customer()
  const owner = await shop.visitor().signIn(ada)
  await owner.press(await owner.get('/dashboard'), 'Sign Out')
  const account = `sign-in:account:${await hashSecret(ada.email)}`
  const until = (Math.floor(Date.now() / quarterHour) + 1) * quarterHour
  await shop.deps.db.delete(rateLimits)
  await shop.deps.db.insert(rateLimits).values([
    { key: account, until, count: 100 },
    { key: account, until: until + quarterHour, count: 100 },
  ])
  const elsewhere = await shop
    .visitor()
    .post('/login', { email: ada.email, password: ada.password }, { 'cf-connecting-ip': '203.0.113.77' })
  expect(elsewhere.status).toBe(429)
  expect(elsewhere.text).toMatch(/Too many tries\. Please wait \d+ minutes?, and try again\./)
  await owner.signIn(ada)
})

test('a customer who signs in again and again is not held for a guesser', async ({ shop }) => {
  const ada = await shop.customer()
  for (let time = 0; time < 15; time++) await shop.visitor().signIn(ada)
})

function sessionOf(browser: TestBrowser): string {
  return JSON.parse(atob(decodeURIComponent(browser.cookie('session')!))) as string
}
