import { eq } from 'drizzle-orm'
import { auditLog } from '../../db/schema'
import { aPaidOrder, anOrder } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { deliverPendingEmails } from '../operations/deliver-email.server'
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
  const corrected = { ...ups, carrier: null, trackingNumber: '2' }
  for (let times = 0; times < 2; times++) await correctShipment(shop.deps, admin, id, corrected)
  await correctShipment(shop.deps, admin, id, { carrier: null, trackingNumber: null, trackingUrl: null })
  const { rows, order } = (await readOrderHistory(shop.deps, { role: 'admin' }, id))!
  expect(order).toMatchObject({ carrier: null, trackingNumber: null, trackingUrl: null })
  expect(rows.filter(({ event }) => event === 'shipment corrected')).toMatchObject([
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
  const ids = [first.id, second.id, unpaid.id, 'none']
  const why = 'Only a paid order can be shipped, and only once.'
  const results = await shipOrders(shop.deps, admin, ids)
  expect(new Map(results.map(({ number, isShipped, why }) => [number, [isShipped, why]]))).toEqual(
    new Map<string, [boolean, string | null]>([
      ['C-1001', [true, null]],
      ['C-1002', [true, null]],
      ['C-1003', [false, why]],
    ]),
  )
  expect((await shipOrders(shop.deps, admin, ids)).every(({ isShipped }) => !isShipped)).toBe(true)
  const shipped = await shop.deps.db.select().from(auditLog).where(eq(auditLog.event, 'order shipped'))
  expect(shipped).toMatchObject([{ actor: admin.id }, { actor: admin.id }])
})

test('replaces the note for colleagues, and keeps each in the audit log', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const admin = await shop.admin()
  for (const note of ['Call first', 'Call first', null]) await writeStaffNote(shop.deps, admin, id, note)
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
