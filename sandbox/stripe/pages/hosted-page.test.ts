import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openSandbox, payOnPage, violins } from '../../testing/fixture'

async function openCheckout(changes: object = {}) {
  const sandbox = await openSandbox()
  const session = await sandbox.stripe.checkout.sessions.create({ ...violins, ...changes })
  return { ...sandbox, session, page: session.url! }
}

const alerts = (document: string) => [...document.matchAll(/role="alert">([^<]*)</g)].map(([, words]) => words)

test('shows the items on a page without scripts that says no money moves', async () => {
  const { page } = await openCheckout()
  const response = await fetch(page)
  const document = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none';.*form-action 'self' http:\/\/127\.0\.0\.1:8788/,
  )
  for (const text of [
    '<title>Pay Cadenza (sandbox)</title>',
    'no money moves',
    'Concert Violin 4/4',
    '$617.25',
    '$1,234.50',
    'ada@example.com',
    'Pay $1,234.50</button>',
    'Back to the shop',
  ]) {
    expect(document).toContain(text)
  }
  expect(document).not.toContain('<script')
})

test('allows only its own style in the content security policy', async () => {
  const { page } = await openCheckout()
  const response = await fetch(page)
  const style = /<style>([^]*)<\/style>/.exec(await response.text())![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
})

test.each([
  ['4000 0000 0000 0002', 'Your card was declined.'],
  ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
])('declines %s with "%s", and another card pays', async (cardNumber, message) => {
  const { page, stripe, session, ledger } = await openCheckout()
  const declined = await payOnPage(page, { cardNumber })
  const document = await declined.text()
  expect(declined.status).toBe(402)
  expect(alerts(document)).toEqual([message.replace("'", '&#39;')])
  expect(document).toContain(`value="${cardNumber}"`)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open', payment_intent: null })

  expect((await payOnPage(page)).status).toBe(303)
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened', 'created', 'failed', 'succeeded', 'closed'])
  expect(new Set((await ledger()).flatMap(({ paymentIntent }) => paymentIntent ?? [])).size).toBe(1)
})

test.each([
  [{ cardNumber: '6011 1111 1111 1117' }, 'Your card number is incorrect.'],
  [{ cardNumber: '4242 4242 4242 4241' }, 'Your card number is invalid.'],
  [{ cardNumber: '4242 4242' }, 'Your card number is incomplete.'],
  [{ cardNumber: 'violin' }, 'Your card number is invalid.'],
  [{ cardExpiry: '12' }, "Your card's expiration date is incomplete."],
  [{ cardExpiry: '13 / 34' }, "Your card's expiration month is invalid."],
  [{ cardExpiry: '12 / 20' }, "Your card's expiration year is in the past."],
  [{ cardCvc: '12' }, "Your card's security code is incomplete."],
  [{ cardCvc: 'abc' }, "Your card's security code is invalid."],
  [{ billingName: ' ' }, 'Your name is missing.'],
])('rejects a form with %j: "%s"', async (changes, message) => {
  const { page, ledger } = await openCheckout()
  const response = await payOnPage(page, changes)
  expect(response.status).toBe(422)
  expect(alerts(await response.text())).toEqual([message.replace("'", '&#39;')])
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened'])
})

test('keeps the form input, escaped, but not the CVC', async () => {
  const { page } = await openCheckout()
  const response = await payOnPage(page, { cardNumber: '', cardCvc: '987', billingName: '"><script>alert(1)</script>' })
  const document = await response.text()
  expect(document).toContain('value="12 / 34"')
  expect(document).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(document).not.toContain('987')
})

test('pays once for ten concurrent submits and redirects all of them', async () => {
  const { page, ledger } = await openCheckout()
  const responses = await Promise.all(Array.from({ length: 10 }, () => payOnPage(page)))
  expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1)
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened', 'created', 'succeeded', 'closed'])
})

test('redirects from a paid page, and answers 404 for an unknown one', async () => {
  const { page, url } = await openCheckout()
  await payOnPage(page)
  const again = await fetch(page, { redirect: 'manual' })
  expect(again.status).toBe(303)
  expect(again.headers.get('location')).toContain('/paid?session_id=cs_test_')
  expect((await fetch(`${url}/checkout/cs_test_nothing`)).status).toBe(404)
})

test('asks for an email if the shop sent none', async () => {
  const { page, stripe, session } = await openCheckout({ customer_email: undefined })
  expect(await (await fetch(page)).text()).toContain('<label for="email">Email</label>')
  expect(alerts(await (await payOnPage(page)).text())).toEqual(['Your email is incomplete.'])
  expect((await payOnPage(page, { email: 'grace@example.com' })).status).toBe(303)
  expect((await stripe.checkout.sessions.retrieve(session.id)).customer_details?.email).toBe('grace@example.com')
})
