import { apiPaths } from '../../app/api/endpoints/index.server'

export interface UnsafeRequest {
  /** Else a call of the API. */
  isForm: boolean
  method: string
  path: string
  fields: Record<string, string | number | string[] | object[]>
}

/** The fields as a form sends them. */
export function formPairs(fields: UnsafeRequest['fields']): [string, string][] {
  const textOf = (value: string | number | object) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value)
  return Object.entries(fields).map(([name, value]) => [name, [value].flat().map(textOf).join()])
}

const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
const oboe = { name: 'Oboe', img: '/plates/oboe.svg', price: 1, availableQuantity: 1, minQuantity: 1 }

export interface Victims {
  /** An admin. */
  email: string
  /** The email of a customer. */
  customer: string
  /** Of the admin. */
  orderId: string
  /** The id of an instrument with 34 pieces. */
  instrument: string
}

/** Every call of the API that may change something, and a choice of forms: each would work from the admin's own browser. */
export function unsafeRequests({ email, customer, orderId, instrument }: Victims): UnsafeRequest[] {
  const calls: Record<string, { id?: string; fields: UnsafeRequest['fields'] }> = {
    'POST /instruments': { fields: oboe },
    'DELETE /instruments/{id}': { id: instrument, fields: {} },
    'POST /instruments/{id}/stock': { id: instrument, fields: { change: -1, reason: 'Elsewhere' } },
    'PUT /instruments/{id}/stock': { id: instrument, fields: { quantity: 1, expected: 34, reason: 'Elsewhere' } },
    'POST /instrument-changes': { fields: { changes: [{ _id: instrument, price: 1 }] } },
    'POST /webhook-endpoints': { fields: { url: 'https://elsewhere.example/', events: ['order.paid'] } },
    'DELETE /webhook-endpoints/{id}': { id: email, fields: {} },
    'POST /webhook-endpoints/{id}/test': { id: email, fields: {} },
    'POST /order': { fields: { instrumentId: instrument, orderQuantity: 2, ...delivery } },
    'PATCH /order/{id}': { id: orderId, fields: { transactionId: 'pi_x' } },
    'DELETE /order/{id}': { id: email, fields: {} },
    'POST /order/{id}/shipment': { id: orderId, fields: {} },
    'POST /order/{id}/refunds': { id: orderId, fields: { amount: 1, reason: 'Elsewhere' } },
    'POST /create-payment-intent': { fields: { orderId, orderPrice: 2900 } },
    'POST /reviews': { fields: { description: 'Sent from elsewhere.' } },
    'PUT /user/{email}': { id: email, fields: {} },
    'PUT /update/{email}': { id: email, fields: { name: 'Mallory' } },
    'PUT /user/admin/{email}': { id: customer, fields: {} },
    'DELETE /user/admin/{email}': { id: email, fields: {} },
  }
  const forms: [path: string, fields: UnsafeRequest['fields']][] = [
    [`/instruments/${instrument}`, { submissionId: crypto.randomUUID(), orderQuantity: 2, ...delivery }],
    ['/dashboard/addReview', { submissionId: crypto.randomUUID(), description: 'Sent from elsewhere.' }],
    ['/dashboard/myProfile', { name: 'Mallory' }],
    ['/dashboard/makeAdmin', { email: customer, act: 'make-admin' }],
    ['/dashboard/addProduct', oboe],
    ['/dashboard/myOrders', { orderId }],
    ['/dashboard/manageProduct', { command: 'delete', instrumentId: instrument }],
    [`/dashboard/myOrders/payment/${orderId}`, {}],
    ['/sign-out', {}],
  ]
  return [
    ...apiPaths.flatMap(({ path, endpoints }) =>
      Object.keys(endpoints)
        .filter((method) => method !== 'GET')
        .map((method) => {
          const { id = '', fields } = calls[`${method} ${path}`]!
          return { isForm: false, method, path: path.replace(/\{\w+\}/, encodeURIComponent(id)), fields }
        }),
    ),
    ...forms.map(([path, fields]) => ({ isForm: true, method: 'POST', path, fields })),
  ]
}
