import type { AppLoadContext } from '@remix-run/cloudflare'
import { aPaidOrder } from '../../tests/support/payments'
import { expect, test } from '../../tests/support/store'
import { newId } from '../store/shared/ids.server'
import { shipOrder } from '../store/orders/manage-order.server'
import { findOrder } from '../store/orders/orders.server'
import { refundOrder } from '../store/payments/order-refunds.server'
import { loader } from './admin/export-orders'

test('exports the sums, times and parcel of an order under the right headers', async ({ shop }) => {
  const admin = await shop.admin()
  const { id, customer, transactionId } = await aPaidOrder(shop, { quantity: 3 })
  await refundOrder(shop.deps, admin, id, { submissionId: newId(), amount: 33_03, reason: 'Dent' })
  const later = { ...shop.deps, now: () => Date.now() + 60_000 }
  await shipOrder(later, admin, id, { carrier: 'DHL', trackingNumber: 'T-9', trackingUrl: null })
  const order = (await findOrder(shop.deps, customer, id))!
  const user = () => Promise.resolve({ ...admin, role: 'admin' })
  const context = { ...shop.deps, sessionSecret: 's', user } as unknown as AppLoadContext
  const request = new Request(`${shop.deps.origin}/dashboard/manageOrders.csv`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const text = await (await loader({ request, context, params: {} })).text()
  const [headers, cells] = text
    .replace('\uFEFF', '')
    .split('\r\n')
    .map((line) => line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1')))
  const time = (at: number | null) => new Date(at!).toISOString()
  expect(Object.fromEntries(headers!.map((header, index) => [header, cells![index]]))).toEqual({
    ...{ Order: `C-${order.number}`, Placed: time(order.createdAt), Status: 'shipped' },
    ...{ Customer: customer.name, Email: customer.email, Address: '1 Bow Lane', Phone: '07700 900123' },
    ...{ Product: 'Concert Violin', Quantity: '3', 'Price each': '250.00', Total: '750.00', Refund: '33.03' },
    ...{ Paid: time(order.paidAt), 'Transaction id': transactionId, Shipped: time(order.shippedAt) },
    ...{ Carrier: 'DHL', 'Tracking number': 'T-9', 'Discount code': '', Discount: '', Dispute: '' },
  })
  expect(order.shippedAt! - order.paidAt!).toBeGreaterThan(50_000)
})
