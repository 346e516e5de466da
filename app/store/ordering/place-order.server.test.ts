import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { expect, test, at, orderInput, parcel } from '../../../tests/support/store'
import { instruments, orders } from '../../db/schema'
import { cancelOrder } from './cancel-order.server'
import { newId } from '../shared/ids.server'
import { startIntent } from '../payments/payments.server'
import { findPlaced, NewOrder, placeOrder } from './place-order.server'
import { removeInstrument } from '../catalog/manage-instruments.server'

test.for([
  [{}, {}],
  [{ orderQuantity: 1_000_000 }, {}],
  [{ orderQuantity: 1_000_001 }, { orderQuantity: ['Cannot be more than available'] }],
  [{ orderQuantity: 0 }, { orderQuantity: ['cannot be less than minimum order'] }],
  [{ orderQuantity: 1.5 }, { orderQuantity: ['Order quantity must be a whole number'] }],
  [{ orderQuantity: 'two' }, { orderQuantity: ['Order quantity must be a whole number'] }],
  [{ orderQuantity: undefined }, { orderQuantity: ['Order quantity is Required'] }],
  [{ customerAddress: ' ' }, { customerAddress: ['Address is Required'] }],
  [{ customerAddress: 'a'.repeat(500) }, {}],
  [{ customerAddress: 'a'.repeat(501) }, { customerAddress: ['Address must be at most 500 characters'] }],
  [{ customerPhone: '1' }, { customerPhone: ['Phone must be 11 digits'] }],
  [{ unitPrice: 12, priceBreaks: '[{"from":10,"priceCents":9}]' }, {}],
  [{ priceBreaks: '[' }, { priceBreaks: [expect.any(String)] }],
  [{ replaceUnpaid: true }, {}],
] as const)('validates %j with the errors %j', ([values, errors]) => {
  const result = NewOrder.safeParse({ submissionId: newId(), orderQuantity: 2, ...parcel, ...values })
  expect(result.error ? z.flattenError(result.error).fieldErrors : {}).toEqual(errors)
})

test('stores the order with its terms and hold, and moves the stock', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Viola', price: 10_00, stock: 9 })
  const ada = await shop.customer({ name: 'Ada' })
  shop.invalidated.length = 0
  const form = orderInput(violin, 3)
  const { id } = await placeOrder({ ...at(shop, 1000), holdMs: 500 }, ada, { ...form, unitPrice: 10_00 })
  expect(await shop.ordersOf(ada)).toEqual([
    {
      ...{
        id,
        number: 1001,
        customerId: ada.id,
        instrumentId: violin,
        submissionId: form.submissionId,
        productName: 'Viola',
      },
      ...{ unitPriceCents: 10_00, quantity: 3, totalCents: 30_00, customerName: 'Ada', customerEmail: ada.email },
      ...{ ...parcel, state: 'unpaid', createdAt: 1000, holdUntil: 1500, paidAt: null, shippedAt: null },
      ...{
        cancelledAt: null,
        carrier: null,
        trackingNumber: null,
        trackingUrl: null,
        company: null,
        vatNumber: null,
        purchaseOrder: null,
        staffNote: null,
        refundedCents: 0,
        returnedQuantity: 0,
        transactionId: null,
        movedBy: ada.id,
        ipHash: null,
        quoteId: null,
        dispute: null,
        discountCode: null,
        discountCents: null,
        language: 'en',
      },
    },
  ])
  expect(shop.invalidated).toEqual(['stock'])
  expect((await shop.auditLogOf(violin, id))[0]).toMatchObject({
    ...{ event: 'order placed', actor: ada.id, stockDelta: -3, at: 1000 },
  })
})

test.for([
  { price: 50, quantity: 1, wrong: null },
  { price: 49, quantity: 1, wrong: 'A card can pay from $0.50 to $999,999.99 in one order' },
  { price: 49, quantity: 2, wrong: null },
  { price: 333_333_33, quantity: 3, wrong: null },
  { price: 500_000_00, quantity: 2, wrong: 'A card can pay from $0.50 to $999,999.99 in one order' },
  { price: 10_00, quantity: 10, wrong: null },
  { price: 10_00, quantity: 11, wrong: 'Cannot be more than available' },
  { price: 10_00, quantity: 2, minimum: 2, wrong: null },
  { price: 10_00, quantity: 1, minimum: 2, wrong: 'cannot be less than minimum order' },
])('$quantity at $price cents, from $minimum: $wrong', async ({ price, quantity, minimum, wrong }, { shop }) => {
  const violin = await shop.sells({ price, minimum, stock: 10 })
  const placing = placeOrder(shop.deps, await shop.customer(), orderInput(violin, quantity))
  if (wrong)
    await expect(placing).rejects.toMatchObject({ code: 'invalid', fields: { orderQuantity: [wrong] }, message: '' })
  else await placing
  expect(await shop.stockOf(violin)).toBe(wrong ? 10 : 10 - quantity)
})

const priceBreaks = [
  { from: 10, priceCents: 9_00 },
  { from: 20, priceCents: 8_00 },
]

test.for([
  [9, 10_00],
  [10, 9_00],
  [11, 9_00],
  [19, 9_00],
  [20, 8_00],
  [21, 8_00],
] as const)('sells %i pieces at %i cents each, by the price break (R46)', async ([quantity, cents], { shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 100, priceBreaks })
  const ada = await shop.customer()
  const place = (more: object) => placeOrder(shop.deps, ada, { ...orderInput(violin, quantity), ...more })
  const { id } = await place({})
  await place({ expectedTotal: cents * quantity })
  await place({ unitPrice: 10_00, priceBreaks })
  await shop.deps.db.update(instruments).set({ priceBreaks: [] })
  expect(await shop.ordersOf(ada)).toMatchObject([
    { id, quantity, unitPriceCents: cents, totalCents: cents * quantity },
    { totalCents: cents * quantity },
    { totalCents: cents * quantity },
  ])
})

test('refuses a total or a shown price that is not the one of the quantity', async ({ shop }) => {
  const violin = await shop.sells({ price: 10_00, stock: 100, priceBreaks })
  const ada = await shop.customer()
  const place = (quantity: number, more: object) =>
    placeOrder(shop.deps, ada, { ...orderInput(violin, quantity), ...more })
  const older = [{ from: 10, priceCents: 9_50 }, priceBreaks[1]!]
  for (const wrong of [
    { expectedTotal: 100_00 },
    { expectedTotal: 80_00 },
    { unitPrice: 10_00 },
    { unitPrice: 10_00, priceBreaks: older },
  ]) {
    await expect(place(10, wrong)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The price is now $9.00 each. Nothing was ordered.',
    })
  }
  await expect(place(9, { expectedTotal: 81_00 })).rejects.toMatchObject({ message: /now \$10\.00 each/ })
  // The price of this quantity is the same.
  for (const quantity of [9, 20]) await place(quantity, { unitPrice: 10_00, priceBreaks: older })
  expect(await shop.stockOf(violin)).toBe(71)
})

test('returns the same order for a repeated form, and refuses other input', async ({ shop }) => {
  const violin = await shop.sells({ stock: 2 })
  const ada = await shop.customer()
  const form = orderInput(violin, 2)
  const placed = await placeOrder(shop.deps, ada, form)
  shop.invalidated.length = 0
  await shop.deps.db.update(instruments).set({ priceCents: 1 }).where(eq(instruments.id, violin))
  expect(await placeOrder(shop.deps, ada, form)).toEqual({ ...placed, isRepeat: true })
  await removeInstrument(shop.deps, 'test', violin)
  expect(await placeOrder(shop.deps, ada, form)).toEqual({ ...placed, isRepeat: true })
  expect(await placeOrder(shop.deps, ada, { ...form, replaceUnpaid: true })).toEqual({ ...placed, isRepeat: true })
  for (const other of [
    { orderQuantity: 1 },
    { customerAddress: '2 Bow Lane' },
    { customerPhone: '07700 900124' },
    { instrumentId: 'another' },
  ]) {
    await expect(placeOrder(shop.deps, ada, { ...form, ...other })).rejects.toMatchObject({
      code: 'conflict',
      message: 'You already placed an order with this form. Order again to buy more.',
      isUsed: true,
    })
  }
  await cancelOrder(shop.deps, ada, placed.id)
  await expect(placeOrder(shop.deps, ada, form)).rejects.toMatchObject({
    code: 'conflict',
    message: 'You placed this order before, and it was cancelled. Order again if you still want it.',
  })
  expect(await shop.ordersOf(ada)).toHaveLength(1)
  expect(await shop.stockOf(violin)).toBe(2)
  expect(shop.invalidated).toEqual(['catalogue', 'stock'])
})

test('finds the order of a repeated submission if all its fields match', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Viola', price: 10_00 })
  const ada = await shop.customer({ name: 'Ada' })
  const form = orderInput(violin, 2)
  const find = (fields: object, who: { id: string } = ada) => findPlaced(shop.deps, who, { ...form, ...fields })
  expect(await find({})).toBeNull()
  const placed = await placeOrder(shop.deps, ada, form)
  const claims = { productName: 'Viola', customerName: 'Ada', customerEmail: ada.email, totalCents: 20_00 }
  for (const right of [{}, claims, { instrumentId: undefined }])
    expect(await find(right)).toEqual({ ...placed, isRepeat: true })
  expect(await find({ submissionId: newId() })).toBeNull()
  expect(await find({}, await shop.customer())).toBeNull()
  for (const wrong of [
    { productName: 'Violin' },
    { customerName: 'Bea' },
    { customerEmail: 'bea@example.com' },
    { totalCents: 20_01 },
    { instrumentId: 'another' },
    { orderQuantity: 3 },
  ]) {
    await expect(find(wrong)).rejects.toMatchObject({
      code: 'conflict',
      message: /placed an order with this form/,
      isUsed: true,
    })
  }
})

test('refuses an instrument that is missing or off sale', async ({ shop }) => {
  const violin = await shop.sells()
  await removeInstrument(shop.deps, 'test', violin)
  for (const id of [violin, 'none']) {
    await expect(placeOrder(shop.deps, await shop.customer(), orderInput(id, 1))).rejects.toMatchObject({
      code: 'not-found',
      message: 'This instrument is not on sale.',
    })
  }
})

test('asks to try again when the stock comes back between the insert and the read', async ({ shop }) => {
  const violin = await shop.sells({ stock: 1 })
  const ada = await shop.customer()
  const first = await placeOrder(shop.deps, ada, orderInput(violin, 1))
  const db = new Proxy(shop.deps.db, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name) as unknown
      return async (...args: Parameters<typeof target.batch>) => {
        await cancelOrder(shop.deps, ada, first.id)
        return target.batch(...args)
      }
    },
  })
  await expect(placeOrder({ ...shop.deps, db }, await shop.customer(), orderInput(violin, 1))).rejects.toMatchObject({
    code: 'conflict',
    message: 'Someone else just ordered these. Please try again.',
  })
})

test('throws database errors instead of a refusal', async ({ shop }) => {
  const violin = await shop.sells()
  const ada = await shop.customer()
  await shop.deps.db.run('ALTER TABLE users RENAME COLUMN name TO called')
  shop.skipInvariants('a column has another name')
  await expect(placeOrder(shop.deps, ada, orderInput(violin, 1))).rejects.not.toMatchObject({
    name: 'Refusal',
  })
})

test('replaces the customer’s own order and releases only the expired holds that it needs', async ({ shop }) => {
  const { deps, calls } = fakeProvider(shop)
  const violin = await shop.sells({ stock: 6 })
  const [ada, bea, eve] = [await shop.customer(), await shop.customer(), await shop.customer()]
  const place = (who: { id: string }, now: number, pieces: number, more = {}) =>
    placeOrder({ ...deps, holdMs: 1000, now: () => now }, who, { ...orderInput(violin, pieces), ...more })
  const old = await place(bea, 0, 2)
  const newer = await place(eve, 10, 2)
  const own = await place(ada, 20, 2)
  for (const [who, { id }] of [
    [bea, old],
    [eve, newer],
    [ada, own],
  ] as const)
    await startIntent(deps, who, id)
  calls.length = 0
  const placed = await place(ada, 1010, 4, { replaceUnpaid: true })
  expect(calls).toEqual(['close intent pi_3', 'close intent pi_1'])
  const [states, actors] = [new Map<string, string>(), new Map<string, string>()]
  for (const { id, state } of await shop.deps.db.select().from(orders)) states.set(id, state)
  for (const { orderId, event, actor } of await shop.auditLogOf(violin)) {
    if (event === 'order cancelled') actors.set(orderId!, actor)
  }
  expect([own, old, newer, placed].map(({ id }) => states.get(id))).toEqual([
    'cancelled',
    'cancelled',
    'unpaid',
    'unpaid',
  ])
  expect([own, old].map(({ id }) => actors.get(id))).toEqual([ada.id, 'hold expiry'])
})

test.for([
  { price: 50, quantity: 1 },
  { price: 333_333_33, quantity: 3 },
  { price: 10_00, quantity: 2, unitPrice: 10_00 },
])(
  'sells the stock of an expired hold for $price cents times $quantity',
  async ({ price, quantity, unitPrice }, { shop }) => {
    const violin = await shop.sells({ price, stock: quantity })
    const held = { ...shop.deps, now: () => 1, holdMs: 1 }
    await placeOrder(held, await shop.customer(), orderInput(violin, quantity))
    const buyer = await shop.customer()
    shop.invalidated.length = 0
    const { id } = await placeOrder(shop.deps, buyer, { ...orderInput(violin, quantity), unitPrice })
    expect(await shop.ordersOf(buyer)).toMatchObject([{ id, totalCents: price * quantity }])
    expect(shop.invalidated).toEqual(['stock'])
  },
)

test('expires no payment for an order that cannot be placed in any case', async ({ shop }) => {
  const { deps, calls } = fakeProvider(shop)
  const violin = await shop.sells({ stock: 4 })
  const [bea, ada] = [await shop.customer(), await shop.customer()]
  const expired = await placeOrder({ ...deps, now: () => 1, holdMs: 1 }, bea, orderInput(violin, 2))
  const own = await placeOrder(deps, ada, orderInput(violin, 2))
  for (const [who, { id }] of [
    [bea, expired],
    [ada, own],
  ] as const)
    await startIntent(deps, who, id)
  calls.length = 0
  for (const form of [orderInput(violin, 3), { ...orderInput(violin, 5), replaceUnpaid: true }]) {
    await expect(placeOrder(deps, ada, form)).rejects.toMatchObject({
      fields: { orderQuantity: ['Cannot be more than available'] },
    })
  }
  expect(calls).toEqual([])
})

test('checks the price and the submission again after it has released holds', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  const violin = await shop.sells({ price: 10_00, stock: 3 })
  const ada = await shop.customer()
  const first = await placeOrder(deps, ada, orderInput(violin, 3))
  await startIntent(deps, ada, first.id)
  const duringClose = (change: () => Promise<unknown>) => {
    const close: typeof deps.payments.close = async (...args) => {
      await change()
      return deps.payments.close(...args)
    }
    return { ...deps, payments: { ...deps.payments, close } }
  }
  const form = { ...orderInput(violin, 2), replaceUnpaid: true, unitPrice: 10_00 }
  const dearer = duringClose(() => deps.db.update(instruments).set({ priceCents: 11_00 }))
  await expect(placeOrder(dearer, ada, form)).rejects.toMatchObject({
    message: 'The price is now $11.00 each. Nothing was ordered.',
  })
  await deps.db.update(instruments).set({ priceCents: 10_00 })
  await startIntent(deps, ada, first.id)
  // Another window sends the same form first.
  let firstId = ''
  const racing = duringClose(async () => {
    if (firstId === '') firstId = 'pending'
    else return
    firstId = (await placeOrder(deps, ada, form)).id
  })
  shop.invalidated.length = 0
  expect(await placeOrder(racing, ada, form)).toEqual({ id: firstId, isRepeat: true })
  expect(shop.invalidated).toEqual(['stock'])
})

test('places an order in one database call when stock is available', async ({ shop }) => {
  const db = new Proxy(shop.deps.db, {
    get: (target, name) => {
      if (name === 'batch') throw new Error('a second look')
      return Reflect.get(target, name) as unknown
    },
  })
  await placeOrder({ ...shop.deps, db }, await shop.customer(), orderInput(await shop.sells(), 1))
})
