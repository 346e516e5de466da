import { z } from 'zod'
import { apiPaths } from '../../../app/api/endpoints/index.server'
import type { Endpoint, Method } from '../../../app/api/endpoint.server'
import { rateLimits, webhookEndpoints } from '../../../app/db/schema'
import { confirm } from '../../support/card-form'
import { programOf, type Program } from '../../support/api-client'
import type { Shop } from '../../support/shop'
import type { TestBrowser } from '../../support/test-browser'
import { addInstrument } from '../../../app/store/catalog/manage-instruments.server'

export interface Target {
  name: string
  method: Method
  path: string
  call: Endpoint
  browser: TestBrowser
  headers: Record<string, string>
  id?: string
  body?: Record<string, unknown>
  fields: { body: string[]; query: string[] }
  /** Reads back what was written, as another user: only the fields that the caller controls. */
  readBack?: (insertedId: string) => Promise<Record<string, unknown>>
  before?: () => Promise<unknown>
}

type Right = Omit<Partial<Target>, 'name' | 'method' | 'path' | 'call' | 'fields'> & { as: 'admin' | 'customer' }

/** Throws when a declared call has no target. */
export async function makeTargets(shop: Shop): Promise<Target[]> {
  const [root, ada, eve] = [await shop.admin(), await shop.customer(), await shop.customer({ name: 'Eve' })]
  const [admin, customer] = [await programOf(shop, root), await programOf(shop, ada)]
  const [ownSession, eveSession] = [await shop.visitor().signIn(ada), await shop.visitor().signIn(eve)]
  const cookie = { origin: shop.deps.origin }
  const name = 'Concert Violin'
  const sale = { name, img: '/plates/violin-4-4.svg', price: 1_000_00, minQuantity: 1, availableQuantity: 1_000_000 }
  const { id: instrumentId } = await addInstrument(shop.deps, 'test', sale)
  const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const orderInput = { instrumentId, orderQuantity: 1, ...delivery }
  const [unpaid, paid] = [await orderOf(customer, orderInput), await paidOrderOf(shop, customer, orderInput)]
  const read = async (path: string) => (await admin.call(`GET`, path)).body

  const rights: Record<string, Right> = {
    'GET /instruments': { as: 'customer' },
    'POST /instruments': {
      as: 'admin',
      body: {
        ...{ name: 'Oboe', family: 'woodwind', img: '/plates/oboe.svg', description: 'Grenadilla' },
        ...{ price: 8.2, availableQuantity: 12, minQuantity: 3 },
      },
      readBack: (id) => read(`/instruments/${id}`),
    },
    'GET /instruments/{id}': { as: 'customer', id: instrumentId },
    'DELETE /instruments/{id}': { as: 'admin', id: 'none' },
    'POST /instruments/{id}/stock': { as: 'admin', id: 'none', body: { change: 1, reason: 'Delivery' } },
    'PUT /instruments/{id}/stock': { as: 'admin', id: 'none', body: { quantity: 2, expected: 1, reason: 'Counted' } },
    'POST /instrument-changes': {
      as: 'admin',
      body: { changes: [{ _id: instrumentId, change: 1, reason: 'Delivery' }] },
    },
    'GET /order': { as: 'customer' },
    'POST /order': {
      as: 'customer',
      body: { ...orderInput, productName: name, customerName: ada.name, customerEmail: ada.email },
      readBack: (id) => read(`/order/${id}`),
    },
    'GET /order/{id}': { as: 'customer', id: unpaid },
    'GET /order-changes': { as: 'admin' },
    'POST /order/{id}/shipment': {
      as: 'admin',
      id: 'none',
      body: { carrier: 'DHL', trackingNumber: '1', trackingUrl: 'https://dhl.example/1' },
    },
    'POST /order/{id}/refunds': { as: 'admin', id: 'none', body: { amount: 8.2, reason: 'Dent', restock: 1 } },
    'PATCH /order/{id}': { as: 'customer', id: paid.id, body: { order: paid.id, transactionId: paid.transactionId } },
    'DELETE /order/{id}': { as: 'customer', id: ada.email },
    'POST /create-payment-intent': { as: 'customer', body: { orderPrice: 1_000, orderId: unpaid } },
    'GET /reviews': { as: 'customer' },
    'POST /reviews': {
      as: 'customer',
      body: { description: 'Sings.', name: 'Somebody', img: '/art/avatar.svg' },
      before: () => shop.deps.db.delete(rateLimits),
      async readBack(id) {
        const { body } = await customer.call<{ _id: string; description: string }[]>('GET', '/reviews')
        return { description: body.find(({ _id }) => _id === id)?.description }
      },
    },
    'PUT /user/{email}': {
      as: 'customer',
      browser: ownSession,
      headers: cookie,
      id: ada.email,
      body: { email: ada.email },
    },
    'PUT /update/{email}': {
      as: 'customer',
      browser: eveSession,
      headers: cookie,
      id: eve.email,
      body: { name: 'Eve', email: eve.email, image: '/art/avatar.svg', address: '1 Bow Lane', phone: '07700 900123' },
      readBack: () => profileOf(eveSession),
    },
    'GET /admin/{email}': { as: 'admin', id: ada.email },
    'GET /user': { as: 'admin' },
    'PUT /user/admin/{email}': { as: 'admin', id: 'nobody@example.com' },
    'DELETE /user/admin/{email}': { as: 'admin', id: 'nobody@example.com' },
    'GET /webhook-endpoints': { as: 'admin' },
    'POST /webhook-endpoints': {
      as: 'admin',
      body: { url: 'https://warehouse.example/', events: ['order.paid'] },
      before: () => shop.deps.db.delete(webhookEndpoints),
    },
    'DELETE /webhook-endpoints/{id}': { as: 'admin', id: 'none' },
    'POST /webhook-endpoints/{id}/test': { as: 'admin', id: 'none' },
  }

  const bearer = { admin: `Bearer ${admin.token}`, customer: `Bearer ${customer.token}` }
  return apiPaths.flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, call]) => {
      const name = `${method} ${path}`
      const right = rights[name]
      if (!right) throw new Error(`${name} has no request that is right: add one to tests/stress/fuzz/targets.ts`)
      const fields = { body: fieldsOf(call.body), query: fieldsOf(call.query) }
      const { as, ...rest } = right
      const key: Record<string, string> =
        call.idempotent === 'required' ? { 'idempotency-key': crypto.randomUUID() } : {}
      const who = { browser: shop.visitor(), headers: { authorization: bearer[as], ...key } }
      return { ...who, ...rest, name, method: method as Method, path, call, fields }
    }),
  )
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

async function orderOf(program: Program, orderInput: object): Promise<string> {
  return (await program.call('POST', '/order', orderInput)).body.insertedId as string
}

async function paidOrderOf(shop: Shop, program: Program, orderInput: object) {
  const id = await orderOf(program, orderInput)
  const { body } = await program.call('POST', '/create-payment-intent', { orderPrice: 1_000, orderId: id })
  const clientSecret = body.clientSecret as string
  await confirm(shop, clientSecret)
  const transactionId = clientSecret.split('_secret')[0]!
  await program.call('PATCH', `/order/${id}`, { transactionId })
  return { id, transactionId }
}

/** No API call returns a profile. */
async function profileOf(session: TestBrowser): Promise<Record<string, unknown>> {
  const { page } = await session.get('/dashboard/myProfile')
  const valueOf = (name: string) => {
    const field = page.querySelector(`[name="${name}"]`)
    return field?.tagName === 'TEXTAREA' ? field.textContent.replace(/^\n/, '') : field?.getAttribute('value')
  }
  return Object.fromEntries(['name', 'image', 'address', 'phone'].map((name) => [name, valueOf(name)]))
}
