import { eq } from 'drizzle-orm'
import { emails, orderRefunds, orders } from '../../db/schema'
import { aPaidOrder, anOrder, refundAtStripe, refundsAtStripe } from '../../../tests/support/payments'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { expect, test, type Store } from '../../../tests/support/store'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { ProviderError, type Deps } from '../deps'
import { newId } from '../shared/ids.server'
import { readOrderHistory } from '../orders/history.server'
import { shipOrder } from '../orders/manage-order.server'
import { runScheduledTasks } from '../operations/scheduled-tasks.server'
import { NewRefund, refundErrors, refundOrder, retryOrderRefunds } from './order-refunds.server'
import { checkRefunds } from './provider-refunds.server'
import { handleWebhookEvent } from './stripe-events.server'

const input = (amount: number, more: Partial<NewRefund> = {}): NewRefund => ({
  submissionId: newId(),
  amount,
  reason: 'Dent in the bell',
  ...more,
})

const rowsOf = (shop: Store) => shop.deps.db.select().from(orderRefunds)
const refundedOf = async (shop: Store, id: string) =>
  (await shop.deps.db.select({ cents: orders.refundedCents }).from(orders).where(eq(orders.id, id)))[0]!.cents

/** A payment that the fake provider knows nothing about. */
async function anOrderPaidBy(shop: Store, transactionId: string) {
  const order = await anOrder(shop)
  const paid = { state: 'paid' as const, paidAt: 1, transactionId, movedBy: 'stripe' }
  await shop.deps.db.update(orders).set(paid).where(eq(orders.id, order.id))
  return { ...order, admin: await shop.admin() }
}

test('makes one refund from ten parallel submissions of a form, and tells the customer once', async ({ shop }) => {
  const { id, violin, customer, transactionId } = await aPaidOrder(shop, { stock: 10 })
  const admin = await shop.admin()
  const form = input(120_50, { restock: 1 })
  const counted: string[] = []
  const deps = { ...shop.deps, count: (event: string) => void counted.push(event) }
  const presses = await Promise.all(Array.from({ length: 10 }, () => refundOrder(deps, admin, id, form)))
  expect(counted).toEqual(['refund'])
  expect(presses.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
  expect(await refundOrder(shop.deps, admin, id, form)).toEqual({ state: 'made', isRepeat: true })
  const message = 'You have already made a refund with this form. Send it again to refund more.'
  for (const more of [{ amount: 1 }, { restock: 0 }, { reason: 'Another' }])
    await expect(refundOrder(shop.deps, admin, id, { ...form, ...more })).rejects.toMatchObject({
      isUsed: true,
      message,
    })
  await expect(refundOrder(shop.deps, admin, 'none', input(1))).rejects.toMatchObject({
    ...{ code: 'not-found', message: 'There is no such order.' },
  })

  expect(await refundsAtStripe(shop, transactionId)).toMatchObject([{ amount: 120_50 }])
  expect(await rowsOf(shop)).toMatchObject([{ amountCents: 120_50, restock: 1, movedBy: admin.id, failedAt: null }])
  expect(await shop.stockOf(violin)).toBe(9)
  // The order, its payment and the refund.
  expect(shop.invalidated.filter((what) => what === 'stock')).toHaveLength(3)
  expect(await shop.ordersOf(customer)).toMatchObject([
    { state: 'paid', transactionId, refundedCents: 120_50, returnedQuantity: 1 },
  ])
  await deliverPendingEmails(shop.deps)
  const messages = (await shop.emailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Refund'))
  expect(messages).toMatchObject([{ subject: 'Refund: $120.50 for C-1001' }])
  expect(messages[0]!.text).toContain('Reason: Dent in the bell')
})

test('refunds nothing for an admin who lost the role after the check of the request', async ({ shop }) => {
  const { id, customer } = await aPaidOrder(shop)
  await expect(refundOrder(shop.deps, customer, id, input(1_00))).rejects.toMatchObject({ code: 'forbidden' })
  expect(await rowsOf(shop)).toEqual([])
})

test('refuses more money or pieces than are left, and refunds the rest to the cent', async ({ shop }) => {
  const left = { totalCents: 9, refundedCents: 4, quantity: 3, returnedQuantity: 1 }
  expect(refundErrors(left, { amount: 5, restock: 2 })).toEqual({})
  const { id, transactionId } = await aPaidOrder(shop)
  const admin = await shop.admin()
  await refundOrder(shop.deps, admin, id, input(300_00, { restock: 1 }))
  await expect(refundOrder(shop.deps, admin, id, input(200_01, { restock: 2 }))).rejects.toMatchObject({
    fields: { amount: ['At most $200.00 is left to refund'], restock: ['At most 1 can go back to stock'] },
  })
  const races = await Promise.allSettled([1, 2, 3].map(() => refundOrder(shop.deps, admin, id, input(150_00))))
  expect(races.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await refundOrder(shop.deps, admin, id, input(50_00, { restock: 1 }))
  expect((await refundsAtStripe(shop, transactionId)).reduce((sum, { amount }) => sum + amount, 0)).toBe(500_00)
  await expect(shipOrder(shop.deps, admin, id)).rejects.toMatchObject({ message: /nothing to ship/ })

  const unpaid = await anOrder(shop)
  await expect(refundOrder(shop.deps, admin, unpaid.id, input(1))).rejects.toMatchObject({ code: 'conflict' })
  await expect(refundOrder(shop.deps, admin, 'none', input(1))).rejects.toMatchObject({ code: 'not-found' })
})

test('refuses pieces for which the stock has no room', async ({ shop }) => {
  const { id, violin } = await aPaidOrder(shop)
  const addStock = 1_000_000 - (await shop.stockOf(violin))
  await shop.deps.db.run(
    `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta) VALUES (1, 'stock counted', 'test', '${violin}', ${addStock})`,
  )
  await expect(refundOrder(shop.deps, await shop.admin(), id, input(1, { restock: 1 }))).rejects.toMatchObject({
    message: 'The stock has no room for these pieces.',
  })
  expect(await refundedOf(shop, id)).toBe(0)
})

test('owes a refund while Stripe is unavailable, and makes it once later', async ({ shop }) => {
  const { id, customer, transactionId } = await aPaidOrder(shop)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  const form = input(500_00)
  expect(await refundOrder(shop.deps, await shop.admin(), id, form)).toMatchObject({ state: 'owed', isRepeat: false })
  expect(await refundedOf(shop, id)).toBe(500_00)
  const messages = async () => {
    await deliverPendingEmails(shop.deps)
    return (await shop.emailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Refund')).length
  }
  expect([await messages(), await refundsAtStripe(shop, transactionId)]).toEqual([0, []])
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await Promise.all([1, 2, 3].map(() => runScheduledTasks(shop.deps)))
  await runScheduledTasks(shop.deps)
  expect(await refundsAtStripe(shop, transactionId)).toHaveLength(1)
  expect(await messages()).toBe(1)
})

test('finds a refund whose response was lost', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const refundPart: Deps['payments']['refundPart'] = async (part) => {
    await shop.deps.payments.refundPart(part)
    throw new ProviderError('the connection broke', { final: true })
  }
  const deps = { ...shop.deps, payments: { ...shop.deps.payments, refundPart } }
  const admin = await shop.admin()
  expect(await refundOrder(deps, admin, id, input(20_00))).toMatchObject({ state: 'owed' })
  await refundOrder(deps, admin, id, input(20_00))
  await retryOrderRefunds(shop.deps, 10)
  const made = await refundsAtStripe(shop, transactionId)
  expect(made).toHaveLength(2)
  expect((await rowsOf(shop)).map(({ refundId }) => refundId).sort()).toEqual(made.map((refund) => refund.id).sort())
})

test('stores a refund first, and uses a new idempotency key only after a final response', async ({ shop }) => {
  const { deps, errors, calls, refunds } = fakeProvider(shop)
  const order = await anOrderPaidBy(shop, 'pi_1')
  const keys = () => calls.filter((call) => call.startsWith('refundPart'))
  errors.listRefunds = new TypeError('a bug')
  await expect(refundOrder({ ...deps, now: () => 1000 }, order.admin, order.id, input(7_00))).rejects.toThrow(TypeError)
  expect(await rowsOf(shop)).toMatchObject([{ amountCents: 7_00, createdAt: 1000, refundId: null, tries: 0 }])
  delete errors.listRefunds
  for (const final of [false, true, false]) {
    errors.refundPart = new ProviderError('no', { final })
    await retryOrderRefunds(deps, 1)
  }
  expect(keys()).toEqual(['refundPart pi_1 700 0', 'refundPart pi_1 700 0', 'refundPart pi_1 700 1'])
  delete errors.refundPart
  await retryOrderRefunds({ ...deps, now: () => 3000 }, 1)
  const [row] = await rowsOf(shop)
  expect(row).toMatchObject({ refundId: `re_of_${row!.id}`, madeAt: 3000 })
  const callCount = calls.length
  await retryOrderRefunds(deps, 9)
  expect(calls).toHaveLength(callCount)
  // A failed refund of our own that never was recorded: the next try makes another one.
  errors.refundPart = new ProviderError('failed', { final: true })
  await refundOrder(deps, order.admin, order.id, input(1_00))
  const owed = (await rowsOf(shop)).find(({ refundId }) => refundId === null)!
  delete errors.refundPart
  refunds.push({ refundId: 're_f', transactionId: 'pi_1', amountCents: 1_00, isFailed: true, ownId: owed.id })
  await retryOrderRefunds(deps, 9)
  expect(keys().at(-1)).toBe('refundPart pi_1 100 1')
})

test('records a refund that the shopkeeper made at Stripe, from the cron trigger or a webhook', async ({ shop }) => {
  const [first, second] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  await refundAtStripe(shop, first.transactionId, 30_00)
  await refundAtStripe(shop, second.transactionId, 40_00)
  const [atStripe] = await refundsAtStripe(shop, second.transactionId)
  const about = { kind: 'refund' as const, id: atStripe!.id }
  await handleWebhookEvent(shop.deps, { id: 'evt_1', type: 'refund.created', about })
  expect([await refundedOf(shop, first.id), await refundedOf(shop, second.id)]).toEqual([0, 40_00])
  await Promise.all([checkRefunds(shop.deps), checkRefunds(shop.deps)])
  expect([await refundedOf(shop, first.id), await refundedOf(shop, second.id)]).toEqual([30_00, 40_00])
  expect((await readOrderHistory(shop.deps, { role: 'admin' }, first.id))!.refunds).toMatchObject([
    { amountCents: 30_00, reason: '', actor: 'stripe', restock: 0, failedAt: null },
  ])
  await deliverPendingEmails(shop.deps)
  expect((await shop.emailsTo(first.customer.email))[0]!.subject).toBe('Refund: $30.00 for C-1001')
})

test('gives up an owed refund for which Stripe has no money left, unless it turns out to be made', async ({ shop }) => {
  const { deps, errors, calls, refunds } = fakeProvider(shop)
  const order = await anOrderPaidBy(shop, 'pi_1')
  errors.refundPart = new ProviderError('no answer', { final: false })
  await refundOrder({ ...deps, now: () => 1000 }, order.admin, order.id, input(200_00))
  const [owed] = await rowsOf(shop)
  delete errors.refundPart
  const tries = () => calls.filter((call) => call.startsWith('refundPart')).length
  const elsewhere = { transactionId: 'pi_1', isFailed: false, ownId: null }
  refunds.push({ ...elsewhere, refundId: 're_some', amountCents: 100_00 })
  await checkRefunds({ ...deps, now: () => 4000 })
  expect((await rowsOf(shop)).map(({ failedAt }) => failedAt)).toEqual([null, null])
  refunds.push({ ...elsewhere, refundId: 're_more', amountCents: 300_00 })
  await retryOrderRefunds({ ...deps, now: () => 5000 }, 9)
  await checkRefunds(deps)
  expect((await readOrderHistory(deps, { role: 'admin' }, order.id))!.refunds).toMatchObject([
    { id: owed!.id, refundId: null, failedAt: 5000 },
    { id: 're_some', amountCents: 100_00, failedAt: null },
    { id: 're_more', amountCents: 300_00, failedAt: null },
  ])
  expect([await refundedOf(shop, order.id), tries()]).toEqual([400_00, 1])

  // That refund fails, and ours was made after all.
  refunds[1]!.isFailed = true
  refunds.unshift({ ...elsewhere, refundId: 're_own', amountCents: 200_00, ownId: owed!.id })
  await checkRefunds({ ...deps, now: () => 6000 })
  await checkRefunds({ ...deps, now: () => 7000 })
  expect((await rowsOf(shop)).map(({ refundId, madeAt, failedAt }) => [refundId, madeAt, failedAt]).sort()).toEqual([
    ['re_more', 5000, 6000],
    ['re_own', 6000, null],
    ['re_some', 4000, null],
  ])
  expect(await refundedOf(shop, order.id)).toBe(300_00)
  const toShop = await shop.deps.db.select().from(emails).where(eq(emails.recipient, deps.shopEmail))
  expect(toShop).toMatchObject([{ subject: 'A refund of $300.00 did not arrive' }])
})

test('ignores refunds of payments that the shop does not know, and failed ones that it never had', async ({ shop }) => {
  const { deps, refunds } = fakeProvider(shop)
  const { id } = await anOrderPaidBy(shop, 'pi_1')
  const refund = { refundId: 're_1', transactionId: 'pi_1', amountCents: 1, isFailed: true, ownId: null }
  refunds.push(refund, { ...refund, refundId: 're_2', transactionId: 'pi_of_another_shop', isFailed: false })
  await checkRefunds(deps)
  expect([await rowsOf(shop), await refundedOf(shop, id)]).toEqual([[], 0])
})

test.for([
  [{ amount: '0' }, 'amount', 'Amount must be at least $0.01'],
  [{ amount: '1.005' }, 'amount', 'Amount must be in whole cents, like 1200.50'],
  [{ amount: 'all' }, 'amount', 'Amount must be a number, like 1200.50'],
  [{ reason: ' ' }, 'reason', 'Reason is Required'],
  [{ restock: 1.5 }, 'restock', 'Pieces back to stock must be a whole number'],
  [{ restock: -1 }, 'restock', 'Pieces back to stock must be a whole number'],
] as const)('rejects the refund form with %j', ([wrong, field, message]) => {
  const form = { submissionId: 'submission', amount: '$1,200.50', reason: 'Dent', restock: 0 }
  expect(NewRefund.parse(form).amount).toBe(1200_50)
  const { error } = NewRefund.safeParse({ ...form, ...wrong })
  expect(error!.issues[0]).toMatchObject({ path: [field], message })
})
