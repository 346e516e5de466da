import { sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../app/db/open.server'
import { Google } from '../app/gateways/google.server'
import { imageChecker } from '../app/gateways/image-address.server'
import { resendEmail } from '../app/gateways/resend.server'
import { stripePayments } from '../app/gateways/stripe.server'

/* Nobody sees these numbers until a service is silent. The customer waits so long, and a run of the cron trigger for each call. */

const google = new Google(
  { clientId: 'id', clientSecret: 'secret', shopOrigin: 'https://shop.example' },
  { verifier: 'v', challenge: 'c' },
  () => Promise.resolve(null),
) as unknown as { userProfile: (token: string) => Promise<unknown> }
const stripe = stripePayments({ secretKey: 'sk_test_1', webhookSecret: 'w', shopOrigin: 'https://shop.example' })
const email = { id: 'e', recipient: 'ada@example.com', subject: 'Hello', text: 'x', html: 'x' }
const resend = resendEmail({ apiUrl: 'https://mail.example', apiKey: 're_1', from: 'shop@example.com' })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.for<[name: string, milliseconds: number, call: () => Promise<unknown>]>([
  // Twice at most, with a pause: less than 13 seconds.
  ['Stripe', 6_000, () => stripe.find('intent', 'pi_1')],
  ['Google', 10_000, () => google.userProfile('token')],
  ['Resend', 10_000, () => resend.send(email)],
  ['the database', 10_000, () => openDatabase({ url: 'https://database.example' }).run(sql`SELECT 1`)],
  ['the host of a picture', 3_000, () => imageChecker(undefined)('https://pictures.example/violin.png')],
])('waits for %s %i ms at most', async ([, milliseconds, call]) => {
  const limits: unknown[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    return new AbortController().signal
  })
  const setTimer = globalThis.setTimeout
  // The Stripe library has a timer of its own; the shorter ones are pauses before its second try.
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...rest: []) => {
    if (ms >= 1_000) limits.push(ms)
    return setTimer(run, ms, ...rest)
  })
  const fetched = vi.fn(() => Promise.reject(new TypeError('fetch failed')))
  vi.stubGlobal('fetch', fetched)
  await call().catch(() => undefined)
  expect(limits).toEqual(fetched.mock.calls.map(() => milliseconds))
  expect(fetched.mock.calls.length).toBe(milliseconds === 6_000 ? 2 : 1)
})
