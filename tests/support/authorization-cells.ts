import { expect } from 'vitest'
import { newId } from '../../app/store/ids.server'
import { requestPayment } from '../../app/store/payments/start-payment.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { confirm } from './card-form'
import type { Actor } from './authorization-matrix'
import type { Customer, Shop } from './shop'

/** Whose the object of a request is. `all` is a list, or something new; `mixed` is another's under the caller's own email. */
export type Kind = 'own' | 'another’s' | 'missing' | 'all' | 'mixed'

interface Asked {
  shop: Shop
  kind: Kind
  self: Customer
  another: Customer
  /** The email that stands for the object. */
  addressee: string
}

interface Wish {
  /** What stands in the braces of the path. */
  id?: string
  query?: Record<string, string>
  body?: object
}

export interface Row {
  who: 'anyone' | 'signed-in' | 'admin'
  /** Only the session itself will do, not a token. */
  sessionOnly?: boolean
  /** The status for a customer, and for an admin, by whose the object is. */
  objects: Partial<Record<Kind, readonly [customer: number, admin: number]>>
  /** A request that is right but for who makes it; its object is made for it. */
  wish: (asked: Asked) => Wish | Promise<Wish>
}

const readers = { own: [200, 200], 'another’s': [403, 200], missing: [404, 404] } as const
const owners = { own: [200, 200], 'another’s': [403, 403], missing: [404, 404] } as const
/** An address that nobody has is refused as another's is, but to an admin. */
const byEmail = { own: [200, 200], 'another’s': [403, 200], missing: [403, 404] } as const
const ownEmail = { own: [200, 200], 'another’s': [403, 403], missing: [403, 403] } as const
const admins = { 'another’s': [403, 200], missing: [403, 404] } as const

/** Who may do what with whose: readings R4, R23 to R25 and R36, by call. */
export const cells: Record<string, Row> = {
  'GET /instruments': { who: 'anyone', objects: { all: [200, 200] }, wish: () => ({}) },
  'POST /instruments': {
    who: 'admin',
    objects: { all: [403, 200] },
    wish: () => ({
      body: { name: 'Oboe', img: '/plates/oboe.svg', price: 1, availableQuantity: 1, minQuantity: 1 },
    }),
  },
  'GET /instruments/{id}': {
    who: 'anyone',
    objects: { 'another’s': [200, 200], missing: [404, 404] },
    wish: onSale,
  },
  'DELETE /instruments/{id}': { who: 'admin', objects: admins, wish: onSale },
  'GET /order': {
    who: 'signed-in',
    objects: { ...byEmail, all: [403, 200] },
    wish: ({ kind, addressee }) => (kind === 'all' ? {} : { query: { customerEmail: addressee } }),
  },
  'POST /order': {
    who: 'signed-in',
    objects: { own: [200, 200], 'another’s': [422, 422], missing: [404, 404] },
    wish: async ({ shop, kind, self, another }) => ({
      body: {
        instrumentId: kind === 'missing' ? newId() : await shop.sells(),
        orderQuantity: 1,
        customerEmail: (kind === 'another’s' ? another : self).email,
        ...delivery,
      },
    }),
  },
  'GET /order/{id}': { who: 'signed-in', objects: readers, wish: async (asked) => ({ id: await orderFor(asked) }) },
  'PATCH /order/{id}': { who: 'signed-in', objects: owners, wish: paidAtStripe },
  'DELETE /order/{id}': {
    who: 'signed-in',
    objects: { ...byEmail, mixed: [403, 409] },
    wish: async (asked) => ({ id: asked.addressee, query: { orderId: await orderFor(asked) } }),
  },
  'POST /create-payment-intent': {
    who: 'signed-in',
    objects: owners,
    wish: async (asked) => ({ body: { orderId: await orderFor(asked), orderPrice: 1000 } }),
  },
  'GET /reviews': { who: 'anyone', objects: { all: [200, 200] }, wish: () => ({}) },
  'POST /reviews': {
    who: 'signed-in',
    objects: { own: [200, 200], 'another’s': [200, 200] },
    wish: ({ kind, self, another }) => ({
      body: { description: 'Sings.', name: (kind === 'own' ? self : another).name },
    }),
  },
  'PUT /user/{email}': {
    who: 'signed-in',
    sessionOnly: true,
    objects: ownEmail,
    wish: ({ addressee }) => ({ id: addressee, body: { email: addressee } }),
  },
  'PUT /update/{email}': {
    who: 'signed-in',
    objects: ownEmail,
    wish: ({ addressee, self }) => ({ id: addressee, body: { name: self.name, address: newId() } }),
  },
  'GET /admin/{email}': { who: 'signed-in', objects: byEmail, wish: ({ addressee }) => ({ id: addressee }) },
  'GET /user': { who: 'admin', objects: { all: [403, 200] }, wish: () => ({}) },
  'PUT /user/admin/{email}': {
    who: 'admin',
    objects: { own: [403, 200], ...admins },
    // Whoever becomes an admin must be nobody that the table still needs.
    wish: async ({ shop, kind, addressee }) => ({
      id: kind === 'another’s' ? (await shop.customer({ name: 'Cleo' })).email : addressee,
    }),
  },
}

const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

export function addressee(kind: Kind, { self }: Actor, another: Customer): string {
  if (kind === 'missing') return 'nobody@example.com'
  return kind === 'another’s' ? another.email : self.email
}

async function onSale({ shop, kind }: Asked): Promise<Wish> {
  return { id: kind === 'missing' ? newId() : await shop.sells() }
}

async function orderFor({ shop, kind, self, another }: Asked): Promise<string> {
  if (kind === 'missing') return newId()
  const { id } = await placeOrder(shop.deps, kind === 'own' ? self : another, {
    instrumentId: await shop.sells(),
    submissionId: newId(),
    orderQuantity: 1,
    ...delivery,
  })
  return id
}

/** An order that Stripe has the money of, which the shop has not heard: whoever may not say so must not make it paid. */
async function paidAtStripe(asked: Asked): Promise<Wish> {
  const id = await orderFor(asked)
  if (asked.kind === 'missing') return { id, body: { transactionId: 'pi_none' } }
  const owner = asked.kind === 'own' ? asked.self : asked.another
  const { clientSecret } = await requestPayment(
    asked.shop.deps,
    { ...owner, role: 'customer' },
    { orderId: id, orderPrice: 1_000_00 },
  )
  expect(await confirm(asked.shop, clientSecret)).toMatchObject({ status: 'succeeded' })
  return { id, body: { transactionId: clientSecret.split('_secret')[0]! } }
}
