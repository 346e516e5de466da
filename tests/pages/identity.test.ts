import { eq, isNull } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { identities, emails, emailTokens, rateLimits, users } from '../../app/db/schema'
import { issueAccessToken } from '../../app/store/accounts/access-tokens.server'
import { chooseAtGoogle, type GoogleAccount } from '../support/google-page'
import { test, type Shop } from '../support/shop'
import type { PageResponse, TestBrowser } from '../support/test-browser'

async function linkTo(shop: Shop, email: string): Promise<string> {
  const link = /https?:\/\/\S+/.exec((await shop.emailsTo(email))[0]?.text ?? '')?.[0]
  if (!link) throw new Error(`No link was mailed to ${email}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

async function asksForReset(shop: Shop, email: string): Promise<{ browser: TestBrowser; response: PageResponse }> {
  const browser = shop.visitor()
  const emailCount = () => shop.deps.db.$count(emails, eq(emails.recipient, email))
  const before = await emailCount()
  const response = await browser.press(await browser.get('/forgot-password'), 'Send the link', { email })
  // The email is written after the response, and not at all for an unknown address.
  await vi.waitUntil(async () => (await emailCount()) > before, 2000).catch(() => undefined)
  await browser.waitUntilIdle()
  return { browser, response }
}

async function signsInWithGoogle(browser: TestBrowser, account: GoogleAccount, from = '/login') {
  const start = await browser.press(await browser.get(from), 'Continue with Google')
  expect(start.location).toContain('/o/oauth2/v2/auth?')
  const back = await chooseAtGoogle(start.location!, account)
  return { back, response: await browser.get(back.pathname + back.search) }
}

const isIn = async (browser: TestBrowser) => (await browser.get('/dashboard')).path === '/dashboard'

test('resets a password by an emailed link and rejects the old one', async ({ shop }) => {
  const ada = await shop.customer()
  const { browser, response } = await asksForReset(shop, ada.email)
  expect(response.path).toBe('/login')
  expect(response.text).toContain('Password reset email sent')

  const page = await browser.get(await linkTo(shop, ada.email))
  const after = await browser.press(page, 'Change my password', { password: 'a new password' })
  expect(after.text).toContain('Your password has changed.')
  await shop.visitor().signIn({ ...ada, password: 'a new password' })
  await expect(shop.visitor().signIn(ada)).rejects.toThrow('Wrong email or password')
})

test('ends every session, token and link when the password is reset', async ({ shop }) => {
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
    expect(again.text).toContain('already used')
  }
})

test('rejects a used, expired or invented reset link and links to a new one', async ({ shop }) => {
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
    const response = await browser.get(dead)
    expect([response.status, response.page.querySelector('#password')]).toEqual([410, null])
    expect(response.page.querySelector('[role="alert"]')?.text).toBe('This link has expired or was already used.')
    expect(response.page.querySelector('main a.button')?.getAttribute('href')).toBe('/forgot-password')
  }
})

test('gives the same response for an unknown email and sends nothing', async ({ shop }) => {
  const ada = await shop.customer()
  const registered = await asksForReset(shop, ada.email)
  const unknown = await asksForReset(shop, 'nobody@example.com')
  expect(unknown.response.status).toBe(registered.response.status)
  expect(unknown.response.text).toBe(registered.response.text)
  expect(await shop.emailsTo('nobody@example.com')).toEqual([])
})

test.for(['', '   ', 'jo', 'jo@shop', 'x'.repeat(100_000)])(
  'a reset for no address says so beside the field and in a toast (%#)',
  async (typed, { shop }) => {
    const browser = shop.visitor()
    const response = await browser.press(await browser.get('/forgot-password'), 'Send the link', { email: typed })
    expect(response.status).toBe(422)
    expect(response.page.querySelector('#email-error')?.textContent).toBe('Enter valid email address')
    expect(response.page.querySelector('[role="status"] .toast-error')?.text).toContain('Enter valid email address')
    expect((await browser.get('/forgot-password')).text).not.toContain('Enter valid email address')
  },
)

test('creates an account at the first Google sign-in and reuses it', async ({ shop }) => {
  const violin = await shop.sells()
  const browser = shop.visitor()
  const target = `/instruments/${violin}`
  const { response } = await signsInWithGoogle(
    browser,
    { email: 'grace@example.com' },
    (await browser.get(target)).path,
  )
  expect(response.path).toBe(target)
  expect(response.text).toContain('Grace')
  await signsInWithGoogle(shop.visitor(), { email: 'grace@example.com' })
  expect(await shop.deps.db.select().from(users)).toHaveLength(1)
})

test('without keys of Google there is no button, and its addresses are not found', async ({ shop }) => {
  const ada = await shop.customer()
  delete shop.vars.GOOGLE_CLIENT_ID
  delete shop.vars.GOOGLE_CLIENT_SECRET
  await shop.configure({})
  const browser = await shop.signedIn(ada)
  for (const path of ['/login/confirm', '/login', '/register']) {
    const { status, text } = await (path === '/login/confirm' ? browser : shop.visitor()).get(path)
    expect([path, status, text.includes('Google')]).toEqual([path, 200, false])
  }
  const headers = { origin: shop.deps.origin, accept: 'text/html' }
  const ask = async (path: string, method = 'GET') => (await browser.fetch(path, { method, headers })).status
  expect(await ask('/auth/google', 'POST')).toBe(404)
  expect(await ask('/auth/google')).toBe(404)
  expect(await ask('/auth/google/callback?code=x&state=y')).toBe(404)
})

test('refuses a Google sign-in without a verified email', async ({ shop }) => {
  const ada = await shop.customer()
  const browser = shop.visitor()
  const { response } = await signsInWithGoogle(browser, { email: ada.email, verified: false })
  expect([response.path, response.status]).toEqual(['/login?google=unverified', 401])
  expect(response.page.querySelector('form[action="/auth/google"] .error')?.text).toContain(
    'Google has not verified this email',
  )
  expect(await isIn(browser)).toBe(false)
  expect(await shop.deps.db.select().from(identities)).toEqual([])
})

test('asks for the password before it links a Google account whose address Google does not host', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const google = { email: ada.email, personal: true }
  const { response } = await signsInWithGoogle(shop.visitor(), google)
  expect([response.path, response.status]).toEqual(['/login?google=join', 401])
  expect(response.text).toContain('This email already has an account. Log in with its password')

  const linked = () => shop.deps.db.$count(identities)
  await shop.visitor().post('/login?google=join', { email: ada.email, password: ada.password })
  const { browser: beas, page } = { browser: shop.visitor(), page: async () => beas.get('/login?google=join') }
  await signsInWithGoogle(beas, google)
  await beas.press(await page(), 'Login', { email: bea.email, password: bea.password })
  const elsewhere = shop.visitor()
  await signsInWithGoogle(elsewhere, google)
  await elsewhere.press(await elsewhere.get('/login'), 'Login', { email: ada.email, password: ada.password })
  expect(await linked()).toBe(0)

  const browser = shop.visitor()
  const { response: asked } = await signsInWithGoogle(browser, google)
  const wrong = await browser.press(asked, 'Login', { email: ada.email, password: 'not the password' })
  expect(await linked()).toBe(0)
  const after = await browser.press(wrong, 'Login', { email: ada.email, password: ada.password })
  expect(after.text).toContain('You can log in with Google from now on.')
  const later = shop.visitor()
  await signsInWithGoogle(later, google)
  expect(await isIn(later)).toBe(true)
  expect(await linked()).toBe(1)
})

test('refuses a Google callback that is foreign, altered or repeated', async ({ shop }) => {
  const browser = shop.visitor()
  const { back } = await signsInWithGoogle(browser, { email: 'grace@example.com' })
  const path = back.pathname + back.search
  const otherVisitor = shop.visitor()
  expect((await otherVisitor.get(path)).path).toBe('/login?google=failed')
  expect(await isIn(otherVisitor)).toBe(false)

  // Login CSRF: the attacker's code in a browser with its own handshake.
  const victim = shop.visitor()
  await victim.press(await victim.get('/login'), 'Continue with Google')
  expect((await victim.get(path)).text).toContain('did not work')
  expect(await isIn(victim)).toBe(false)

  // The victim's state with an unused code of another verifier (PKCE).
  const attacker = shop.visitor()
  const otherFlow = await attacker.press(await attacker.get('/login'), 'Continue with Google')
  const { searchParams } = await chooseAtGoogle(otherFlow.location!, { email: 'grace@example.com' })
  const ownFlow = await victim.press(await victim.get('/login'), 'Continue with Google')
  const state = new URL(ownFlow.location!).searchParams.get('state')!
  const forgedQuery = new URLSearchParams({ state, code: searchParams.get('code')! })
  expect((await victim.get(`${back.pathname}?${forgedQuery.toString()}`)).text).toContain('did not work')
  expect(await isIn(victim)).toBe(false)

  await browser.press(await browser.get('/dashboard'), 'Sign Out')
  await browser.get(path)
  expect(await isIn(browser)).toBe(false)
})

test('reports that Google is unavailable and signs nobody in', async ({ shop }) => {
  await fetch(`${shop.sandbox.url}/faults`, {
    method: 'POST',
    body: JSON.stringify({ google: { failNext: 1, status: 500 } }),
    headers: { 'content-type': 'application/json' },
  })
  const browser = shop.visitor()
  const { response } = await signsInWithGoogle(browser, { email: 'grace@example.com' })
  expect(response.status).toBe(503)
  expect(response.text).toContain('Google is not responding. Nothing has changed. Try again in a minute')
  expect(await isIn(browser)).toBe(false)
})

// Account pre-hijacking: an attacker registers the owner's address first.

async function hijackerRegisters(shop: Shop, email: string) {
  const browser = shop.visitor()
  const hijacker = { email, password: 'the hijacker knows it' }
  await browser.press(await browser.get('/register'), 'Register', { name: 'Not Grace', ...hijacker })
  await browser.waitUntilIdle()
  const { token } = await issueAccessToken(shop.deps, sessionOf(browser))
  return { browser, hijacker, token, verifyLink: await linkTo(shop, email) }
}

async function expectNoWayIn(shop: Shop, { browser, hijacker, token }: Awaited<ReturnType<typeof hijackerRegisters>>) {
  expect(await isIn(browser)).toBe(false)
  await expect(shop.visitor().signIn(hijacker)).rejects.toThrow('Wrong email or password')
  const bearer = await shop
    .visitor()
    .fetch(`/admin/${hijacker.email}`, { headers: { authorization: `Bearer ${token}` } })
  expect(bearer.status).toBe(401)
}

test.for(['Google', 'a reset'])(
  'pre-hijack, order: %s cancels it, also when its payment had begun',
  async (way, { shop }) => {
    const { browser: hijacker } = await hijackerRegisters(shop, 'grace@example.com')
    const violin = await shop.sells({ stock: 10 })
    const parcel = { customerAddress: '1 Thief Lane', customerPhone: '07700 900999' }
    for (const orderQuantity of ['1', '2']) {
      await hijacker.press(await hijacker.get(`/instruments/${violin}`), 'Order Now', { orderQuantity, ...parcel })
    }
    const [grace] = await shop.deps.db.select().from(users)
    const [first] = await shop.ordersOf(grace!)
    await hijacker.press(await hijacker.get(`/dashboard/myOrders/payment/${first!.id}`), 'Pay on the secure page')
    if (way === 'Google') await signsInWithGoogle(shop.visitor(), { email: 'grace@example.com' })
    else {
      const { browser } = await asksForReset(shop, 'grace@example.com')
      const page = await browser.get(await linkTo(shop, 'grace@example.com'))
      await browser.press(page, 'Change my password', { password: 'the owner’s own' })
    }
    // The payment ends after the response.
    await expect
      .poll(async () => (await shop.ordersOf(grace!)).map(({ state }) => state))
      .toEqual(['cancelled', 'cancelled'])
    expect(await shop.stockOf(violin)).toBe(10)
    expect(JSON.stringify(await shop.emailsTo('grace@example.com'))).not.toContain('Thief Lane')
  },
)

test('pre-hijack, trojan: rejects a Google account with another email', async ({ shop }) => {
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

test('pre-hijack, blessing: does not verify the hijacker’s account when the owner opens the link', async ({ shop }) => {
  const hijack = await hijackerRegisters(shop, 'grace@example.com')
  const owner = shop.visitor()
  expect((await owner.get(hijack.verifyLink)).path).toMatch(/^\/login\?redirectTo=%2Fverify-email/)
  const token = hijack.verifyLink.split('token=')[1]!
  expect((await owner.post('/verify-email', { token })).path).toMatch(/^\/login/)
  const otherBrowser = await shop.visitor().signIn(await shop.customer())
  expect((await otherBrowser.post('/verify-email', { token })).status).toBe(409)
  await signsInWithGoogle(owner, { email: 'grace@example.com' })
  await expectNoWayIn(shop, hijack)
})

test('lists sessions and ends all others', async ({ shop }) => {
  const ada = await shop.customer()
  const [laptop, phone] = [await shop.visitor().signIn(ada), await shop.visitor().signIn(ada)]
  const page = await laptop.get('/dashboard/myProfile/sessions')
  expect(page.page.querySelectorAll('tbody tr')).toHaveLength(2)
  const after = await laptop.press(page, 'Sign out everywhere else')
  expect(after.text).toContain('You are signed out everywhere else.')
  expect([await isIn(laptop), await isIn(phone)]).toEqual([true, false])
})

test('ends one session in another browser', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const [laptop, phone] = [await shop.visitor().signIn(ada), await shop.visitor().signIn(ada)]
  const beas = await shop.visitor().signIn(bea)
  const page = await laptop.get('/dashboard/myProfile/sessions')
  const id = page.page.querySelector('input[name=session]')!.getAttribute('value')!
  await beas.post('/dashboard/myProfile/sessions', { session: id })
  expect(await isIn(phone)).toBe(true)
  const after = await laptop.press(page, 'Sign out there')
  expect(after.text).toContain('That browser is signed out.')
  expect([await isIn(laptop), await isIn(phone), await isIn(beas)]).toEqual([true, false, true])
})

test('revokes the token in the sign-out request, whatever else it contains', async ({ shop }) => {
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
  const badJson = await browser.fetch('/sign-out', { method: 'POST', body: '{', headers })
  expect([badJson.status, badJson.headers.get('location')]).toEqual([303, '/'])
  expect(await isIn(browser)).toBe(false)
})

function sessionOf(browser: TestBrowser): string {
  return JSON.parse(atob(decodeURIComponent(browser.cookie('session')!))) as string
}

test.for(['/login', '/register'])('%s shows and hides the password, and keeps the form', async (path, { shop }) => {
  const browser = shop.visitor()
  const typed = { email: 'ada@example.org', password: '<b>"open sesame"' }
  const shown = await browser.press(await browser.get(path), 'Show', typed)
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const fieldOf = (page: PageResponse, id: string) => page.page.querySelector(`#${id}`)!
  expect(fieldOf(shown, 'password').getAttribute('type')).toBe('text')
  expect(fieldOf(shown, 'password').getAttribute('value')).toBe(typed.password)
  expect(fieldOf(shown, 'email').getAttribute('value')).toBe(typed.email)
  const hidden = await browser.press(shown, 'Hide')
  expect(fieldOf(hidden, 'password').getAttribute('type')).toBe('password')
  expect(await shop.deps.db.$count(rateLimits)).toBe(0)
  const refused = await browser.press(hidden, path === '/login' ? 'Login' : 'Register', { email: 'ada' })
  expect(refused.status).toBe(422)
  expect(refused.html).not.toContain('sesame')
})

test('shows on the way to a purchase which instrument it is', async ({ shop }) => {
  const id = await shop.sells({ name: 'Violin' })
  for (const page of ['/login', '/register']) {
    for (const query of ['', '?quantity=2', '#form']) {
      const redirectTo = `/instruments/${id}${query}`
      const { text, page: html } = await shop.visitor().get(`${page}?${new URLSearchParams({ redirectTo })}`)
      expect(text).toMatch(/Violin\s+\$1,000.00 each, minimum order 1/)
      const ways = html.querySelectorAll('nav.ways a').map((way) => new URL(way.getAttribute('href')!, 'http://shop'))
      expect(ways.map(({ pathname, searchParams }) => [pathname, searchParams.get('redirectTo')])).toEqual([
        ['/login', redirectTo],
        ['/register', redirectTo],
      ])
    }
    const { text } = await shop.visitor().get(`${page}?redirectTo=/instruments/${id}/other`)
    expect(text).not.toContain('Violin')
    expect((await shop.visitor().get(`${page}?redirectTo=/instruments/gone`)).status).toBe(200)
  }
})
