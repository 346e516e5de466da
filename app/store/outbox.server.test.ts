import { expect } from 'vitest'
import type { SentMail } from '../../sandbox/mail'
import { payAt } from '../../tests/hosted-page'
import { test, type Shop } from '../../tests/shop'
import { newId } from './ids.server'
import { queueMail, sendWaitingMail } from './outbox.server'
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

test('several senders at once share the letters, and send none twice', async ({ shop }) => {
  await fill(shop.deps, 45)
  const sent: string[] = []
  const mail = {
    send(letter: { id: string }) {
      sent.push(letter.id)
      return Promise.resolve()
    },
  }
  const told = await Promise.all([1, 2, 3, 4].map(() => sendWaitingMail({ ...shop.deps, mail })))
  expect(told.map((each) => each.sent).sort()).toEqual([0, 20, 20, 5].sort())
  expect([sent.length, new Set(sent).size]).toEqual([45, 45])
})

test('a provider that is slow gets few letters at a time, the oldest first, and the others later', async ({ shop }) => {
  await fill(shop.deps, 5)
  let clock = Date.now()
  const sent: string[] = []
  const mail = {
    send(letter: { id: string }) {
      sent.push(letter.id)
      clock += 20_000
      return Promise.resolve()
    },
  }
  const slow = { ...shop.deps, mail, now: () => clock }
  expect(await sendWaitingMail(slow)).toEqual({ sent: 2 })
  expect(sent).toEqual(['letter:0', 'letter:1'])
  expect(await sendWaitingMail(slow)).toEqual({ sent: 0 })
  clock += 60_000
  expect(await sendWaitingMail(slow)).toEqual({ sent: 2 })
  expect(sent).toEqual(['letter:0', 'letter:1', 'letter:2', 'letter:3'])
})

/** So many letters wait, the first the oldest. */
async function fill(deps: Shop['deps'], count: number) {
  const at = Date.now() - 60_000
  for (let each = 0; each < count; each++) {
    const letter = { id: `letter:${each}`, recipient: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '' }
    await queueMail({ db: deps.db, now: () => at + each }, letter)
  }
}
