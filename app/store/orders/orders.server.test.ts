import { eq, sql } from 'drizzle-orm'
import { orders, users } from '../../db/schema'
import { expect, test, type Customer, type Store, orderInput } from '../../../tests/support/store'
import { cancelOrder } from '../ordering/cancel-order.server'
import { readDashboard } from '../screens/dashboard.server'
import { readOverview } from '../screens/overview.server'
import { readOrderHistory } from './history.server'
import {
  findOrder,
  findOrders,
  findSeenOrder,
  isOrderAsSeen,
  listAllOrders,
  listOrders,
  listOrdersOf,
  readOrder,
  readToShip,
} from './orders.server'
import { shipOrder } from './manage-order.server'
import { placeOrder } from '../ordering/place-order.server'
import { readOrderForm } from '../ordering/order-form.server'
import { readReceipt } from './receipts/receipts.server'
import type { User } from '../accounts/sign-in'

test('places one order for 20 parallel submissions of a form', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100 })
  const ada = await shop.customer()
  const form = orderInput(violin, 4)
  const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(shop.deps, ada, form)))

  expect(new Set(placed.map(({ id }) => id)).size).toBe(1)
  expect(await shop.ordersOf(ada)).toHaveLength(1)
  expect(await shop.stockOf(violin)).toBe(96)
})

test('accepts the same submission id from another customer', async ({ shop }) => {
  const violin = await shop.sells()
  const form = orderInput(violin, 1)
  const first = await placeOrder(shop.deps, await shop.customer(), form)
  const second = await placeOrder(shop.deps, await shop.customer(), form)
  expect(second.id).not.toBe(first.id)
})

test('lists only the customer’s own orders, page by page, newest first', async ({ shop }) => {
  const violin = await shop.sells()
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  for (let at = 1; at <= 5; at++) await placeOrder({ ...shop.deps, now: () => at }, ada, orderInput(violin, at))
  await placeOrder(shop.deps, bea, orderInput(violin, 9))

  const first = await listOrders(shop.deps, ada, { limit: 3 })
  const second = await listOrders(shop.deps, ada, { limit: 3, before: first.next! })
  expect([first, second].map(({ orders }) => orders.map(({ quantity }) => quantity))).toEqual([
    [5, 4, 3],
    [2, 1],
  ])
  expect(second.next).toBeNull()
  expect(await findOrder(shop.deps, bea, first.orders[0]!.id)).toBeNull()
})

const userOf = (customer: Customer, role: User['role'] = 'customer'): User => ({ ...customer, role })

/** Four orders, the last two at the same time; returns ids, newest first. */
async function fourOrders(shop: Store, customer: { id: string }): Promise<string[]> {
  const violin = await shop.sells()
  const placed: { id: string; at: number }[] = []
  for (const at of [1, 2, 3, 3]) {
    placed.push({ ...(await placeOrder({ ...shop.deps, now: () => at }, customer, orderInput(violin, 1))), at })
  }
  return placed.sort((one, other) => other.at - one.at || (other.id < one.id ? -1 : 1)).map(({ id }) => id)
}

test('returns no cursor on the last page, even when it is full', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const ids = await fourOrders(shop, ada)
  const violin = await shop.sells()
  const beas = await placeOrder({ ...shop.deps, now: () => 9 }, bea, orderInput(violin, 1))
  const [me, admin] = [userOf(ada), userOf(await shop.admin(), 'admin')]
  const listed = async (page: { before?: string; limit: number }) => {
    const mine = await listOrders(shop.deps, ada, page)
    expect(await listOrdersOf(shop.deps, me, ada.email, page)).toEqual(mine)
    expect(await listOrdersOf(shop.deps, admin, ada.email, page)).toEqual(mine)
    return { ids: mine.orders.map(({ id }) => id), next: mine.next }
  }
  expect(await listed({ limit: 4 })).toEqual({ ids, next: null })
  expect(await listed({ limit: 3 })).toEqual({ ids: ids.slice(0, 3), next: ids[2] })
  expect(await listed({ limit: 2, before: ids[1]! })).toEqual({ ids: ids.slice(2), next: null })
  expect(await listed({ limit: 1, before: ids[0]! })).toEqual({ ids: [ids[1]], next: ids[1] })
  await cancelOrder(shop.deps, ada, ids[3]!)
  expect(await listed({ limit: 3 })).toEqual({ ids: ids.slice(0, 3), next: null })

  const all = async (page: Parameters<typeof listAllOrders>[1]) => {
    const { orders: rows, next } = await listAllOrders(shop.deps, page)
    return { ids: rows.map(({ id }) => id), next }
  }
  expect(await all({ limit: 4 })).toEqual({ ids: [beas.id, ...ids.slice(0, 3)], next: null })
  expect(await all({ limit: 1, before: beas.id })).toEqual({ ids: [ids[0]], next: ids[0] })
  expect(await all({ limit: 4, state: 'cancelled' })).toEqual({ ids: [ids[3]], next: null })
  expect(await all({ limit: 4, state: 'paid' })).toEqual({ ids: [], next: null })
  expect(await all({ limit: 9, state: 'unpaid' })).toMatchObject({ ids: { length: 4 } })

  const chosen = [ids[1]!, beas.id, ids[3]!]
  expect((await findOrders(shop.deps, admin, chosen)).map(({ id }) => id)).toEqual([beas.id, ids[1], ids[3]])
})

test('allows orders to be read by their customer and by admins only', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const { id } = await placeOrder(shop.deps, ada, orderInput(await shop.sells(), 1))
  const [me, other, admin] = [userOf(ada), userOf(bea), userOf(await shop.admin(), 'admin')]
  const page = { limit: 9 }
  await expect(listOrdersOf(shop.deps, other, ada.email, page)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'These orders belong to another customer.',
  })
  await expect(listOrdersOf(shop.deps, admin, 'nobody@example.com', page)).rejects.toMatchObject({
    code: 'not-found',
    message: 'No user has this email.',
  })
  expect(await readOrder(shop.deps, me, id)).toMatchObject({ id })
  expect(await readOrder(shop.deps, me, id, { admins: true })).toMatchObject({ id })
  expect(await readOrder(shop.deps, admin, id, { admins: true })).toMatchObject({ id })
  for (const read of [
    () => readOrder(shop.deps, other, id),
    () => readOrder(shop.deps, other, id, { admins: true }),
    () => readOrder(shop.deps, admin, id),
  ]) {
    await expect(read()).rejects.toMatchObject({
      code: 'forbidden',
      message: 'This order belongs to another customer.',
    })
  }
  expect(await readReceipt(shop.deps, me, id)).toBeNull()
  await cancelOrder(shop.deps, ada, id)
  for (const caller of [me, admin]) {
    await expect(readOrder(shop.deps, caller, id, { admins: true })).rejects.toMatchObject({
      code: 'not-found',
      message: 'Order not found.',
    })
  }
  expect(await findOrder(shop.deps, ada, id)).toBeNull()
})

test('ships a paid order once, records it, and shows its receipt', async ({ shop }) => {
  shop.skipInvariants('a payment that never was')
  const [ada, admin] = [await shop.customer({ name: 'Ada' }), await shop.admin()]
  const violin = await shop.sells({ name: 'Viola', price: 10_00 })
  const at = { ...shop.deps, now: () => Date.UTC(2026, 10, 24, 18, 5) }
  const [{ id }, other] = [
    await placeOrder(at, ada, orderInput(violin, 2)),
    await placeOrder(at, ada, orderInput(violin, 1)),
  ]
  const refusal = { code: 'conflict', message: 'Only a paid order can be shipped, and only once.' }
  await expect(shipOrder(at, admin, id)).rejects.toMatchObject(refusal)
  for (const paid of [id, other.id]) {
    const state = { state: 'paid' as const, paidAt: at.now(), transactionId: `pi_${paid}`, movedBy: 'stripe' }
    await shop.deps.db.update(orders).set(state).where(eq(orders.id, paid))
  }
  expect(await readReceipt(at, userOf(ada), id)).toMatchObject({ lines: { length: 9 } })
  await shipOrder(at, admin, id)
  await expect(shipOrder(at, admin, id)).rejects.toMatchObject(refusal)
  expect(await findOrder(at, ada, other.id)).toMatchObject({ state: 'paid', shippedAt: null })
  expect((await shop.auditLogOf(violin, id)).at(-1)).toMatchObject({
    ...{ event: 'order shipped', actor: admin.id, at: at.now(), stockDelta: 0 },
  })
  const time = '24 Nov 2026, 18:05 UTC'
  const receipt = {
    lines: [
      ['Order', 'C-1001'],
      ['Ordered', time],
      ['Instrument', 'Viola'],
      ['Price each', '$10.00'],
      ['Quantity', '2'],
      ['Total', '$20.00'],
      ['Paid', time],
      ['Transaction id', `pi_${id}`],
      ['Shipped', time],
      ['Ship to', 'Ada\n1 Bow Lane\n07700 900123'],
    ],
    from: { origin: at.origin, mail: at.shopEmail },
    invoice: null,
  }
  expect(await readReceipt(at, userOf(ada), id)).toEqual({ ...receipt, isOwn: true, isRefunded: false })
  expect((await readReceipt(at, userOf(admin, 'admin'), id))!.lines).toEqual(receipt.lines)
  expect(await readReceipt(at, userOf(await shop.customer()), id)).toBeNull()
  await expect(readReceipt({ ...at, db: null as never }, userOf(ada), id)).rejects.toThrow(TypeError)

  expect((await readOrderHistory(at, { role: 'admin' }, id))!).toMatchObject({
    order: { id, state: 'shipped' },
    rows: [
      { event: 'order placed', actor: ada.email, stockDelta: -2, note: '', at: at.now() },
      { event: 'order paid', actor: 'stripe', note: `pi_${id}` },
      { event: 'order shipped', actor: admin.email },
    ],
    failedRefunds: [],
  })
  expect(await readOrderHistory(at, { role: 'admin' }, 'none')).toBeNull()
  const { toShip } = await readOverview(at, admin)
  expect(toShip.map(({ id }) => id)).toEqual([other.id])
})

test('knows whether an order is as it was seen', async ({ shop }) => {
  const ada = await shop.customer()
  const { id } = await placeOrder(shop.deps, ada, orderInput(await shop.sells(), 1))
  const { order, seen } = (await findSeenOrder(shop.deps, id))!
  expect(order).toEqual(await readOrder(shop.deps, userOf(ada), id))
  const isSame = (seen: string | undefined) =>
    shop.deps.db.all<{ same: number }>(sql`SELECT ${isOrderAsSeen(seen)} AS same FROM orders`)
  expect([await isSame(seen), await isSame(undefined), await isSame('[]')]).toEqual([
    [{ same: 1 }],
    [{ same: 1 }],
    [{ same: 0 }],
  ])
  await shop.deps.db.update(orders).set({ customerPhone: '07700 900124' })
  expect(await isSame(seen)).toEqual([{ same: 0 }])
  expect(await readToShip(shop.deps, { role: 'packer' }, 5)).toEqual([])
  await cancelOrder(shop.deps, ada, id)
  expect(await findSeenOrder(shop.deps, id)).toBeNull()
})

test('shows a customer the three newest orders', async ({ shop }) => {
  shop.skipInvariants('a customer who is no longer verified')
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const ids = await fourOrders(shop, ada)
  const summary = async (who: User) => (await readDashboard(shop.deps, who)).orders.map(({ id }) => id)
  expect(await summary(userOf(ada))).toEqual(ids.slice(0, 3))
  expect(await summary(userOf(admin))).toEqual([])
  await cancelOrder(shop.deps, ada, ids[0]!)
  expect(await summary(userOf(ada))).toEqual(ids.slice(1))
  expect(await readDashboard(shop.deps, userOf(ada))).toMatchObject({ isVerified: true, hasSecondFactor: false })
  await shop.deps.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, ada.id))
  expect(await readDashboard(shop.deps, userOf(ada))).toMatchObject({ isVerified: false })
  expect(await readDashboard(shop.deps, userOf(admin))).toMatchObject({ isVerified: true })
})

test('shows how many pieces the customer’s own unpaid orders hold', async ({ shop }) => {
  const [violin, other] = [await shop.sells({ stock: 20 }), await shop.sells({ stock: 20 })]
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const place = (who: { id: string }, id: string, pieces: number, holdMs: number) =>
    placeOrder({ ...shop.deps, now: () => 1000, holdMs }, who, orderInput(id, pieces))
  await place(ada, violin, 1, 0)
  await place(ada, violin, 2, 500)
  await place(ada, other, 3, 500)
  await place(bea, violin, 4, 500)
  const { id } = await place(ada, violin, 5, 500)
  await cancelOrder(shop.deps, ada, id)
  const held = async (now: number) => (await readOrderForm({ ...shop.deps, now: () => now }, ada, violin))!
  expect(await held(1499)).toMatchObject({ held: 3, profile: { email: ada.email }, instrument: { id: violin } })
  expect((await held(1499)).otherUnpaid).toMatchObject([{ instrumentId: other }])
  expect(await held(1500)).toMatchObject({ held: 1 })
  expect(await readOrderForm(shop.deps, bea, other)).toMatchObject({ held: 0 })
  expect(await readOrderForm(shop.deps, ada, 'none')).toBeNull()
})

test('fills the order form from the last order since the email was verified, else from the profile', async ({
  shop,
}) => {
  const violin = await shop.sells()
  const [ada, bea] = [await shop.customer({ verified: false }), await shop.customer()]
  const place = (now: number, customer: Customer, address: string) =>
    placeOrder({ ...shop.deps, now: () => now }, customer, { ...orderInput(violin, 1), customerAddress: address })
  const delivery = async () => {
    const { profile } = (await readOrderForm(shop.deps, ada, violin))!
    return [profile.address, profile.phone]
  }
  await place(9000, bea, 'of Bea')
  expect(await delivery()).toEqual([null, null])
  await shop.deps.db.update(users).set({ address: 'of the profile' }).where(eq(users.id, ada.id))
  expect(await delivery()).toEqual(['of the profile', null])
  await place(2000, ada, 'newer')
  await place(1000, ada, 'older')
  expect(await delivery()).toEqual(['newer', '07700 900123'])
  await shop.deps.db.update(users).set({ emailVerifiedAt: 3000 }).where(eq(users.id, ada.id))
  expect(await delivery()).toEqual(['of the profile', null])
  await place(3001, ada, 'since')
  expect(await delivery()).toEqual(['since', '07700 900123'])
})
