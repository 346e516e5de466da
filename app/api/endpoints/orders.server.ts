import { z } from 'zod'
import { endpoint, type ApiPath } from '../endpoint.server'
import { cancelOrderByEmail } from '../../store/ordering/cancel-order.server'
import { dollarsInCents } from '../../store/shared/dollars.server'
import { Shipment, shipOrders } from '../../store/orders/manage-order.server'
import { findSeenOrder, listAllOrders, listOrdersOf, readOrder } from '../../store/orders/orders.server'
import {
  beginRequest,
  confirmPayment,
  PaymentReport,
  PaymentRequest,
  requestPayment,
  selectPaid,
} from '../../store/payments/start-payment.server'
import { beginClaimedOrder, placeClaimedOrder } from '../../store/ordering/claimed-order.server'
import { NewOrder } from '../../store/ordering/place-order.server'
import { changedSinceSeen, Refusal, type Seen } from '../../store/shared/refusal'
import { tagOfJson } from '../if-match.server'
import type { Deps } from '../../store/deps'
import type { User } from '../../store/accounts/sign-in'
import {
  Deleted,
  deleted,
  inDollars,
  Inserted,
  inserted,
  Modified,
  modified,
  orderJson,
  OrderShape,
  Page,
} from './schemas.server'

const OrderInput = NewOrder.pick({
  customerAddress: true,
  customerPhone: true,
  replaceUnpaid: true,
  company: true,
  vatNumber: true,
  purchaseOrder: true,
})
  .extend({
    orderQuantity: NewOrder.shape.orderQuantity.meta({ type: 'integer' }),
    productName: z.string().max(200).optional().meta({ description: 'As in the list. Needed without instrumentId' }),
    instrumentId: z.string().max(100).optional().meta({ description: 'Needed without productName' }),
    orderPrice: dollarsInCents('The price in dollars')
      .optional()
      .meta({ description: 'Quantity times the unit price, that of a price break included; refused if it differs' }),
    code: NewOrder.shape.code.meta({
      type: 'string',
      maxLength: 30,
      description: 'A discount code. The better of it and a price break counts; orderPrice is after it',
    }),
    customerName: z.string().max(200).trim().optional().meta({ description: 'Must be the caller’s own' }),
    customerEmail: z
      .string()
      .max(300)
      .trim()
      .toLowerCase()
      .optional()
      .meta({ description: 'Must be the caller’s own' }),
  })
  .strict()
  .refine(({ productName, instrumentId }) => productName !== undefined || instrumentId !== undefined, {
    path: ['productName'],
    error: 'Name an instrument by productName or instrumentId',
  })

const id = '0b9d2f4a-7c1e-4e3b-a5d6-8f0a1c2e3b4d'
const intent = 'pi_3TxYqL2eZvKYlo2C'
const delivery = { customerAddress: '1 Bow Lane, Cremona', customerPhone: '+39 0372 555 0199' }
const ordered = { productName: 'Concert Violin 4/4', orderQuantity: 2, orderPrice: 2900, ...delivery }
const customer = { customerName: 'Ada Lovelace', customerEmail: 'ada@example.com' }
const unpaid = { _id: id, ...ordered, ...customer, paid: false, transactionId: null }

export const orders: ApiPath = {
  path: '/order',
  tag: 'Orders',
  endpoints: {
    GET: endpoint({
      summary:
        'The orders of one customer, newest first; without customerEmail of all, for admins. Without the cancelled ones',
      auth: 'signed-in',
      scope: 'orders:read',
      paged: true,
      query: Page.extend({ customerEmail: z.string().max(300).optional() }),
      output: z.array(OrderShape),
      example: { response: [unpaid] },
      errors: [403, 404],
      async run({ context, caller, query: { customerEmail, after: before, limit } }) {
        if (customerEmail === undefined) requireAdmin(caller)
        const { orders, next } =
          customerEmail === undefined
            ? await listAllOrders(context, { before, limit })
            : await listOrdersOf(context, caller, readEmail(customerEmail), { before, limit })
        return { items: orders.map(orderJson), next }
      },
    }),
    POST: endpoint({
      summary: 'Orders an instrument and holds its pieces until it is paid or cancelled',
      auth: 'signed-in',
      idempotent: true,
      body: OrderInput,
      output: Inserted,
      example: { body: { ...ordered, instrumentId: 'violin-4-4' }, response: inserted({ id }) },
      errors: [404, 409, 429, 503],
      first: ({ context, body, callerId, idempotencyKey: submissionId }) =>
        beginClaimedOrder(context, callerId, { ...body, submissionId }),
      run: async ({ context, caller, body, idempotencyKey: submissionId, begun }) =>
        inserted(await placeClaimedOrder(context, caller, { ...body, submissionId }, begun)),
    }),
  },
}

export const order: ApiPath = {
  path: '/order/{id}',
  tag: 'Orders',
  endpoints: {
    GET: endpoint({
      summary: 'One order of the caller’s, or of anybody’s for an admin; a cancelled one is not found',
      auth: 'signed-in',
      scope: 'orders:read',
      conditional: true,
      output: OrderShape,
      example: { param: id, response: { ...unpaid, paid: true, transactionId: intent } },
      errors: [403, 404],
      run: async ({ context, caller, params }) =>
        orderJson(await readOrder(context, caller, params.id!, { admins: true })),
    }),
    PATCH: endpoint({
      summary: 'Confirms the payment of an order, after checking it with Stripe',
      auth: 'signed-in',
      ifMatch: true,
      body: PaymentReport,
      output: Modified,
      example: { param: id, body: { order: id, transactionId: intent }, response: modified(1) },
      errors: [403, 404, 409, 503],
      first: ({ context, params }) => selectPaid(context, params.id!),
      async run({ context, caller, params, body, begun, ifMatch }) {
        // Only an order that is still unpaid becomes paid, in the statement itself: no change slips in after this.
        if (ifMatch) {
          const seen = JSON.stringify(orderJson(await readOrder(context, caller, params.id!, { admins: true })))
          if (!ifMatch.includes(await tagOfJson(seen))) throw changedSinceSeen()
        }
        const result = await confirmPayment(context, caller, params.id!, body, begun)
        return modified(result.modified ? 1 : 0)
      },
    }),
    DELETE: endpoint({
      summary: 'Cancels an unpaid order of the customer with this email: the one with orderId, or else the only one',
      auth: 'signed-in',
      query: z.object({ orderId: z.string().min(1).max(100).optional() }),
      output: Deleted,
      example: { param: customer.customerEmail, response: deleted(1) },
      errors: [403, 404, 409, 503],
      async run({ context, caller, params, query: { orderId } }) {
        const count = await cancelOrderByEmail(context, caller, { email: params.id!.trim().toLowerCase(), orderId })
        return deleted(count)
      },
    }),
  },
}

/** What the ETag of `GET /order/{id}` stands for, if one of `tags` is that of now: the statement that writes compares it once more. */
export async function orderSeenWith(deps: Deps, id: string, tags: string[] | undefined): Promise<Seen> {
  if (!tags) return undefined
  const found = await findSeenOrder(deps, id)
  const isCurrent = found && tags.includes(await tagOfJson(JSON.stringify(orderJson(found.order))))
  return isCurrent ? found.seen : null
}

const absent = { description: 'Absent or null: none' }

const ShipmentInput = z.strictObject({
  carrier: Shipment.shape.carrier.prefault(null).meta(absent),
  trackingNumber: Shipment.shape.trackingNumber.prefault(null).meta(absent),
  trackingUrl: Shipment.shape.trackingUrl
    .prefault(null)
    .meta({ description: 'An https address. Absent or null: none' }),
})

export const shipment: ApiPath = {
  path: '/order/{id}/shipment',
  tag: 'Orders',
  endpoints: {
    POST: endpoint({
      summary: 'Ships a paid order, once, and tells the customer',
      auth: 'admin',
      scope: 'orders:ship',
      ifMatch: true,
      body: ShipmentInput,
      output: Modified,
      example: {
        param: id,
        body: { carrier: 'DHL', trackingNumber: '00340434161094015902', trackingUrl: 'https://dhl.example/0034' },
        response: modified(1),
      },
      errors: [404, 409],
      async run({ context, caller, params, body, ifMatch }) {
        const seen = await orderSeenWith(context, params.id!, ifMatch)
        const [result] = await shipOrders(context, caller, [params.id!], body, { seen })
        if (!result) throw new Refusal('not-found', 'There is no such order.')
        if (!result.isShipped) throw new Refusal('conflict', result.why!)
        return modified(1)
      },
    }),
  },
}

export const paymentIntent: ApiPath = {
  path: '/create-payment-intent',
  tag: 'Orders',
  endpoints: {
    POST: endpoint({
      summary: 'Starts the payment of an unpaid order, or returns the open one, for Stripe’s card form',
      auth: 'signed-in',
      body: PaymentRequest.extend({
        orderPrice: PaymentRequest.shape.orderPrice.meta({
          description: `The order’s total: ${inDollars}`,
          minimum: 0,
        }),
      }),
      output: z.strictObject({ clientSecret: z.string() }).meta({ id: 'ClientSecret' }),
      example: { body: { orderPrice: 2900, orderId: id }, response: { clientSecret: `${intent}_secret_9fKq7Lw2` } },
      errors: [403, 404, 409, 503],
      first: ({ context, body, callerId }) => beginRequest(context, callerId, body),
      run: ({ context, caller, body, begun }) => requestPayment(context, caller, body, begun),
    }),
  },
}

/** A query reads `+` as a space, and no email has one. */
function readEmail(email: string): string {
  return email.trim().toLowerCase().replaceAll(' ', '+')
}

function requireAdmin(caller: User): void {
  if (caller.role === 'admin') return
  throw new Refusal('forbidden', 'Only an admin can list all orders. Set customerEmail to your own.')
}
