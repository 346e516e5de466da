import { expect } from 'vitest'
import type { Scope } from '../../app/store/integrations/scopes'
import { newId } from '../../app/store/shared/ids.server'
import { webhookEndpoints } from '../../app/db/schema'
import { addWebhookEndpoint } from '../../app/store/integrations/webhooks.server'
import { confirmPayment, requestPayment } from '../../app/store/payments/start-payment.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { confirm } from './card-form'
import type { Actor } from './authorization-matrix'
import type { Customer, Shop } from './shop'

/** The owner of the requested object. `mixed`: another user's object with the caller's email. */
export type Kind = 'own' | 'another’s' | 'missing' | 'all' | 'mixed'

interface CellInput {
  shop: Shop
  kind: Kind
  self: Customer
  another: Customer
  addressee: string
}

export interface RequestParts {
  id?: string
  query?: Record<string, string>
  body?: object
}

export interface Row {
  who: 'anyone' | 'signed-in' | 'admin'
  /** What a key needs; without one, no key can make the call. */
  scope?: Scope
  /** The session cookie is required; a token is not enough. */
  sessionOnly?: boolean
  objects: Partial<Record<Kind, readonly [customer: number, admin: number]>>
  makeRequest: (input: CellInput) => RequestParts | Promise<RequestParts>
}

const readers = { own: [200, 200], 'another’s': [403, 200], missing: [404, 404] } as const
const owners = { own: [200, 200], 'another’s': [403, 403], missing: [404, 404] } as const
/** Customers get the same refusal for an unknown email as for another user's. */
const byEmail = { own: [200, 200], 'another’s': [403, 200], missing: [403, 404] } as const
const ownEmail = { own: [200, 200], 'another’s': [403, 403], missing: [403, 403] } as const
const admins = { 'another’s': [403, 200], missing: [403, 404] } as const

/** Readings R4, R23 to R25 and R36. */
export const cells: Record<string, Row> = {
  'GET /instruments': { who: 'anyone', scope: 'catalogue:read', objects: { all: [200, 200] }, makeRequest: () => ({}) },
  'POST /instruments': {
    who: 'admin',
    scope: 'catalogue:write',
    objects: { all: [403, 200] },
    makeRequest: () => ({
      body: { name: 'Oboe', img: '/plates/oboe.svg', price: 1, availableQuantity: 1, minQuantity: 1 },
    }),
  },
  'GET /instruments/{id}': {
    who: 'anyone',
    scope: 'catalogue:read',
    objects: { 'another’s': [200, 200], missing: [404, 404] },
    makeRequest: onSale,
  },
  'DELETE /instruments/{id}': { who: 'admin', scope: 'catalogue:write', objects: admins, makeRequest: onSale },
  'POST /instruments/{id}/stock': {
    who: 'admin',
    scope: 'catalogue:write',
    objects: admins,
    makeRequest: async (input) => ({ ...(await onSale(input)), body: { change: 1, reason: 'Delivery' } }),
  },
  'PUT /instruments/{id}/stock': {
    who: 'admin',
    scope: 'catalogue:write',
    objects: admins,
    async makeRequest(input) {
      const { id = '' } = await onSale(input)
      const expected = input.kind === 'missing' ? 1 : await input.shop.stockOf(id)
      return { id, body: { quantity: expected + 1, expected, reason: 'Counted' } }
    },
  },
  'POST /instrument-changes': {
    who: 'admin',
    scope: 'catalogue:write',
    objects: { all: [403, 200] },
    makeRequest: async (input) => ({
      body: { changes: [{ _id: (await onSale(input)).id ?? '', change: 1, reason: 'Delivery' }] },
    }),
  },
  'GET /webhook-endpoints': { who: 'admin', objects: { all: [403, 200] }, makeRequest: () => ({}) },
  'POST /webhook-endpoints': {
    who: 'admin',
    objects: { all: [403, 200] },
    async makeRequest({ shop }) {
      // Of the actor before: the shop has ten at most.
      await shop.deps.db.delete(webhookEndpoints)
      return { body: { url: 'https://warehouse.example/', events: ['order.paid'] } }
    },
  },
  'DELETE /webhook-endpoints/{id}': { who: 'admin', objects: admins, makeRequest: endpointFor },
  'POST /webhook-endpoints/{id}/test': { who: 'admin', objects: admins, makeRequest: endpointFor },
  'GET /order': {
    who: 'signed-in',
    scope: 'orders:read',
    objects: { ...byEmail, all: [403, 200] },
    makeRequest: ({ kind, addressee }) => (kind === 'all' ? {} : { query: { customerEmail: addressee } }),
  },
  'POST /order': {
    who: 'signed-in',
    objects: { own: [200, 200], 'another’s': [422, 422], missing: [404, 404] },
    makeRequest: async ({ shop, kind, self, another }) => ({
      body: {
        instrumentId: kind === 'missing' ? newId() : await shop.sells(),
        orderQuantity: 1,
        customerEmail: (kind === 'another’s' ? another : self).email,
        ...delivery,
      },
    }),
  },
  'GET /order/{id}': {
    who: 'signed-in',
    scope: 'orders:read',
    objects: readers,
    makeRequest: async (input) => ({ id: await orderFor(input) }),
  },
  'GET /order-changes': {
    who: 'admin',
    scope: 'orders:read',
    objects: { all: [403, 200] },
    makeRequest: () => ({ query: { limit: '1' } }),
  },
  'POST /order/{id}/shipment': {
    who: 'admin',
    scope: 'orders:ship',
    objects: { 'another’s': [403, 409], all: [403, 200], missing: [403, 404] },
    makeRequest: async (input) => ({ id: await orderToShip(input), body: { carrier: 'DHL' } }),
  },
  'POST /order/{id}/refunds': {
    who: 'admin',
    scope: 'orders:refund',
    objects: { all: [403, 200], missing: [403, 404] },
    makeRequest: async (input) => ({ id: await orderToShip(input), body: { amount: 10, reason: 'Dent' } }),
  },
  'PATCH /order/{id}': { who: 'signed-in', objects: owners, makeRequest: paidAtStripe },
  'DELETE /order/{id}': {
    who: 'signed-in',
    objects: { ...byEmail, mixed: [403, 409] },
    makeRequest: async (input) => ({ id: input.addressee, query: { orderId: await orderFor(input) } }),
  },
  'POST /create-payment-intent': {
    who: 'signed-in',
    objects: owners,
    makeRequest: async (input) => ({ body: { orderId: await orderFor(input), orderPrice: 1000 } }),
  },
  'GET /reviews': { who: 'anyone', scope: 'catalogue:read', objects: { all: [200, 200] }, makeRequest: () => ({}) },
  'POST /reviews': {
    who: 'signed-in',
    objects: { own: [200, 200], 'another’s': [200, 200] },
    makeRequest: ({ kind, self, another }) => ({
      body: { description: 'Sings.', name: (kind === 'own' ? self : another).name },
    }),
  },
  'PUT /user/{email}': {
    who: 'signed-in',
    sessionOnly: true,
    objects: ownEmail,
    makeRequest: ({ addressee }) => ({ id: addressee, body: { email: addressee } }),
  },
  'PUT /update/{email}': {
    who: 'signed-in',
    objects: ownEmail,
    makeRequest: ({ addressee, self }) => ({ id: addressee, body: { name: self.name, address: newId() } }),
  },
  'GET /admin/{email}': { who: 'signed-in', objects: byEmail, makeRequest: ({ addressee }) => ({ id: addressee }) },
  'GET /user': { who: 'admin', scope: 'customers:read', objects: { all: [403, 200] }, makeRequest: () => ({}) },
  'PUT /user/admin/{email}': {
    who: 'admin',
    objects: { own: [403, 200], ...admins },
    // The new admin must not be a user that another row needs.
    makeRequest: async ({ shop, kind, addressee }) => ({
      id: kind === 'another’s' ? (await shop.customer({ name: 'Cleo' })).email : addressee,
    }),
  },
  'DELETE /user/admin/{email}': {
    who: 'admin',
    objects: admins,
    makeRequest: ({ addressee }) => ({ id: addressee }),
  },
}

const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

export function addressee(kind: Kind, { self }: Actor, another: Customer): string {
  if (kind === 'missing') return 'nobody@example.com'
  return kind === 'another’s' ? another.email : self.email
}

async function onSale({ shop, kind }: CellInput): Promise<RequestParts> {
  return { id: kind === 'missing' ? newId() : await shop.sells() }
}

async function endpointFor({ shop, kind }: CellInput): Promise<RequestParts> {
  if (kind === 'missing') return { id: newId() }
  const input = { url: 'http://127.0.0.1:9/', events: ['order.paid' as const], submissionId: newId() }
  return { id: (await addWebhookEndpoint(shop.deps, { id: 'test' }, input)).id }
}

async function orderFor({ shop, kind, self, another }: CellInput): Promise<string> {
  if (kind === 'missing') return newId()
  const { id } = await placeOrder(shop.deps, kind === 'own' ? self : another, {
    instrumentId: await shop.sells(),
    submissionId: newId(),
    orderQuantity: 1,
    ...delivery,
  })
  return id
}

/** `all`: a paid one. */
async function orderToShip(input: CellInput): Promise<string> {
  if (input.kind !== 'all') return orderFor(input)
  const { id = '', body } = await paidAtStripe({ ...input, kind: 'another’s' })
  await confirmPayment(input.shop.deps, { ...input.another, role: 'customer' }, id, body as { transactionId: string })
  return id
}

/** Paid at Stripe, not confirmed in the shop: a caller without the right must not confirm it. */
async function paidAtStripe(input: CellInput): Promise<RequestParts> {
  const id = await orderFor(input)
  if (input.kind === 'missing') return { id, body: { transactionId: 'pi_none' } }
  const owner = input.kind === 'own' ? input.self : input.another
  const { clientSecret } = await requestPayment(
    input.shop.deps,
    { ...owner, role: 'customer' },
    { orderId: id, orderPrice: 1_000_00 },
  )
  expect(await confirm(input.shop, clientSecret)).toMatchObject({ status: 'succeeded' })
  return { id, body: { transactionId: clientSecret.split('_secret')[0]! } }
}
