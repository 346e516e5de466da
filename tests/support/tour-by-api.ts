import { confirm } from './card-form'
import { nobody, programOf } from './api-client'
import type { Customer, Shop } from './shop'
import { eventsAt, signed } from '../stress/provider'

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

/** The same by programs: every call of the API, and the messages of the payment provider. */
export async function tourByProgram(
  shop: Shop,
  { customer, admin, instrument }: { customer: Customer; admin: Customer; instrument: string },
  next: (what: string) => void,
): Promise<void> {
  next('a token')
  const [mine, theirs] = [await programOf(shop, customer), await programOf(shop, admin)]
  const call = async (by: typeof mine, method: string, path: string, body?: object) => {
    next(`${method} ${path}`)
    const told = await by.call<Record<string, string>>(method, path, body)
    if (told.status !== 200) throw new Error(`${method} ${path}: ${told.status} ${JSON.stringify(told.body)}`)
    return told.body
  }
  const anybody = nobody(shop)
  for (const query of ['', '?limit=20', '?limit=20&after=i900', '?family=strings&limit=20', '?q=no.%207&limit=20'])
    await call(anybody, 'GET', `/instruments${query}`)
  await call(anybody, 'GET', `/instruments/${instrument}`)
  for (const query of ['', '?limit=20', '?limit=20&after=r900']) await call(anybody, 'GET', `/reviews${query}`)
  await call(mine, 'POST', '/reviews', { description: 'Good' })
  await call(mine, 'PUT', `/update/${customer.email}`, { name: 'Ada' })
  await call(mine, 'GET', `/admin/${customer.email}`)
  await call(theirs, 'GET', `/admin/${customer.email}`)
  await call(theirs, 'PUT', '/user/admin/u9@example.com')
  for (const query of ['', '?limit=20', '?limit=20&after=u900']) await call(theirs, 'GET', `/user${query}`)
  const own = `customerEmail=${customer.email}`
  for (const query of [`?${own}`, `?${own}&limit=20`, `?${own}&limit=20&after=o1000`])
    await call(mine, 'GET', `/order${query}`)
  for (const query of ['', '?limit=20', '?limit=20&after=o1000']) await call(theirs, 'GET', `/order${query}`)

  const wish = { productName: 'Popular Violin', orderQuantity: 7, ...parcel }
  const paid = (await call(mine, 'POST', '/order', wish)).insertedId!
  await call(mine, 'GET', `/order/${paid}`)
  const opened = await call(mine, 'POST', '/create-payment-intent', { orderPrice: 700 })
  await confirm(shop, opened.clientSecret!)
  const transactionId = opened.clientSecret!.split('_secret')[0]
  await call(mine, 'PATCH', `/order/${paid}`, { order: paid, transactionId })
  const named = (await call(mine, 'POST', '/order', { ...wish, productName: undefined, instrumentId: instrument }))
    .insertedId!
  await call(mine, 'DELETE', `/order/${customer.email}?orderId=${named}`)
  await call(theirs, 'DELETE', '/order/u9@example.com')
  await call(theirs, 'POST', '/instruments', {
    name: 'Shawm',
    img: '/plates/oboe.svg',
    price: 5,
    availableQuantity: 1,
    minQuantity: 1,
  })
  await call(theirs, 'DELETE', '/instruments/i9')

  next('events of the payment provider')
  for (const event of await eventsAt(shop.sandbox.url)) {
    const { body, signature } = await signed(event)
    const headers = { 'stripe-signature': signature }
    await shop.visitor().fetch('/webhooks/stripe', { method: 'POST', body, headers })
  }
}
