import { contactMessages, reviews } from '../../app/db/schema'
import { addInstrument, removeInstrument, setHidden } from '../../app/store/catalog/manage-instruments.server'
import { closeAccount } from '../../app/store/privacy/close-account.server'
import { newId } from '../../app/store/shared/ids.server'
import { cancelOrder } from '../../app/store/ordering/cancel-order.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { shipOrder } from '../../app/store/orders/manage-order.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { startCheckout } from '../../app/store/payments/payments.server'
import { askForPrice, offerPrice } from '../../app/store/quotes/quotes.server'
import type { Program } from './api-client'
import { payAt } from './hosted-page'
import { day, type Customer, type Shop } from './shop'

/** An instrument in the JSON. */
export interface Listed {
  _id: string
  name: string
  price: number
  minQuantity: number
  availableQuantity: number
  family?: string
  priceBreaks?: { from: number; price: number }[]
}

/** What was done, as far as the specified JSON does not say it. */
export interface Done {
  /** Ids of instruments. */
  hidden: string[]
  /** Pieces of expired holds, and low-stock thresholds, by the name of the instrument. */
  expired: Record<string, number>
  thresholds: Record<string, number>
  /** Ids of orders. */
  shipped: string[]
  cancelled: { orderQuantity: number; orderPrice: number }[]
  /** Pieces that went back to stock, by the id of the order. */
  returned: Record<string, number>
  messages: { open: number; done: number }
  /** Newest first. */
  requests: { id: string; asked: number; offer?: { quantity: number; price: number } }[]
  hiddenReviews: number
  /** Names of those who have neither verified their email nor paid. */
  notOnHome: string[]
}

export const nothingDone = (): Done => ({
  ...{ hidden: [], expired: {}, thresholds: {}, shipped: [], cancelled: [], returned: {} },
  ...{ messages: { open: 0, done: 0 }, requests: [], hiddenReviews: 0, notOnHome: [] },
})

const parcel = { customerAddress: 'Bow Lane', customerPhone: '+39 0372 555 0199' }

/**
 * Instruments without a family, sold out, short, hidden and deleted; prices that floats cannot hold; an order in each state, an expired
 * hold and a closed account; more of each list than a page has. No name has a digit.
 */
export async function fillOddly(
  shop: Shop,
  { admin, eve, program }: { admin: Customer; eve: { id: string }; program: Program },
): Promise<{ ada: Customer; done: Done }> {
  const done = nothingDone()
  await addInstruments(shop, admin, program, done)
  const ada = await shop.customer({ name: 'Ada', email: 'ada@example.com' })
  const bea = await shop.customer({ name: 'Bea', email: 'bea@example.com' })
  const { body: listed } = await program.call<Listed[]>('GET', '/instruments')
  await addOrders(shop, { admin, ada, bea, listed, done })
  await addWords(shop, { eve, ada, bea, done })
  await closeAccount(shop.deps, bea)
  const idOf = (name: string) => listed.find((each) => each.name === name)!._id
  for (const [nth, asked] of [30, 8].entries()) {
    const deps = { ...shop.deps, now: () => Date.now() + nth }
    const request = { submissionId: newId(), instrumentId: idOf('Horn'), orderQuantity: asked }
    done.requests.unshift({ id: (await askForPrice(deps, ada, request)).id, asked })
  }
  const [newest] = done.requests
  newest!.offer = { quantity: 20, price: 0.9 }
  const validUntil = Date.now() + 9 * day
  await offerPrice(shop.deps, admin, newest!.id, { price: 90, orderQuantity: 20, validUntil })
  await shop.readLog()
  return { ada, done }
}

async function addInstruments({ deps }: Shop, admin: Customer, program: Program, done: Done): Promise<void> {
  const plain = { img: '/plates/oboe.svg', description: '', minQuantity: 1, availableQuantity: 20 }
  // As the specification has it.
  for (const each of [
    { ...plain, name: 'Kazoo in the dark', price: 0.5, minQuantity: 3, availableQuantity: 4 },
    { ...plain, name: 'kazoo & <b>sons</b>', price: 19.99, availableQuantity: 0 },
    { ...plain, name: 'Ωboe', price: 999_999.99, availableQuantity: 1, minQuantity: 5 },
    { ...plain, name: '🎺', price: 1234.5 },
    { ...plain, name: 'Horn', price: 1.1, minQuantity: 7, availableQuantity: 1_000_000 },
    { ...plain, name: 'KAZOO', price: 33.33 },
  ]) {
    const { status } = await program.call('POST', '/instruments', each)
    if (status !== 200) throw new Error(`${each.name}: ${status}`)
  }
  const ids: string[] = []
  for (let nth = 0; nth < 55; nth++) {
    const name = `Reed ${String.fromCharCode(97 + (nth % 26))} ${'xyz'[Math.floor(nth / 26)]}`
    const lowStock = nth % 9 === 0 ? 30 : undefined
    if (lowStock !== undefined) done.thresholds[name] = lowStock
    const family = (['strings', 'strings', 'brass', undefined] as const)[nth % 4]
    const priceBreaks = nth === 1 ? [{ from: 5, priceCents: 10_01 }] : []
    const price = 50 + nth * 19_99
    ids.push((await addInstrument(deps, admin.id, { ...plain, name, price, family, lowStock, priceBreaks })).id)
  }
  done.hidden = ids.slice(50, 52)
  for (const id of done.hidden) await setHidden(deps, admin, id, true)
  await removeInstrument(deps, admin.id, ids[49]!)
}

interface People {
  admin: Customer
  ada: Customer
  bea: Customer
  listed: Listed[]
  done: Done
}

async function addOrders({ deps }: Shop, { admin, ada, bea, listed, done }: People): Promise<void> {
  const place = async (who: Customer, name: string, orderQuantity: number, at = Date.now()) => {
    const instrumentId = listed.find((each) => each.name === name)!._id
    const order = { instrumentId, orderQuantity, submissionId: newId(), ...parcel }
    return (await placeOrder({ ...deps, now: () => at }, who, order)).id
  }
  const buy = async (who: Customer, name: string, orderQuantity: number) => {
    const id = await place(who, name, orderQuantity)
    await payAt((await startCheckout(deps, who, id)).url)
    await confirmOrderPayment(deps, id)
    return id
  }
  const refund = async (id: string, amount: number, restock: number) => {
    await refundOrder(deps, admin, id, { submissionId: newId(), amount, restock, reason: 'Dent' })
    done.returned[id] = restock
  }
  await place(ada, 'Kazoo in the dark', 3, Date.now() - 9 * day)
  done.expired['Kazoo in the dark'] = 3
  await place(ada, 'KAZOO', 2)
  await buy(ada, 'Horn', 7)
  const shipped = await buy(ada, '🎺', 1)
  await shipOrder(deps, admin, shipped)
  done.shipped.push(shipped)
  await refund(await buy(ada, 'KAZOO', 2), 1_11, 1)
  await refund(await buy(ada, '🎺', 1), 1234_50, 0)
  await refund(await buy(ada, '🎺', 1), 1_00, 1)
  await buy(ada, 'Reed b x', 5)
  await buy(bea, '🎺', 1)
  await cancelOrder(deps, ada, await place(ada, 'Horn', 9))
  done.cancelled.push({ orderQuantity: 9, orderPrice: 9.9 })
}

/** Reviews and messages. */
async function addWords(
  { deps }: Shop,
  { eve, ada, bea, done }: { eve: { id: string }; ada: Customer; bea: Customer; done: Done },
): Promise<void> {
  const now = Date.now()
  const authors = [
    { name: 'Eve', userId: eve.id },
    { name: 'Hidden', hiddenAt: now, hiddenReason: 'Rude' },
    { name: 'Bea', userId: bea.id },
    { name: 'Ada', userId: ada.id },
    { name: 'Ada', userId: ada.id },
    { name: 'Hidden', hiddenAt: now, hiddenReason: 'Rude' },
    ...Array.from({ length: 25 }, () => ({ name: 'Reader' })),
  ]
  const review = { img: '/art/avatar.svg', description: 'Fine.' }
  await deps.db
    .insert(reviews)
    .values(authors.map((author, nth) => ({ ...review, ...author, id: newId(), createdAt: now - nth })))
  done.hiddenReviews = 2
  done.notOnHome = ['Eve']
  const message = { name: 'Zoë', email: 'zoe@example.com', message: 'Hello', copy: 0, createdAt: now }
  const messages = Array.from({ length: 27 }, (_, nth) => ({ ...message, id: newId(), doneAt: nth === 0 ? now : null }))
  await deps.db.insert(contactMessages).values(messages)
  done.messages = { open: 26, done: 1 }
}
