import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '../app/db/open.server'
import { Google } from '../app/gateways/google.server'
import { resendEmail } from '../app/gateways/resend.server'
import { stripePayments } from '../app/gateways/stripe.server'
import { listen } from './support/listen'

class OpenGoogle extends Google<null> {
  exchange = () => this.fetchAccessToken('code', new URLSearchParams())
  read = () => this.userProfile('token')
}

function google(url: string) {
  const account = { clientId: 'id', clientSecret: 'secret', shopOrigin: 'https://shop.example', url }
  return new OpenGoogle(account, { verifier: 'v', challenge: 'c' }, () => Promise.resolve(null))
}

const email = { id: 'e1', recipient: 'ada@example.com', subject: 'Hello', text: 'Text', html: '<p>Text</p>' }

test.for<[string, (url: string) => Promise<unknown>]>([
  ['the database', (url) => openDatabase({ url, authToken: 't' }).all(sql`SELECT 1`)],
  ['Resend', (apiUrl) => resendEmail({ apiUrl, apiKey: 're_1', from: 'shop@cadenza.example' }).send(email)],
  [
    'Stripe',
    (apiUrl) =>
      stripePayments({ secretKey: 'sk_1', webhookSecret: 'w', apiUrl, shopOrigin: '' }).find('intent', 'pi_1'),
  ],
  ['Google’s token endpoint', (url) => google(url).exchange()],
  ['Google’s userinfo endpoint', (url) => google(url).read()],
])('the client of %s does not follow a redirect with its key', async ([, call]) => {
  const asked: string[] = []
  const elsewhere = await listen((request, response) => {
    asked.push(`elsewhere ${request.url}`)
    response.end('{}')
  })
  const url = await listen((request, response) => {
    asked.push('here')
    response.writeHead(307, { location: `${elsewhere}${request.url}` }).end()
  })
  await expect(call(url)).rejects.toThrow()
  expect(asked[0]).toBe('here')
  expect(asked.filter((place) => place !== 'here')).toEqual([])
})
