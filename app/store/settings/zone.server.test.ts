import { asc, eq } from 'drizzle-orm'
import { afterEach } from 'vitest'
import { expect, orderInput, test, type Store } from '../../../tests/support/store'
import { buyers, dailySales, discounts, monthlyCustomers, monthlySales, orderRefunds, orders } from '../../db/schema'
import { createDiscount, NewDiscount } from '../discounts/manage-discounts.server'
import { findManagedInstrument } from '../catalog/instruments.server'
import { InstrumentUpdate, updateInstrument } from '../catalog/manage-instruments.server'
import { readInvoice, storeSeller } from '../orders/receipts/invoices.server'
import { placeOrder } from '../ordering/place-order.server'
import { readOverview } from '../screens/overview.server'
import { readReports } from '../screens/reports.server'
import { dayText, setTimeZone } from '../shared/dates'
import { newId } from '../shared/ids.server'
import { settingNames, type Settings } from './settings'
import { readSettings, saveSettings, SettingsForm } from './settings.server'
import { offsetsOf, readTimeZone } from './zone.server'

const defaults = {
  ...(Object.fromEntries(settingNames.map((name) => [name, ''])) as Settings),
  ...{ name: 'Amati', holdHours: '72', timeZone: 'UTC' },
}

afterEach(() => setTimeZone('UTC'))

/** As a Worker does that has heard of the setting. */
async function choose(shop: Store, timeZone: string, now?: number): Promise<void> {
  const { version } = await readSettings(shop.deps, defaults)
  const deps = now === undefined ? shop.deps : { ...shop.deps, now: () => now }
  await saveSettings(deps, await shop.admin(), defaults, SettingsForm.parse({ ...defaults, version, timeZone }))
  setTimeZone(timeZone)
}

const at = (text: string) => Date.parse(text)
type Person = Awaited<ReturnType<Store['customer']>>

async function sells(shop: Store, instrumentId: string, paidAt: number, quantity: number, to: Person): Promise<string> {
  const { id } = await placeOrder(shop.deps, to, orderInput(instrumentId, quantity))
  await shop.deps.db
    .update(orders)
    .set({ state: 'paid', paidAt, transactionId: `pi_${id}`, movedBy: 'stripe' })
    .where(eq(orders.id, id))
  return id
}

const refundsAt = (shop: Store, orderId: string, createdAt: number, amountCents: number) =>
  shop.deps.db.insert(orderRefunds).values({
    ...{ id: newId(), orderId, submissionId: newId(), amountCents, reason: 'Dent', restock: 0, movedBy: 'stripe' },
    createdAt,
  })

async function counted(shop: Store) {
  const { db } = shop.deps
  await shop.readLog()
  const months = await db.select().from(monthlySales).orderBy(asc(monthlySales.month), asc(monthlySales.instrumentId))
  return {
    days: (await db.select().from(dailySales).orderBy(asc(dailySales.day))).map((row) => [
      row.day,
      row.orders,
      row.revenueCents,
    ]),
    months: months.map((row) => [row.month, row.orders, row.pieces, row.revenueCents, row.refundedCents]),
    customers: (await db.select().from(monthlyCustomers).orderBy(asc(monthlyCustomers.month))).map((row) =>
      Object.values(row),
    ),
    buyers: (await db.select().from(buyers)).map(({ lastMonth }) => lastMonth).sort(),
  }
}

const numberOf = (text: string) => at(text) / 86_400_000

/** Around midnights of Berlin: 23:30 of New Year's Eve is 22:30 UTC, 00:30 is 23:30 UTC. */
async function sellsAtNewYear(shop: Store): Promise<void> {
  shop.skipInvariants('payments that never were')
  const violin = await shop.sells({ stock: 50, price: 10_00, minimum: 1 })
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  await sells(shop, violin, at('2026-12-31T22:30Z'), 1, ada)
  const early = await sells(shop, violin, at('2026-12-31T23:30Z'), 2, ada)
  await sells(shop, violin, at('2027-01-01T00:30Z'), 4, bea)
  await refundsAt(shop, early, at('2027-01-31T23:30Z'), 5_00)
}

const inUtc = {
  days: [
    [numberOf('2026-12-31'), 2, 30_00],
    [numberOf('2027-01-01'), 1, 40_00],
  ],
  months: [
    ['2026-12', 2, 3, 30_00, 0],
    ['2027-01', 1, 4, 40_00, 5_00],
  ],
  customers: [
    ['2026-12', 1, 1],
    ['2027-01', 1, 0],
  ],
  buyers: ['', '2026-12'],
}

const inBerlin = {
  days: [
    [numberOf('2026-12-31'), 1, 10_00],
    [numberOf('2027-01-01'), 2, 60_00],
  ],
  months: [
    ['2026-12', 1, 1, 10_00, 0],
    ['2027-01', 2, 6, 60_00, 0],
    ['2027-02', 0, 0, 0, 5_00],
  ],
  customers: [
    ['2026-12', 1, 0],
    ['2027-01', 1, 1],
  ],
  buyers: ['', '2027-01'],
}

test('sales, refunds and customers count by days and months of the zone, and anew when it changes', async ({
  shop,
}) => {
  await sellsAtNewYear(shop)
  expect(await counted(shop)).toEqual(inUtc)
  await choose(shop, 'Europe/Berlin')
  expect(await counted(shop)).toEqual(inBerlin)
  await choose(shop, 'UTC')
  expect(await counted(shop)).toEqual(inUtc)
})

test('counts by the zone that was chosen before', async ({ shop }) => {
  await choose(shop, 'Europe/Berlin')
  await sellsAtNewYear(shop)
  expect(await counted(shop)).toEqual(inBerlin)
  await shop.deps.db.update(orderRefunds).set({ failedAt: at('2027-03-01T00:00Z') })
  expect((await counted(shop)).months.slice(-1)).toEqual([['2027-02', 0, 0, 0, 0]])
})

test('the overview and the reports are of today and of the month in the zone', async ({ shop }) => {
  await sellsAtNewYear(shop)
  await choose(shop, 'Europe/Berlin')
  await shop.readLog()
  const deps = { ...shop.deps, now: () => at('2026-12-31T23:45Z') }
  const { comparisons, days } = await readOverview(deps, await shop.admin())
  expect(comparisons.map(({ title, current }) => [title, current.from, current.days, current.orders])).toEqual([
    ['Today', numberOf('2027-01-01'), 1, 2],
    ['This week', numberOf('2026-12-28'), 5, 3],
    ['This month', numberOf('2027-01-01'), 1, 2],
  ])
  expect(days.slice(-2).map(({ orders }) => orders)).toEqual([1, 2])
  const { months } = await readReports(deps, { role: 'admin' }, '2027-01')
  expect(months.map(({ month, orders }) => [month, orders])).toEqual([
    ['2027-02', 0],
    ['2027-01', 2],
    ['2026-12', 1],
  ])
})

test('an invoice and a credit note keep the day on which they were issued', async ({ shop }) => {
  shop.skipInvariants('payments that never were')
  const admin = await shop.admin()
  const seller = { name: 'Luthier & Sons', address: 'Via dei Liutai 4', vatNumber: null, vatRate: 0 }
  const evening = at('2026-11-27T23:30Z')
  await storeSeller({ ...shop.deps, seller })
  const violin = await shop.sells({ stock: 50, price: 10_00, minimum: 1 })
  const id = await sells(shop, violin, evening, 2, await shop.customer())
  const leadOf = async (note?: string) =>
    (await readInvoice(shop.deps, { ...admin, role: 'admin' } as never, id, note))?.lead.slice(0, 22)
  expect(await leadOf()).toBe('Issued on 27 Nov 2026.')
  await choose(shop, 'Europe/Berlin', evening + 60_000)
  await refundsAt(shop, id, evening + 120_000, 1_00)
  await shop.deps.db.update(orderRefunds).set({ refundId: 're_1', madeAt: evening + 120_000 })
  await choose(shop, 'America/New_York', evening + 180_000)
  expect([await leadOf(), await leadOf('CN-1-1')]).toEqual(['Issued on 27 Nov 2026.', 'Issued on 28 Nov 2026.'])
})

test('a sale begins and ends with days of the zone, and keeps its moments and its prior price when the zone changes', async ({
  shop,
}) => {
  const admin = await shop.admin()
  const id = await shop.sells({ name: 'Rebec', price: 100_00, minimum: 1 })
  const deps = { ...shop.deps, now: () => at('2026-11-27T12:00Z') }
  const change = (sale: object, description: string) =>
    updateInstrument(
      deps,
      admin,
      id,
      InstrumentUpdate.parse({
        ...{ name: 'Rebec', img: '/plates/oboe.svg', description, price: '100', minQuantity: 1, stockChange: 0 },
        ...sale,
      }),
    )
  const sale = async () => {
    const { saleFromAt, saleUntilAt, priorCents } = (await findManagedInstrument(deps, id))!
    return [saleFromAt, saleUntilAt, priorCents]
  }
  const days = { salePrice: '80', saleFrom: '2026-11-20', saleUntil: '2026-12-24' }
  await change(days, 'Old')
  const inUtc = [at('2026-11-20'), at('2026-12-25'), 100_00]
  expect(await sale()).toEqual(inUtc)
  await choose(shop, 'Europe/Berlin')
  await change(days, 'New')
  expect(await sale()).toEqual(inUtc)
  await change({ ...days, saleUntil: '2026-12-26' }, 'New')
  expect((await sale()).slice(0, 2)).toEqual([at('2026-11-20'), at('2026-12-26T23:00Z')])
})

test('the prior price is the lowest of the 30 days of the zone before the sale', async ({ shop }) => {
  await choose(shop, 'Europe/Berlin')
  const admin = await shop.admin()
  const id = await shop.sells({ name: 'Rebec', price: 80_00, minimum: 1 })
  const set = (text: string, values: object) => {
    const form = { name: 'Rebec', img: '/plates/oboe.svg', minQuantity: 1, stockChange: 0, ...values }
    return updateInstrument({ ...shop.deps, now: () => at(text) }, admin, id, InstrumentUpdate.parse(form))
  }
  // A price that ended on 31 October, 13:00 in Berlin, and one that ended on 1 November, 00:30.
  await set('2026-10-31T12:00Z', { price: '90' })
  await set('2026-10-31T23:30Z', { price: '100' })
  // From 1 December in Berlin, which begins on 30 November in UTC.
  await set('2026-11-28T12:00Z', { price: '100', salePrice: '70', saleFrom: '2026-12-01', saleUntil: '2026-12-24' })
  expect((await findManagedInstrument(shop.deps, id))?.priorCents).toBe(90_00)
})

test('a code counts until the end of its last day in the zone', async ({ shop }) => {
  await choose(shop, 'Asia/Kolkata')
  const admin = { ...(await shop.admin()), role: 'admin' as const }
  const deps = { ...shop.deps, now: () => at('2026-11-27T18:20Z') }
  const make = (until: string) =>
    createDiscount(deps, admin, NewDiscount.parse({ act: 'make', code: 'LAST-DAY', percent: 10, until }))
  await expect(make('2026-11-26')).rejects.toMatchObject({ fields: { until: ['This day is over'] } })
  await make('2026-11-27')
  const [row] = await deps.db.select().from(discounts)
  expect([row?.fromAt, row?.untilAt]).toEqual([at('2026-11-26T18:30Z'), at('2026-11-27T18:30Z')])
  expect(dayText(at('2026-11-27T18:30Z'))).toBe('2026-11-28')
})

test.for([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['utc', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['Mars/Phobos', null],
  ['utc+2', null],
  ['+02:00', null],
  ['', null],
  ['<b>', null],
  ['x'.repeat(200), null],
  ['__proto__', null],
])('reads the time zone %j as %j', ([text, zone]) => {
  expect(readTimeZone(text!)).toBe(zone)
})

test('refuses what is no zone beside its field, and takes an empty one as UTC', () => {
  const parse = (timeZone: string) => SettingsForm.safeParse({ ...defaults, version: 0, timeZone })
  expect(parse('Mars/Phobos').error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['timeZone'], 'Time zone: enter a name such as Europe/Berlin or UTC'],
  ])
  expect([parse(' ').data?.timeZone, parse(' asia/tokyo ').data?.timeZone]).toEqual(['UTC', 'Asia/Tokyo'])
})

test('has an offset from each change of the clocks on', () => {
  const now = at('2026-11-27T12:00Z')
  const hour = 3_600_000
  const of2026 = offsetsOf('Europe/Berlin', now).filter(([from]) => from >= at('2026-01-01') && from < at('2027-01-01'))
  expect(of2026).toEqual([
    [at('2026-03-29T01:00Z'), 2 * hour],
    [at('2026-10-25T01:00Z'), hour],
  ])
  expect(offsetsOf('UTC', now)).toEqual([[0, 0]])
  expect(offsetsOf('Asia/Kolkata', now)).toEqual([[0, 5.5 * hour]])
  // For Ramadan, the clocks of Morocco go back for a month.
  expect(
    offsetsOf('Africa/Casablanca', now).filter(([from]) => from >= at('2026-01-01') && from < at('2027-01-01')),
  ).toHaveLength(2)
})
