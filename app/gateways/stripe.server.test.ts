import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { stripePayments } from './stripe.server'

/** A Stripe that has made no refund yet, and whose new ones have this status. */
async function stripeWhoseRefundsAre(status: string) {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const list = { object: 'list', data: [], has_more: false }
    response.end(JSON.stringify(request.method === 'GET' ? list : { object: 'refund', id: 're_1', status }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    payments: stripePayments({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiUrl: `http://127.0.0.1:${port}`,
      shopOrigin: 'http://shop.invalid',
    }),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

test('a refund that has failed at once is not taken for made', async () => {
  const { payments, stop } = await stripeWhoseRefundsAre('failed')
  await expect(payments.refund({ transactionId: 'pi_1', amountCents: 5_00 })).rejects.toThrow('has failed')
  await stop()
})

test('a refund that is on its way counts as made', async () => {
  const { payments, stop } = await stripeWhoseRefundsAre('pending')
  expect(await payments.refund({ transactionId: 'pi_1', amountCents: 5_00 })).toEqual({ refundId: 're_1' })
  await stop()
})
