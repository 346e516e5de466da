import { expect, test } from 'vitest'
import { openSandbox, payOnPage, violins } from '../../testing/fixture'

async function openCheckout(changes: object = {}) {
  const sandbox = await openSandbox()
  const session = await sandbox.stripe.checkout.sessions.create({ ...violins, ...changes })
  return { ...sandbox, session, page: session.url! }
}

const alerts = (document: string) => [...document.matchAll(/role="alert">([^<]*)</g)].map(([, words]) => words)

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

test('pays once for ten concurrent submits and redirects all of them', async () => {
  const { page, ledger } = await openCheckout()
  const responses = await Promise.all(Array.from({ length: 10 }, () => payOnPage(page)))
  expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1)
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened', 'created', 'succeeded', 'closed'])
})
