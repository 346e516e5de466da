import { aPaidOrder, anOrder } from '../../../../tests/support/payments'
import { expect, test, type Store } from '../../../../tests/support/store'
import { deliverPendingEmails } from '../../operations/deliver-email.server'
import { limits } from '../../shared/limits'
import { shipOrder } from '../manage-order.server'
import { sendReceiptAgain } from './send-receipt.server'

const noon = Date.UTC(2030, 5, 1, 12)
const at = ({ deps }: Store, ms: number) => ({ ...deps, now: () => noon + ms })
const receipts = async (shop: Store, { email }: { email: string }) =>
  (await shop.emailsTo(email)).filter(({ subject }) => subject.startsWith('Receipt: '))

test('emails the receipt again, and once for all presses within a minute', async ({ shop }) => {
  const { customer, id } = await aPaidOrder(shop)
  await deliverPendingEmails(shop.deps)
  expect(await receipts(shop, customer)).toHaveLength(1)
  // Around the end of a minute.
  for (const ms of [59_000, 59_000, 60_000, 61_000])
    expect(await sendReceiptAgain(at(shop, ms), customer, id)).toEqual({ recipient: customer.email })
  await deliverPendingEmails(at(shop, 61_000))
  const [again, first, ...others] = await receipts(shop, customer)
  expect(others).toEqual([])
  expect([again!.subject, again!.text]).toEqual([first!.subject, first!.text])
  await shipOrder(shop.deps, await shop.admin(), id)
  await sendReceiptAgain(at(shop, 180_000), customer, id)
  await deliverPendingEmails(at(shop, 180_000))
  expect(await receipts(shop, customer)).toHaveLength(3)
})

test('emails it to nobody else, and none before the payment', async ({ shop }) => {
  const { customer, id } = await aPaidOrder(shop)
  await deliverPendingEmails(shop.deps)
  const unpaid = await anOrder(shop)
  const notFound = { code: 'not-found' }
  await expect(sendReceiptAgain(shop.deps, unpaid.customer, id)).rejects.toMatchObject(notFound)
  await expect(sendReceiptAgain(shop.deps, customer, 'none')).rejects.toMatchObject(notFound)
  await expect(sendReceiptAgain(shop.deps, unpaid.customer, unpaid.id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is not paid, so it has no receipt.',
  })
  await deliverPendingEmails(shop.deps)
  expect(await receipts(shop, customer)).toHaveLength(1)
  expect(await receipts(shop, unpaid.customer)).toHaveLength(0)
})

test('counts the presses of an account', async ({ shop }) => {
  const { customer, id } = await aPaidOrder(shop)
  const { max } = limits.receiptsAgainOfAccount
  for (let nth = 0; nth < max; nth++) await sendReceiptAgain(at(shop, nth * 120_000), customer, id)
  await expect(sendReceiptAgain(at(shop, max * 120_000), customer, id)).rejects.toMatchObject({ code: 'too-many' })
  await sendReceiptAgain(at(shop, limits.receiptsAgainOfAccount.window), customer, id)
})
