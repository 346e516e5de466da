import { eq } from 'drizzle-orm'
import { instruments, orderRefunds, orders } from '../../db/schema'
import { aPaidOrder } from '../../../tests/support/payments'
import { expect, orderInput, test, type Store } from '../../../tests/support/store'
import { setHidden } from '../catalog/manage-instruments.server'
import { newId } from '../shared/ids.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { closeAccount } from '../privacy/close-account.server'
import { placeOrder } from '../ordering/place-order.server'
import { refundOrder } from '../payments/order-refunds.server'
import { readMonth, monthName, monthOf, monthText } from '../shared/dates'
import { addSales, noSales } from './reports'
import { readReports, selectMonths, selectSoldIn } from './reports.server'

const november = Date.UTC(2026, 10, 25, 15)

type Person = Awaited<ReturnType<Store['customer']>>

async function sells(shop: Store, instrumentId: string, paidAt: number, quantity: number, to?: Person) {
  const { id } = await placeOrder(shop.deps, to ?? (await shop.customer()), orderInput(instrumentId, quantity))
  await shop.deps.db
    .update(orders)
    .set({ state: 'paid', paidAt, transactionId: `pi_${id}`, movedBy: 'stripe' })
    .where(eq(orders.id, id))
  await shop.readLog()
}

test('adds up each sum of two months', () => {
  const [one, other] = [
    { orders: 1, pieces: 10, revenueCents: 100, refundedCents: 1000, discountCents: 10_000 },
    { orders: 2, pieces: 30, revenueCents: 400, refundedCents: 5000, discountCents: 60_000 },
  ]
  expect(addSales(one, other)).toEqual({
    orders: 3,
    pieces: 40,
    revenueCents: 500,
    refundedCents: 6000,
    discountCents: 70_000,
  })
  expect(addSales(noSales, one)).toEqual(one)
})

test('has no sum in an empty shop', async ({ shop }) => {
  expect(await readReports(shop.deps, { role: 'admin' }, '2026-11')).toEqual({
    months: [],
    disputedCents: 0,
    instruments: [],
    families: [],
    customers: { newCustomers: 0, returningCustomers: 0 },
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
  await name('Zither', null, strange!)
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
    discountCents: 0,
  })
  const allNew = (newCustomers: number) => ({ disputedCents: 0, newCustomers, returningCustomers: 0 })
  expect(months).toEqual([
    { month: '2026-12', ...row(1, 1, 1000), ...allNew(1) },
    { month: '2026-11', ...row(4, 106, 6500), ...allNew(4) },
    { month: '2025-01', ...row(1, 1, 1000), ...allNew(1) },
  ])
  expect(sold).toMatchObject([
    { instrumentId: violin, name: 'Violin', family: 'strings', ...row(2, 5, 5000) },
    { instrumentId: strange, name: 'Zither', family: null, ...row(1, 100, 1000) },
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
  const refunded = async () => {
    await shop.readLog()
    return (await selectSoldIn(shop.deps, month)).map(({ orders, refundedCents }) => [orders, refundedCents])
  }
  await refundOrder(later, admin, id, { submissionId: newId(), amount: 20_00, reason: 'Dent' })
  await refundOrder(later, admin, id, { submissionId: newId(), amount: 5_00, reason: 'Late' })
  expect(await refunded()).toEqual([[0, 25_00]])
  const failedAt = later.now()
  await shop.deps.db.update(orderRefunds).set({ failedAt }).where(eq(orderRefunds.amountCents, 20_00))
  expect(await refunded()).toEqual([[0, 5_00]])
  await shop.deps.db.update(orderRefunds).set({ failedAt }).where(eq(orderRefunds.amountCents, 5_00))
  expect(await refunded()).toEqual([])
  expect((await selectMonths(shop.deps)).map((each) => each.month)).toEqual([monthText(monthOf(Date.now()))])
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

test('counts who pays for the first time and who comes back, as an independent count of the orders does', async ({
  shop,
}) => {
  shop.skipInvariants('payments that never were')
  const violin = await shop.sells({ price: 1000, stock: 100 })
  const [ada, bea, cy] = [await shop.customer(), await shop.customer(), await shop.customer()]
  const [september, october] = [Date.UTC(2026, 9, 1) - 1, Date.UTC(2026, 9, 1)]
  await sells(shop, violin, september, 1, ada)
  await sells(shop, violin, september, 1, ada)
  await sells(shop, violin, september, 1, bea)
  await sells(shop, violin, october, 1, cy)
  await sells(shop, violin, october, 1, ada)
  await sells(shop, violin, october, 1, ada)
  // Cancelled and unpaid orders buy nothing.
  await cancelOrder(shop.deps, bea, (await placeOrder(shop.deps, bea, orderInput(violin, 1))).id)
  await placeOrder(shop.deps, cy, orderInput(violin, 1))
  const admin = await shop.admin()
  const bought = (await shop.deps.db.select().from(orders).where(eq(orders.customerId, bea.id))).find(
    (it) => it.paidAt,
  )!
  await refundOrder(shop.deps, admin, bought.id, { submissionId: newId(), amount: 10_00, reason: 'Dent' })
  expect(await closeAccount(shop.deps, bea)).toBe(true)
  await sells(shop, violin, november, 1, cy)
  await sells(shop, violin, november, 1)

  const paid = (await shop.deps.db.select().from(orders)).filter(({ paidAt }) => paidAt !== null)
  const monthsOf = new Map<string, string[]>()
  for (const { customerId, paidAt } of paid.sort((one, other) => one.paidAt! - other.paidAt!)) {
    const month = new Date(paidAt!).toISOString().slice(0, 7)
    monthsOf.set(customerId, [...(monthsOf.get(customerId) ?? []), month])
  }
  const counted = (month: string) => ({
    newCustomers: [...monthsOf.values()].filter(([first]) => first === month).length,
    returningCustomers: [...monthsOf.values()].filter(([, ...further]) => further.includes(month)).length,
  })
  const expected = [
    ['2026-11', 1, 1],
    ['2026-10', 1, 1],
    // Ada's first two orders.
    ['2026-09', 2, 1],
  ] as const
  const deps = { ...shop.deps, now: () => november }
  for (const [month, newCustomers, returningCustomers] of expected) {
    expect(counted(month)).toEqual({ newCustomers, returningCustomers })
    const { months, customers } = await readReports(deps, { role: 'admin' }, month)
    expect(customers).toEqual(counted(month))
    expect(months.find((each) => each.month === month)).toMatchObject(counted(month))
  }
})
