import { expect } from 'vitest'
import type { SentMail } from '../../sandbox/mail'
import { payAt } from '../../tests/hosted-page'
import { test } from '../../tests/shop'
import { newId } from './ids.server'
import { sendWaitingMail } from './outbox.server'
import { settleOrder, startCheckout } from './payments.server'
import { placeOrder } from './placing.server'

test('a letter that was taken but not written down as sent is at rest, though its order has gone on since', async ({
  shop,
}) => {
  const customer = await shop.customer()
  const { id } = await placeOrder(shop.deps, customer, {
    instrumentId: await shop.sells(),
    submissionId: newId(),
    orderQuantity: 1,
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
    replaceUnpaid: false,
  })
  const { mail } = shop.deps
  const dying = {
    async send(letter: Parameters<typeof mail.send>[0]) {
      await mail.send(letter)
      throw new Error('The Worker ends here')
    },
  }
  await sendWaitingMail({ ...shop.deps, mail: dying })
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  expect(await settleOrder(shop.deps, id)).toBe('paid')

  const later = { ...shop.deps, now: () => Date.now() + 10 * 60_000 }
  expect(await sendWaitingMail(later)).toEqual({ sent: 2 })
  const inbox = await (await fetch(`${shop.sandbox.url}/mail?to=${customer.email}`)).json<SentMail[]>()
  expect(inbox.map(({ subject }) => subject.split(':')[0])).toEqual(['Receipt', 'Your order'])
})
