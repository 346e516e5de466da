import { eq } from 'drizzle-orm'
import { instruments, orderRefunds, orders } from '../../db/schema'
import { aPaidOrder } from '../../../tests/support/payments'
import { expect, orderInput, test, type Store } from '../../../tests/support/store'
import { setHidden } from '../catalog/manage-instruments.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { refundOrder } from '../payments/order-refunds.server'
import { readMonth, monthName, monthOf, monthText } from '../shared/dates'
import { readReports, selectMonths, selectSoldIn } from './reports.server'

const november = Date.UTC(2026, 10, 25, 15)

async function sells(shop: Store, instrumentId: string, paidAt: number, quantity: number) {
  const { id } = await placeOrder(shop.deps, await shop.customer(), orderInput(instrumentId, quantity))
  await shop.deps.db
    .update(orders)
    .set({ state: 'paid', paidAt, transactionId: `pi_${id}`, movedBy: 'stripe' })
    .where(eq(orders.id, id))
}

test('has no sum in an empty shop', async ({ shop }) => {
  expect(await readReports(shop.deps, { role: 'admin' }, '2026-11')).toEqual({
    months: [],
    instruments: [],
    families: [],
    stock: [],
    emptySearches: [],
  })
})

test.for([
  ['2026-11', '2026-11', 'November 2026'],
  ['2027-01', '2027-01', 'January 2027'],
  ['2026-13', undefined, ''],
  ['2026-00', undefined, ''],
  ['2026-1', undefined, ''],
  ['1969-12', undefined, ''],
  ['', undefined, ''],
] as const)('reads the month %j as %j', ([text, month, name]) => {
  const read = readMonth(text)
  expect(read === undefined ? undefined : monthText(read)).toBe(month)
  if (month) expect(monthName(month)).toBe(name)
})

test('finds the month of a time, at its first and its last millisecond', () => {
  expect([Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1) - 1, Date.UTC(2027, 0, 1)].map(monthOf).map(monthText)).toEqual([
    '2026-12',
    '2026-12',
    '2027-01',
  ])
})

test('sums what was paid by month, instrument and family, at both ends of a month', async ({ shop }) => {
  shop.skipInvariants('payments that never were')
  const [violin, oboe, strange] = await Promise.all([1000, 500, 10].map((price) => shop.sells({ price, stock: 100 })))
  const name = (name: string, family: 'strings' | null, id: string) =>
    shop.deps.db.update(instruments).set({ name, family }).where(eq(instruments.id, id))
  await name('Violin', 'strings', violin!)
  await name('Viola', 'strings', oboe!)
  await name('Theremin', null, strange!)
  await sells(shop, violin!, Date.UTC(2026, 10, 1), 2)
  await sells(shop, violin!, Date.UTC(2026, 11, 1) - 1, 3)
  await sells(shop, oboe!, november, 1)
  await sells(shop, strange!, november, 100)
  await sells(shop, violin!, Date.UTC(2026, 11, 1), 1)
  // The first month of the list, and the last moment before it.
  await sells(shop, violin!, Date.UTC(2025, 0, 1), 1)
  await sells(shop, violin!, Date.UTC(2025, 0, 1) - 1, 1)
  const deps = { ...shop.deps, now: () => Date.UTC(2026, 11, 5) }
  const { months, instruments: sold, families } = await readReports(deps, { role: 'admin' }, '2026-11')
  const row = (orders: number, pieces: number, revenueCents: number) => ({
    orders,
    pieces,
    revenueCents,
    refundedCents: 0,
  })
  expect(months).toEqual([
    { month: '2026-12', ...row(1, 1, 1000) },
    { month: '2026-11', ...row(4, 106, 6500) },
    { month: '2025-01', ...row(1, 1, 1000) },
  ])
  expect(sold).toMatchObject([
    { instrumentId: violin, name: 'Violin', family: 'strings', ...row(2, 5, 5000) },
    { instrumentId: strange, name: 'Theremin', family: null, ...row(1, 100, 1000) },
    { instrumentId: oboe, name: 'Viola', ...row(1, 1, 500) },
  ])
  expect(families).toEqual([
    { family: 'strings', ...row(3, 6, 5500) },
    { family: null, ...row(1, 100, 1000) },
  ])
  // Older than 24 months: in the file, not in the list.
  expect((await selectMonths(deps)).map(({ month }) => month)).toEqual(['2026-12', '2026-11', '2025-01', '2024-12'])
  expect(await selectSoldIn(deps, '2024-11')).toEqual([])
})

test('counts a refund in the month in which it was decided, and not any more when it failed', async ({ shop }) => {
  const { id } = await aPaidOrder(shop, { stock: 10 })
  const admin = await shop.admin()
  const later = { ...shop.deps, now: () => shop.deps.now() + 62 * 24 * 60 * 60 * 1000 }
  const month = monthText(monthOf(later.now()))
  const refunded = async () =>
    (await selectSoldIn(shop.deps, month)).map(({ orders, refundedCents }) => [orders, refundedCents])
  await refundOrder(later, admin, id, { submissionId: newId(), amount: 20_00, reason: 'Dent' })
  await refundOrder(later, admin, id, { submissionId: newId(), amount: 5_00, reason: 'Late' })
  expect(await refunded()).toEqual([[0, 25_00]])
  const failedAt = later.now()
  await shop.deps.db.update(orderRefunds).set({ failedAt }).where(eq(orderRefunds.amountCents, 20_00))
  expect(await refunded()).toEqual([[0, 5_00]])
  await shop.deps.db.update(orderRefunds).set({ failedAt }).where(eq(orderRefunds.amountCents, 5_00))
  expect(await refunded()).toEqual([])
  shop.skipInvariants('refunds that did not fail at Stripe')
})

test('values what is on sale, without what is hidden', async ({ shop }) => {
  const [violin, hidden] = await Promise.all([
    shop.sells({ price: 1000, stock: 7 }),
    shop.sells({ price: 99, stock: 9 }),
  ])
  await shop.deps.db.update(instruments).set({ family: 'strings' }).where(eq(instruments.id, violin))
  await setHidden(shop.deps, await shop.admin(), hidden, true)
  expect((await readReports(shop.deps, { role: 'admin' }, '2026-11')).stock).toEqual([
    { family: 'strings', pieces: 7, valueCents: 7000 },
  ])
})
