import { confirm } from './card-form'
import { createApiKey } from '../../app/store/integrations/api-keys.server'
import { scopes } from '../../app/store/integrations/scopes'
import { newId } from '../../app/store/shared/ids.server'
import { nobody, Program, programOf } from './api-client'
import type { Customer, Shop } from './shop'
import { eventsAt, signed } from '../stress/provider'

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

export async function tourByProgram(
  shop: Shop,
  { customer, admin, instrument }: { customer: Customer; admin: Customer; instrument: string },
  next: (what: string) => void,
): Promise<void> {
  next('a token')
  const [customerApi, adminApi] = [await programOf(shop, customer), await programOf(shop, admin)]
  const call = async (by: typeof customerApi, method: string, path: string, body?: object) => {
    next(`${method} ${path}`)
    const response = await by.call<Record<string, string>>(method, path, body, { 'idempotency-key': newId() })
    if (response.status !== 200)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }
  const visitor = nobody(shop)
  for (const query of ['', '?limit=20', '?limit=20&after=i900', '?family=strings&limit=20', '?q=no.%207&limit=20'])
    await call(visitor, 'GET', `/instruments${query}`)
  await call(visitor, 'GET', `/instruments/${instrument}`)
  for (const query of ['', '?limit=20', '?limit=20&after=r900']) await call(visitor, 'GET', `/reviews${query}`)
  await call(customerApi, 'POST', '/reviews', { description: 'Good' })
  await call(customerApi, 'PUT', `/update/${customer.email}`, { name: 'Ada' })
  await call(customerApi, 'GET', `/admin/${customer.email}`)
  await call(adminApi, 'GET', `/admin/${customer.email}`)
  await call(adminApi, 'PUT', '/user/admin/u9@example.com')
  await call(adminApi, 'DELETE', '/user/admin/u9@example.com')
  for (const query of ['', '?limit=20', '?limit=20&after=u900']) await call(adminApi, 'GET', `/user${query}`)
  const own = `customerEmail=${customer.email}`
  for (const query of [`?${own}`, `?${own}&limit=20`, `?${own}&limit=20&after=o1000`])
    await call(customerApi, 'GET', `/order${query}`)
  for (const query of ['', '?limit=20', '?limit=20&after=o1000']) await call(adminApi, 'GET', `/order${query}`)

  const orderInput = { productName: 'Popular Violin', orderQuantity: 7, ...parcel }
  const paid = (await call(customerApi, 'POST', '/order', orderInput)).insertedId!
  await call(customerApi, 'GET', `/order/${paid}`)
  const opened = await call(customerApi, 'POST', '/create-payment-intent', { orderPrice: 700 })
  await confirm(shop, opened.clientSecret!)
  const transactionId = opened.clientSecret!.split('_secret')[0]
  await call(customerApi, 'PATCH', `/order/${paid}`, { order: paid, transactionId })
  const key = await createApiKey(shop.deps, admin, { name: 'x', scopes: [...scopes], days: 30, submissionId: newId() })
  await call(new Program(shop.visitor(), key.key), 'POST', `/order/${paid}/shipment`, { carrier: 'DHL' })
  await call(adminApi, 'POST', `/order/${paid}/refunds`, { amount: 1, reason: 'Dent', restock: 1 })
  const { next: cursor } = await call(adminApi, 'GET', '/order-changes')
  await call(adminApi, 'GET', `/order-changes?limit=20&after=${cursor!}`)
  const named = (
    await call(customerApi, 'POST', '/order', { ...orderInput, productName: undefined, instrumentId: instrument })
  ).insertedId!
  await call(customerApi, 'DELETE', `/order/${customer.email}?orderId=${named}`)
  await call(adminApi, 'DELETE', '/order/u9@example.com')
  await call(adminApi, 'POST', '/instruments', {
    name: 'Shawm',
    img: '/plates/oboe.svg',
    price: 5,
    availableQuantity: 1,
    minQuantity: 1,
  })
  await call(adminApi, 'POST', '/instruments/i9/stock', { change: 2, reason: 'Delivery' })
  const { availableQuantity } = await call(visitor, 'GET', '/instruments/i9')
  const [quantity, expected] = [0, Number(availableQuantity)]
  await call(adminApi, 'PUT', '/instruments/i9/stock', { quantity, expected, reason: 'Counted' })
  await call(adminApi, 'DELETE', '/instruments/i9')

  const endpoint = { url: 'http://127.0.0.1:9/', events: ['order.paid'] }
  const { insertedId } = await call(adminApi, 'POST', '/webhook-endpoints', endpoint)
  await call(adminApi, 'GET', '/webhook-endpoints')
  await call(adminApi, 'POST', `/webhook-endpoints/${insertedId!}/test`)
  await call(adminApi, 'DELETE', `/webhook-endpoints/${insertedId!}`)

  next('events of the payment provider')
  for (const event of await eventsAt(shop.sandbox.url)) {
    const { body, signature } = await signed(event)
    const headers = { 'stripe-signature': signature }
    await shop.visitor().fetch('/webhooks/stripe', { method: 'POST', body, headers })
  }
}
