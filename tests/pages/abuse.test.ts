import { rateLimits } from '../../app/db/schema'
import { orderLimits, quarterHour } from '../../app/store/shared/limits'
import { newId } from '../../app/store/shared/ids.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { expect, test, type Shop, parcel } from '../support/shop'
import { isWhole } from '../support/depth'

const password = 'correct horse'

/** A request without a page, from an address. */
function post(
  shop: Shop,
  path: string,
  fields: Record<string, string>,
  ip: string,
  headers: Record<string, string> = {},
) {
  const from = { 'cf-connecting-ip': ip, origin: shop.deps.origin, accept: 'text/html' }
  const body = new URLSearchParams(fields)
  return fetch(shop.deps.origin + path, { method: 'POST', redirect: 'manual', body, headers: { ...from, ...headers } })
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0]!)
    .join('; ')
}

async function registers(shop: Shop, email: string, ip: string, name = 'A Pupil'): Promise<string> {
  const response = await post(shop, '/register', { name, email, password }, ip)
  expect(response.status).toBe(303)
  return cookiesOf(response)
}

async function orders(shop: Shop, cookie: string, instrument: string, quantity: number, ip: string): Promise<number> {
  const fields = { orderQuantity: String(quantity), submissionId: newId(), ...parcel }
  return (await post(shop, `/instruments/${instrument}`, fields, ip, { cookie })).status
}

test.runIf(isWhole)(
  'a school behind one address: the last 40 of 200 pupils register and order within an hour',
  async ({ shop }) => {
    await shop.visitor().get('/healthz')
    const violin = await shop.sells({ stock: 1000 })
    const school = '203.0.113.9'
    const hour = 60 * 60 * 1000
    const until = (Math.floor(Date.now() / hour) + 1) * hour
    const before = [until, until + hour].map((until) => ({ key: `register:ip:${school}`, until, count: 160 }))
    await shop.deps.db.insert(rateLimits).values(before)
    for (const pupil of await Promise.all(Array.from({ length: 160 }, () => shop.user({ verified: false })))) {
      await placeOrder({ ...shop.deps, ip: school }, pupil, {
        ...{ instrumentId: violin, orderQuantity: 1, submissionId: newId() },
        ...parcel,
      })
    }
    const placed: number[] = []
    for (let group = 0; group < 10; group++) {
      await Promise.all(
        Array.from({ length: 4 }, async (_, nth) => {
          const cookie = await registers(shop, `pupil${group * 4 + nth}@example.com`, school)
          placed.push(await orders(shop, cookie, violin, 1 + (nth % 2), school))
        }),
      )
    }
    expect(placed).toEqual(Array<number>(40).fill(303))
    expect(await shop.stockOf(violin)).toBe(1000 - 160 - 60)
  },
)

test('an account that nobody verified holds little, and mails nobody', async ({ shop }) => {
  await shop.visitor().get('/healthz')
  const instruments = await Promise.all(Array.from({ length: 24 }, () => shop.sells({ stock: 37 })))
  const words = 'Your parcel is held: visit https://thief.example'
  const cookie = await registers(shop, 'victim@example.com', '198.51.100.7', words)
  const answers = await Promise.all(instruments.map((each) => orders(shop, cookie, each, 37, '198.51.100.7')))
  expect(new Set(answers)).toEqual(new Set([422]))
  const smaller = await Promise.all(instruments.map((each) => orders(shop, cookie, each, 18, '198.51.100.7')))
  expect(smaller.filter((status) => status === 303)).toHaveLength(orderLimits.unverified.unpaidOrders)
  const left = await Promise.all(instruments.map((each) => shop.stockOf(each)))
  expect(left.reduce((sum, pieces) => sum + pieces, 0)).toBe(24 * 37 - 3 * 18)
  const received = await shop.emailsTo('victim@example.com')
  expect(received.map(({ subject }) => subject)).toEqual(['Please verify your email'])
  expect(JSON.stringify(received)).not.toContain('parcel')
})

test.runIf(isWhole)(
  'an owner under attack from 100 networks signs in and resets the password',
  async ({ shop }) => {
    await shop.visitor().get('/healthz')
    const ada = await shop.customer()
    const guess = (ip: string) => post(shop, '/login', { email: ada.email, password: 'a wrong guess' }, ip)
    const attack = async () => {
      const statuses: number[] = []
      for (let network = 0; network < 100; network++) {
        const guesses = [1, 2].map((nth) =>
          guess(network % 2 ? `2001:db8:${network}:${nth}::1` : `198.51.${network}.${nth}`),
        )
        statuses.push(...(await Promise.all(guesses)).map(({ status }) => status))
      }
      return statuses
    }
    const quarter = () => Math.floor(Date.now() / quarterHour)
    const begun = quarter()
    let statuses = await attack()
    // The Worker begins to count anew at each quarter of an hour.
    const isTurned = quarter() !== begun
    if (isTurned) statuses = await attack()
    if (!isTurned) expect(statuses.filter((status) => status === 401)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(100)

    const owner = shop.visitor()
    const refused = await owner.press(await owner.get('/login'), 'Login', { email: ada.email, password: ada.password })
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('open the link in the email that we sent you')
    const [mail, ...more] = await shop.emailsTo(ada.email)
    if (!isTurned) expect(more).toEqual([])
    const link = /http\S+device=\S+/.exec(mail!.text)![0]
    const login = await owner.get(link.slice(shop.deps.origin.length))
    expect(login.text).toContain('You can log in now.')
    const home = await owner.press(login, 'Login', { email: ada.email, password: ada.password })
    expect(home.path).toBe('/dashboard')

    for (let nth = 0; nth < 30; nth++) await post(shop, '/forgot-password', { email: ada.email }, `203.0.113.${nth}`)
    const anew = shop.visitor()
    const asked = await anew.press(await anew.get('/forgot-password'), 'Send the link', { email: ada.email })
    expect(asked.status).toBe(200)
    const resets = (await shop.emailsTo(ada.email)).filter(({ subject }) => subject === 'Choose a new password')
    expect(resets).toHaveLength(3)
    const reset = /http\S+token=\S+/.exec(resets[0]!.text)![0].slice(shop.deps.origin.length)
    const done = await anew.press(await anew.get(reset), 'Change my password', { password: 'a new password' })
    const within = await anew.press(done, 'Login', { email: ada.email, password: 'a new password' })
    expect(within.path).toBe('/dashboard')
  },
  300_000,
)

test('refuses common passwords and the shop’s name at the register form', async ({ shop }) => {
  const visitor = shop.visitor()
  const form = await visitor.get('/register')
  const filled = { name: ' CÁDENZA!', email: 'eve@example.com', password: '123456' }
  const refused = await visitor.press(form, 'Register', filled)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('This name belongs to the shop')
  const named = await visitor.press(refused, 'Register', { name: 'Eve Cadenza', password: '123456' })
  expect(named.text).toContain('This password is too common.')
  const done = await visitor.press(named, 'Register', { password: 'eight violas' })
  expect(done.path).toBe('/dashboard')
})
