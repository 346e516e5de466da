import { eq } from 'drizzle-orm'
import { nextOrderNumber } from '../orders/orders.server'
import { expect, test, type Customer, type Store, noon, minute, at, orderInput } from '../../../tests/support/store'
import { emails, orders, users } from '../../db/schema'
import { cancelOrder } from './cancel-order.server'
import { newId } from '../shared/ids.server'
import { orderLimits, unverifiedIpLimits } from '../shared/limits'
import { readOrderForm } from './order-form.server'
import { forgetIps, holdOf, limitError } from './order-limits.server'
import { placeOrder } from './place-order.server'

const outcome = (order: Promise<unknown>) =>
  order.then(
    () => 'placed',
    (error: unknown) => (error as { code: string }).code,
  )

/** Rows of the customer beside what commands place: quick, and of any age. */
async function holds(shop: Store, customer: Customer, instrumentId: string, quantities: number[], more: object = {}) {
  for (const quantity of quantities) {
    const { submissionId, customerAddress, customerPhone } = orderInput(instrumentId, quantity)
    await shop.deps.db.insert(orders).values({
      id: newId(),
      number: nextOrderNumber,
      customerId: customer.id,
      instrumentId,
      submissionId,
      productName: 'Concert Violin',
      unitPriceCents: 10_00,
      quantity,
      totalCents: quantity * 10_00,
      customerName: customer.name,
      customerEmail: customer.email,
      customerAddress,
      customerPhone,
      createdAt: noon - 90 * minute,
      movedBy: customer.id,
      ...more,
    })
  }
}

const times = (count: number, value = 1) => Array<number>(count).fill(value)

test.for([
  ['unverified', orderLimits.unverified.unpaidOrders, false],
  ['verified', orderLimits.verified.unpaidOrders, true],
] as const)('an %s customer holds at most %d unpaid orders', async ([, max, verified], { shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 1000 })
  const ada = await shop.customer({ verified })
  await holds(shop, ada, violin, times(max - 1))
  const deps = at(shop, noon)
  const form = orderInput(violin, 1)
  expect(await outcome(placeOrder(deps, ada, form))).toBe('placed')
  await expect(placeOrder(deps, ada, orderInput(violin, 1))).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('too many unpaid orders') as string,
  })
  // The same form again is the same order, and a replacement takes the place of the others.
  expect(await placeOrder(deps, ada, form)).toMatchObject({ isRepeat: true })
  expect(await outcome(placeOrder(deps, ada, { ...orderInput(violin, 1), replaceUnpaid: true }))).toBe('placed')
})

test.for([
  { minimum: 1, stock: 100, held: 0, most: 50 },
  { minimum: 1, stock: 10, held: 0, most: 10 },
  { minimum: 1, stock: 6, held: 0, most: 6 },
  { minimum: 15, stock: 20, held: 0, most: 15 },
  { minimum: 1, stock: 1000, held: 0, most: 100 },
  { minimum: 150, stock: 1000, held: 0, most: 150 },
  { minimum: 1, stock: 61, held: 21, most: 30 },
])(
  'an unverified customer can order up to a share of the stock: %j',
  async ({ minimum, stock, held, most }, { shop }) => {
    const violin = await shop.sells({ price: 10_00, minimum, stock })
    const ada = await shop.customer({ verified: false })
    const deps = at(shop, noon)
    if (held > 0) await placeOrder(deps, ada, orderInput(violin, held))
    expect(await readOrderForm(deps, ada, violin)).toMatchObject({ holdMs: 45 * minute })
    expect(await outcome(placeOrder(deps, ada, orderInput(violin, most - held + 1)))).not.toBe('placed')
    expect(await outcome(placeOrder(deps, ada, orderInput(violin, most - held)))).toBe('placed')
    await shop.deps.db.update(users).set({ emailVerifiedAt: noon + 1 })
    expect(await readOrderForm(deps, ada, violin)).toMatchObject({ holdMs: 72 * 60 * minute })
  },
)

test.for([
  [72, true, 72],
  [72, false, 0.75],
  [0.5, false, 0.5],
  [0, true, null],
  [0, false, 0.75],
] as const)('of %d hours, the hold of a customer (verified: %s) is %d hours', ([hours, isVerified, hold], { shop }) => {
  const holdMs = holdOf({ ...shop.deps, holdMs: hours * 60 * minute }, { isVerified })
  expect(holdMs).toBe(hold && hold * 60 * minute)
})

test('parallel orders cannot pass the limit', async ({ shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 1000 })
  const ada = await shop.customer({ verified: false })
  const results = await Promise.all(times(8).map(() => outcome(placeOrder(shop.deps, ada, orderInput(violin, 1)))))
  expect(results.filter((result) => result === 'placed')).toHaveLength(orderLimits.unverified.unpaidOrders)
})

test.for([
  ['unverified', orderLimits.unverified.unpaidPieces, false],
  ['verified', orderLimits.verified.unpaidPieces, true],
] as const)('an %s customer holds at most %d unpaid pieces', async ([, max, verified], { shop }) => {
  const [violin, viola] = [
    await shop.sells({ price: 10_00, stock: 100_000 }),
    await shop.sells({ price: 10_00, stock: 100_000 }),
  ]
  const ada = await shop.customer({ verified })
  await holds(shop, ada, viola, [max - 10])
  const order = (quantity: number) => outcome(placeOrder(at(shop, noon), ada, orderInput(violin, quantity)))
  expect(await order(11)).toBe('conflict')
  expect(await order(10)).toBe('placed')
  expect(await order(1)).toBe('conflict')
})

test('one order of a verified customer may be of any size, of an unverified one of the minimum', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer({ verified: false })]
  const violin = await shop.sells({ price: 10_00, stock: 10_000 })
  const rosin = await shop.sells({ price: 1_00, stock: 10_000, minimum: 300 })
  expect(await outcome(placeOrder(shop.deps, bea, orderInput(rosin, 301)))).toBe('conflict')
  expect(await outcome(placeOrder(shop.deps, bea, orderInput(rosin, 300)))).toBe('placed')
  expect(await outcome(placeOrder(shop.deps, ada, orderInput(violin, 950)))).toBe('placed')
})

test('an unverified customer may hold the minimum order, whatever share it is', async ({ shop }) => {
  const cases = await shop.sells({ price: 10_00, stock: 20, minimum: 15 })
  const ada = await shop.customer({ verified: false })
  expect(await outcome(placeOrder(shop.deps, ada, orderInput(cases, 16)))).toBe('invalid')
  expect(await outcome(placeOrder(shop.deps, ada, orderInput(cases, 15)))).toBe('placed')
})

test.for([
  { stock: 12, most: 10 },
  { stock: 60, most: 30 },
])('an unverified customer holds at most $most of $stock pieces', async ({ stock, most }, { shop }) => {
  const violin = await shop.sells({ price: 10_00, stock })
  const ada = await shop.customer({ verified: false })
  const order = (quantity: number) => placeOrder(shop.deps, ada, orderInput(violin, quantity))
  await expect(order(most + 1)).rejects.toMatchObject({
    code: 'invalid',
    fields: { orderQuantity: ['Verify your email to order more than half of what is available'] },
  })
  expect(await outcome(order(most - 1))).toBe('placed')
  expect(await outcome(order(2))).toBe('invalid')
  expect(await outcome(order(1))).toBe('placed')
  expect(await outcome(placeOrder(shop.deps, await shop.customer(), orderInput(violin, stock - most)))).toBe('placed')
})

test.for([
  ['unverified', orderLimits.unverified.ordersPerQuarterHour, false],
  ['verified', orderLimits.verified.ordersPerQuarterHour, true],
] as const)('an %s customer places at most %d orders in a quarter of an hour', async ([, max, verified], { shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 1000 })
  const ada = await shop.customer({ verified })
  await holds(shop, ada, violin, times(max - 1), { createdAt: noon })
  await shop.deps.db.update(orders).set({ state: 'cancelled', cancelledAt: noon })
  const { id } = await placeOrder(at(shop, noon), ada, orderInput(violin, 1))
  await cancelOrder(at(shop, noon), ada, id)
  const again = (now: number) => placeOrder(at(shop, now), ada, orderInput(violin, 1))
  await expect(again(noon + 15 * minute - 1)).rejects.toMatchObject({ code: 'too-many', retryAfter: 900 })
  expect(await outcome(again(noon + 15 * minute))).toBe('placed')
})

test('limits what the unverified customers of one IP address hold and place', async ({ shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 10_000 })
  const [ada, bea, verified] = [
    await shop.customer({ verified: false }),
    await shop.customer({ verified: false }),
    await shop.customer(),
  ]
  await placeOrder(at(shop, noon - 90 * minute), ada, orderInput(violin, 1))
  const [first] = await shop.ordersOf(ada)
  const { ipHash } = first!
  expect(ipHash).toMatch(/^\S{40,}$/)
  const order = (who: Customer, deps: object = {}, quantity = 1) =>
    outcome(placeOrder({ ...at(shop, noon), ...deps }, who, orderInput(violin, quantity)))

  await holds(shop, ada, violin, times(unverifiedIpLimits.unpaidOrders - 2), { ipHash })
  expect(await order(bea)).toBe('placed')
  expect(await order(bea)).toBe('too-many')
  expect(await order(verified)).toBe('placed')
  expect(await order(bea, { ip: '198.51.100.7' })).toBe('placed')

  await shop.deps.db.update(orders).set({ state: 'cancelled', cancelledAt: noon })
  await holds(shop, ada, violin, [unverifiedIpLimits.unpaidPieces - 2], { ipHash })
  expect(await order(bea, {}, 3)).toBe('too-many')
  expect(await order(bea, {}, 2)).toBe('placed')
  expect((await shop.ordersOf(verified))[0]!.ipHash).toBeNull()
})

test('forgets an IP address after an hour, when the order is no longer unpaid', async ({ shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 100 })
  const ada = await shop.customer({ verified: false })
  const [first, second] = [
    await placeOrder(at(shop, noon), ada, orderInput(violin, 1)),
    await placeOrder(at(shop, noon), ada, orderInput(violin, 1)),
  ]
  await cancelOrder(at(shop, noon), ada, first.id)
  const known = async () => (await shop.ordersOf(ada)).filter(({ ipHash }) => ipHash !== null).map(({ id }) => id)
  await forgetIps(at(shop, noon + 60 * minute - 1))
  expect(await known()).toHaveLength(2)
  await forgetIps(at(shop, noon + 60 * minute))
  expect(await known()).toEqual([second.id])
})

test('holds pieces of an unverified customer for 45 minutes, and longer for nobody who renews', async ({ shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 100 })
  const [ada, bea] = [await shop.customer({ verified: false }), await shop.customer()]
  const hold = async (who: Customer, now: number, more: object = {}, deps: object = {}) => {
    const { id } = await placeOrder({ ...at(shop, now), ...deps }, who, { ...orderInput(violin, 1), ...more })
    return (await shop.ordersOf(who)).find((order) => order.id === id)!.holdUntil
  }
  expect(await hold(ada, noon)).toBe(noon + 45 * minute)
  expect(await hold(ada, noon + 5 * minute, { replaceUnpaid: true })).toBe(noon + 45 * minute)
  expect(await hold(ada, noon, {}, { holdMs: minute })).toBe(noon + minute)
  expect(await hold(ada, noon, {}, { holdMs: 0 })).toBe(noon + 45 * minute)
  expect(await hold(bea, noon)).toBe(noon + 72 * 60 * minute)
  expect(await hold(bea, noon + minute, { replaceUnpaid: true })).toBe(noon + 72 * 60 * minute)
  expect(await hold(bea, noon, {}, { holdMs: 0 })).toBeNull()
})

test('emails about orders go to verified customers only', async ({ shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 100 })
  const ada = await shop.customer({ verified: false })
  await placeOrder(at(shop, noon), ada, orderInput(violin, 1))
  await shop.readLog()
  expect(await shop.deps.db.select().from(emails)).toEqual([])
  await shop.deps.db
    .update(users)
    .set({ emailVerifiedAt: noon + 1 })
    .where(eq(users.id, ada.id))
  await placeOrder(at(shop, noon + 1), ada, orderInput(violin, 1))
  await shop.readLog()
  expect(await shop.deps.db.select().from(emails)).toMatchObject([{ recipient: ada.email }])
})

const soon = 'You have placed too many orders in a short time.'
const network = 'Too many unpaid orders came from your network. Verify your email, or wait 15 minutes and try again.'
const orderLess = 'Your unpaid orders would have too many pieces. Pay or cancel one, order fewer, or'

test.for([
  ['rate', { code: 'too-many', message: `${soon} Please wait 15 minutes and try again.`, retryAfter: 900 }],
  ['ip', { code: 'too-many', message: network, retryAfter: 900 }],
  [
    'orders',
    {
      code: 'conflict',
      message: 'You have too many unpaid orders. Pay or cancel one, or verify your email if you have not yet.',
    },
  ],
  ['pieces', { code: 'conflict', message: `${orderLess} verify your email if you have not yet.` }],
] as const)('says what to do about the limit %s, and when to try again', ([limit, refusal]) => {
  expect(limitError(limit)).toMatchObject(refusal)
})
