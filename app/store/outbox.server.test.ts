import { expect } from 'vitest'
import type { SentMail } from '../../sandbox/mail'
import { payAt } from '../../tests/hosted-page'
import { test, type Store } from '../../tests/store'
import { newId } from './ids.server'
import { queueMail, sendWaitingMail } from './outbox.server'
import { startCheckout } from './payments.server'
import { placeOrder } from './placing.server'
import { settleOrder } from './settling.server'

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
  expect(told.map((each) => each.sent).reduce((total, each) => total + each)).toBe(45)
  expect([sent.length, new Set(sent).size]).toEqual([45, 45])
})

test('letters that the provider does not take keep none that come after them', async ({ shop }) => {
  await fill(shop.deps, 30)
  const sent: string[] = []
  const reported: string[] = []
  const mail = {
    send(letter: { id: string }) {
      if (Number(letter.id.split(':')[1]) < 15) return Promise.reject(new Error('The mail provider answered 500'))
      sent.push(letter.id)
      return Promise.resolve()
    },
  }
  let clock = Date.now()
  const picky = { ...shop.deps, mail, now: () => clock, report: (what: string) => void reported.push(what) }
  expect(await sendWaitingMail(picky)).toEqual({ sent: 5 })
  expect(await sendWaitingMail(picky)).toEqual({ sent: 10 })
  expect(sent).toEqual(Array.from({ length: 15 }, (_, at) => `letter:${at + 15}`))
  // What was refused waits for a minute, and then for longer.
  for (const [wait, tried] of [
    [59_000, 15],
    [1_000, 30],
    [61_000, 30],
    [59_000, 45],
  ] as const) {
    clock += wait
    await sendWaitingMail(picky)
    expect(reported).toHaveLength(tried)
  }
})

/** So many letters wait, the first the oldest. */
async function fill(deps: Store['deps'], count: number) {
  const at = Date.now() - 60_000
  for (let each = 0; each < count; each++) {
    const letter = { id: `letter:${each}`, recipient: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '' }
    await queueMail({ db: deps.db, now: () => at + each }, letter)
  }
}
