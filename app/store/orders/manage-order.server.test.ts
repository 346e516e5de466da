import { eq } from 'drizzle-orm'
import { auditLog, users } from '../../db/schema'
import { aPaidOrder, anOrder } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { refundOrder } from '../payments/order-refunds.server'
import { newId } from '../shared/ids.server'
import { maxSelected } from '../shared/limits'
import { readOrderHistory } from './history.server'
import {
  correctShipment,
  Shipment,
  Shipments,
  shipOrder,
  shipOrders,
  StaffNote,
  writeStaffNote,
} from './manage-order.server'

const ups = { carrier: 'UPS', trackingNumber: '1Z 999', trackingUrl: 'https://ups.example/1Z999' }

test('ships with a tracking link, which the customer gets, and records each correction once', async ({ shop }) => {
  const { id, customer } = await aPaidOrder(shop)
  const admin = await shop.admin()
  await expect(correctShipment(shop.deps, admin, id, ups)).rejects.toMatchObject({ code: 'conflict' })
  await shipOrder(shop.deps, admin, id, ups)
  expect(await shop.ordersOf(customer)).toMatchObject([{ state: 'shipped', ...ups }])
  await deliverPendingEmails(shop.deps)
  const email = (await shop.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('On its way'))
  expect(email!.text).toContain('Carrier: UPS\nTracking number: 1Z 999\nTracking link: https://ups.example/1Z999')
  for (const more of [{ carrier: 'DHL' }, { trackingNumber: '3' }, { trackingUrl: 'https://dhl.example/3' }, {}])
    await correctShipment(shop.deps, admin, id, { ...ups, ...more })
  const corrected = { ...ups, carrier: null, trackingNumber: '2' }
  for (let times = 0; times < 2; times++) await correctShipment(shop.deps, admin, id, corrected)
  await correctShipment(shop.deps, admin, id, { carrier: null, trackingNumber: null, trackingUrl: null })
  const { rows, order } = (await readOrderHistory(shop.deps, { role: 'admin' }, id))!
  expect(order).toMatchObject({ carrier: null, trackingNumber: null, trackingUrl: null })
  expect(rows.filter(({ event }) => event === 'shipment corrected')).toMatchObject([
    { note: 'UPS, 1Z 999, https://ups.example/1Z999 → DHL, 1Z 999, https://ups.example/1Z999' },
    { note: 'DHL, 1Z 999, https://ups.example/1Z999 → UPS, 3, https://ups.example/1Z999' },
    { note: 'UPS, 3, https://ups.example/1Z999 → UPS, 1Z 999, https://dhl.example/3' },
    { note: 'UPS, 1Z 999, https://dhl.example/3 → UPS, 1Z 999, https://ups.example/1Z999' },
    { note: 'UPS, 1Z 999, https://ups.example/1Z999 → 2, https://ups.example/1Z999', actor: admin.email },
    { note: '2, https://ups.example/1Z999 → nothing' },
  ])
})

test('ships nothing for an admin who lost the role after the check of the request', async ({ shop }) => {
  const { id, customer } = await aPaidOrder(shop)
  const refused = { code: 'forbidden', message: 'You are no longer an admin. Nothing was changed.' }
  await expect(shipOrder(shop.deps, customer, id)).rejects.toMatchObject(refused)
  const message = 'Your role no longer includes this. Nothing was changed.'
  await expect(shipOrder(shop.deps, { ...customer, role: 'packer' }, id)).rejects.toMatchObject({ message })
  expect(await shop.ordersOf(customer)).toMatchObject([{ state: 'paid' }])
})

test('says which field of a shipment or a note is not text', () => {
  for (const [form, value, message] of [
    [Shipment, { carrier: 5 }, 'Carrier must be text'],
    [Shipment, { trackingNumber: 5 }, 'Tracking number must be text'],
    [Shipment, { trackingUrl: 'http://ups.example' }, 'Tracking link must be an https address'],
    [Shipments, { order: ['a'], tracking1: 5 }, 'Tracking number must be text'],
    [StaffNote, { note: 5 }, 'Note must be text'],
  ] as const)
    expect(form.safeParse(value).error?.issues[0]?.message).toBe(message)
})

test('ships several orders, and says of each what happened', async ({ shop }) => {
  const [first, second, unpaid] = [await aPaidOrder(shop), await aPaidOrder(shop), await anOrder(shop)]
  const admin = await shop.admin()
  const ids = [second.id, 'none', unpaid.id, first.id]
  const why = 'Only a paid order can be shipped, and only once.'
  const results = await shipOrders(shop.deps, admin, ids)
  expect(results).toEqual([
    { id: second.id, number: 'C-1002', isShipped: true, why: null },
    { id: unpaid.id, number: 'C-1003', isShipped: false, why },
    { id: first.id, number: 'C-1001', isShipped: true, why: null },
  ])
  const again = await shipOrders(shop.deps, admin, ids)
  const already = 'It is shipped already.'
  expect(again.map(({ isShipped, why }) => [isShipped, why])).toEqual([
    [false, already],
    [false, why],
    [false, already],
  ])
  const shipped = await shop.deps.db.select().from(auditLog).where(eq(auditLog.event, 'order shipped'))
  expect(shipped).toMatchObject([{ actor: admin.id }, { actor: admin.id }])
})

test('gives each order its own tracking number, and the carrier to all', async ({ shop }) => {
  const [first, second] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  const admin = await shop.admin()
  const ids = [second.id, first.id]
  const form = { carrier: ' UPS ', order: ids, tracking2: ' 1Z 2 ', tracking3: '3' }
  const { carrier, trackingNumbers, ids: read } = Shipments.parse(form)
  expect([read, carrier, trackingNumbers]).toEqual([ids, 'UPS', [null, '1Z 2']])
  const details = { carrier, trackingNumber: 'of all', trackingUrl: null }
  await shipOrders(shop.deps, admin, ids, details, { trackingNumbers })
  expect([...(await shop.ordersOf(second.customer)), ...(await shop.ordersOf(first.customer))]).toMatchObject([
    { state: 'shipped', movedBy: admin.id, carrier: 'UPS', trackingNumber: null },
    { state: 'shipped', movedBy: admin.id, carrier: 'UPS', trackingNumber: '1Z 2' },
  ])
})

test.for<[what: string, more: object, isTaken: boolean]>([
  [`${maxSelected} orders`, { order: Array<string>(maxSelected).fill('x'.repeat(100)) }, true],
  [`${maxSelected + 1} orders`, { order: Array<string>(maxSelected + 1).fill('x') }, false],
  ['an id of 101 characters', { order: ['x'.repeat(101)] }, false],
  ['no order', { order: [] }, false],
  ['names of 60 characters', { carrier: 'x'.repeat(60), tracking1: 'x'.repeat(60) }, true],
  ['a carrier of 61', { carrier: 'x'.repeat(61) }, false],
  ['a tracking number of 61', { tracking1: 'x'.repeat(61) }, false],
])('the limits of a shipment of several orders: %s', ([, more, isTaken]) => {
  expect(Shipments.safeParse({ carrier: 'UPS', order: ['a'], ...more }).success).toBe(isTaken)
})

test('takes a tracking link of 500 characters and a note of 2000', () => {
  const link = (length: number) => ({ trackingUrl: 'https://ups.example/'.padEnd(length, 'x') })
  expect([500, 501].map((length) => Shipment.safeParse(link(length)).success)).toEqual([true, false])
  const notes = [2000, 2001].map((length) => StaffNote.safeParse({ note: 'x'.repeat(length) }).success)
  expect(notes).toEqual([true, false])
  expect([Shipment.parse({}), StaffNote.parse({ note: ' ' })]).toEqual([
    { carrier: null, trackingNumber: null, trackingUrl: null },
    { note: null },
  ])
})

test('ships no order whose pieces are back in stock, none that is shipped, and none that is another than was seen', async ({
  shop,
}) => {
  const { id, customer } = await aPaidOrder(shop)
  const admin = await shop.admin()
  const refund = { amount: 1_00, reason: 'Dent', restock: 1, submissionId: newId() }
  await refundOrder(shop.deps, admin, id, refund)
  await expect(shipOrders(shop.deps, admin, [id], undefined, { seen: null })).rejects.toMatchObject({ code: 'changed' })
  await refundOrder(shop.deps, admin, id, { ...refund, submissionId: newId() })
  await expect(shipOrder(shop.deps, admin, id)).rejects.toMatchObject({
    ...{ code: 'conflict', message: 'All pieces of this order are back in stock: there is nothing to ship.' },
  })
  expect(await shop.ordersOf(customer)).toMatchObject([{ state: 'paid' }])
  const other = await aPaidOrder(shop)
  await shipOrder(shop.deps, admin, other.id)
  for (const order of [other.id, 'none'])
    await expect(shipOrder(shop.deps, admin, order)).rejects.toMatchObject({
      ...{ code: 'conflict', message: 'Only a paid order can be shipped, and only once.' },
    })
})

test('takes no correction and no note from who lost the role, and a bookkeeper ships nothing', async ({ shop }) => {
  const { id } = await aPaidOrder(shop)
  const [admin, former] = [await shop.admin(), await shop.customer()]
  await shipOrder(shop.deps, admin, id, ups)
  const message = 'Your role no longer includes this. Nothing was changed.'
  const packer = { ...former, role: 'packer' as const }
  await shop.deps.db.update(users).set({ staffRole: 'bookkeeper' }).where(eq(users.id, former.id))
  await expect(correctShipment(shop.deps, packer, id, { ...ups, carrier: 'DHL' })).rejects.toMatchObject({ message })
  await expect(writeStaffNote(shop.deps, packer, id, 'Mine')).rejects.toMatchObject({ message })
  const history = () => readOrderHistory(shop.deps, { role: 'admin' }, id)
  expect(await history()).toMatchObject({ order: { carrier: 'UPS' }, staffNote: null })
  await shop.deps.db.update(users).set({ staffRole: 'packer' }).where(eq(users.id, former.id))
  await correctShipment(shop.deps, packer, id, { ...ups, carrier: 'DHL' })
  await writeStaffNote(shop.deps, packer, id, 'Mine')
  expect(await history()).toMatchObject({ order: { carrier: 'DHL' }, staffNote: 'Mine' })
})

test('replaces the note for colleagues, and keeps each in the audit log', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const admin = await shop.admin()
  for (const note of ['Call first', 'Call first', null]) await writeStaffNote(shop.deps, admin, id, note)
  await shop.readLog()
  const { rows, staffNote, emails } = (await readOrderHistory(shop.deps, { role: 'admin' }, id))!
  expect(rows.map(({ event, note }) => [event, note])).toEqual([
    ['order placed', ''],
    ['note changed', 'Call first'],
    ['note changed', ''],
  ])
  expect([staffNote, emails.map(({ event }) => event)]).toEqual([null, ['order placed']])
})

test.for([
  ['https://ups.example/1Z', true],
  ['http://ups.example/1Z', false],
  ['javascript:alert(1)//https://x', false],
  ['https://ups.example/a b', false],
  ['https://', false],
] as const)('the tracking link %s is valid: %s', ([trackingUrl, isValid]) => {
  expect(Shipment.safeParse({ trackingUrl }).success).toBe(isValid)
})
