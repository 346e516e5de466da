import { eq } from 'drizzle-orm'
import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { anOrder, cancelBehindItsBack, later } from '../../../tests/support/payments'
import { expect, test, type Store, minute, at } from '../../../tests/support/store'
import { orders, paymentAttempts } from '../../db/schema'
import {
  markOpened,
  beginAttempt,
  closeAttempt,
  findAttempt,
  findAttemptById,
  isAbandoned,
  claimAttemptsToCheck,
} from './attempts.server'
import { ProviderError } from '../deps'
import { startCheckout, startIntent } from './payments.server'

const attemptsOf = (shop: Store, id: string) =>
  shop.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, id)).orderBy(paymentAttempts.attempt)

test('starts an attempt that expires after two hours and is first checked after five minutes', async ({ shop }) => {
  const { id } = await anOrder(shop)
  expect(await findAttempt(shop.deps, id)).toBeNull()
  expect(await findAttemptById(shop.deps, 'cs_1')).toBeNull()
  expect(await beginAttempt(at(shop, 1000), id, 'checkout')).toEqual({
    orderId: id,
    attempt: 1,
    kind: 'checkout',
    state: 'opening',
    providerId: null,
    url: null,
    createdAt: 1000,
    expiresAt: 1000 + 120 * minute,
  })
  expect(await attemptsOf(shop, id)).toMatchObject([{ askAt: 1000 + 5 * minute }])
})

test('joins the open attempt of the same kind, and numbers a new one after a closed one', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const first = await beginAttempt(shop.deps, id, 'checkout')
  expect(await beginAttempt(shop.deps, id, 'checkout')).toEqual(first)
  expect(await beginAttempt(shop.deps, id, 'intent')).toBeNull()
  await closeAttempt(shop.deps, first!)
  expect(await beginAttempt(shop.deps, id, 'intent')).toMatchObject({ attempt: 2, kind: 'intent' })
  expect(await findAttempt(shop.deps, id)).toMatchObject({ attempt: 2 })
})

test('asks the provider for at most 20 payments of one order', async ({ shop }) => {
  const { id } = await anOrder(shop)
  for (let nth = 0; nth < 20; nth++) await closeAttempt(shop.deps, (await beginAttempt(shop.deps, id, 'intent'))!)
  await expect(beginAttempt(shop.deps, id, 'intent')).rejects.toMatchObject({
    code: 'conflict',
    message: 'You have tried to pay for this order too many times. Cancel it and order again.',
  })
})

test('refuses to start a payment of a cancelled order', async ({ shop }) => {
  const { id } = await anOrder(shop)
  await cancelBehindItsBack(shop, id)
  await expect(beginAttempt(shop.deps, id, 'intent')).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order can no longer be paid.',
  })
})

test('opens an attempt once, and not after it was closed', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const first = (await beginAttempt(shop.deps, id, 'checkout'))!
  expect(await markOpened(shop.deps, first, { id: 'cs_1', url: 'https://pay.example/1' })).toBe(true)
  expect(await markOpened(shop.deps, first, { id: 'cs_1', url: 'https://pay.example/1' })).toBe(true)
  expect(await markOpened(shop.deps, first, { id: 'cs_2' })).toBe(false)
  expect(await findAttemptById(shop.deps, 'cs_1')).toMatchObject({ orderId: id, url: 'https://pay.example/1' })
  // `first` was read as `opening`, so it must not close the attempt that is open by now.
  await closeAttempt(shop.deps, first)
  expect(await findAttempt(shop.deps, id)).toMatchObject({ state: 'open' })
  await closeAttempt(shop.deps, { ...first, state: 'open' })
  const second = (await beginAttempt(shop.deps, id, 'checkout'))!
  await closeAttempt(shop.deps, second)
  expect(await markOpened(shop.deps, second, { id: 'cs_3' })).toBe(false)
  expect((await attemptsOf(shop, id)).map(({ state, providerId }) => [state, providerId])).toEqual([
    ['closed', 'cs_1'],
    ['closed', null],
  ])
})

test('closes only the attempt of its own order', async ({ shop }) => {
  const [one, other] = [await anOrder(shop), await anOrder(shop)]
  const attempt = (await beginAttempt(shop.deps, one.id, 'checkout'))!
  await markOpened(shop.deps, (await beginAttempt(shop.deps, other.id, 'checkout'))!, { id: 'cs_9' })
  await closeAttempt(shop.deps, { ...attempt, state: 'open' })
  expect(await findAttempt(shop.deps, other.id)).toMatchObject({ state: 'open' })
})

test.for([
  { minutes: 60, abandoned: false },
  { minutes: 60.001, abandoned: true },
])('treats an attempt of $minutes minutes ago as abandoned: $abandoned', ({ minutes, abandoned }, { shop }) => {
  expect(isAbandoned(at(shop, 5 + minutes * minute), { createdAt: 5 } as never)).toBe(abandoned)
})

test('abandons an attempt without a provider response after an hour', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, errors, calls } = fakeProvider(shop)
  errors.openIntent = new ProviderError('silence', { final: false })
  const began = Date.now()
  const start = (minutes: number) =>
    startIntent({ ...deps, now: () => began + minutes * minute }, order.customer, order.id).catch(() => undefined)
  for (const minutes of [0, 59, 61]) await start(minutes)
  expect(calls.map((call) => call.split(' ').at(-1))).toEqual(['1', '1', '2'])
  expect((await attemptsOf(shop, order.id)).map(({ state }) => state)).toEqual(['closed', 'opening'])
})

test.for([
  { final: true, states: ['closed', 'open'] },
  { final: false, states: ['open'] },
])('retries with a new attempt only after a final error (final: $final)', async ({ final, states }, { shop }) => {
  const { id, customer } = await anOrder(shop)
  const { deps, errors } = fakeProvider(shop)
  errors.openCheckout = new ProviderError('Stripe: 500', { final })
  await expect(startCheckout(deps, customer, id)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Stripe is not responding. Nothing has changed. Try again in a minute.',
    cause: errors.openCheckout,
  })
  delete errors.openCheckout
  await startCheckout(deps, customer, id)
  expect((await attemptsOf(shop, id)).map(({ state }) => state)).toEqual(states)
})

test('claims the due attempts that waited longest, up to the limit', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  const placed: string[] = []
  for (const askAt of [30, 10, 20, 40]) {
    const { id, customer } = await anOrder(shop)
    await startIntent(deps, customer, id)
    await shop.deps.db.update(paymentAttempts).set({ askAt, createdAt: 0 }).where(eq(paymentAttempts.orderId, id))
    placed.push(id)
  }
  expect((await claimAttemptsToCheck(at(shop, 30), 2)).sort()).toEqual([placed[1]!, placed[2]!].sort())
  expect(await claimAttemptsToCheck(at(shop, 30), 9)).toEqual([placed[0]])
  expect(await claimAttemptsToCheck(at(shop, 30), 9)).toEqual([])
  await shop.deps.db.update(paymentAttempts).set({ state: 'closed' }).where(eq(paymentAttempts.orderId, placed[3]!))
  expect(await claimAttemptsToCheck(at(shop, 40), 9)).toEqual([])
})

test.for([
  { age: 0, wait: 5 },
  { age: 10, wait: 5 },
  { age: 60, wait: 30 },
  { age: 12 * 60, wait: 6 * 60 },
  { age: 7 * 24 * 60, wait: 6 * 60 },
])('checks an attempt of $age minutes again after $wait minutes', async ({ age, wait }, { shop }) => {
  const { deps } = fakeProvider(shop)
  const { id, customer } = await anOrder(shop)
  await startIntent(deps, customer, id)
  await shop.deps.db.update(paymentAttempts).set({ createdAt: 7, askAt: 0 })
  await claimAttemptsToCheck(at(shop, 7 + age * minute), 1)
  expect(await attemptsOf(shop, id)).toMatchObject([{ askAt: 7 + (age + wait) * minute }])
})

test('expires the open payment before it opens the other kind, unless a payment is in progress', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, becomes, calls } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  const stopped = { ...deps, payments: { ...deps.payments, close: deps.payments.find } }
  await expect(startCheckout(stopped, order.customer, order.id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is being paid in another window. Try again in a moment.',
  })
  expect(await attemptsOf(shop, order.id)).toMatchObject([{ state: 'open', kind: 'intent' }])
  expect(calls.filter((call) => call.startsWith('find'))).toHaveLength(1)
  becomes('pi_1', paid(order))
  await expect(startCheckout(deps, order.customer, order.id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is already paid.',
  })
  expect(calls.filter((call) => call.startsWith('openCheckout'))).toEqual([])
  expect(await shop.deps.db.select().from(orders)).toMatchObject([{ state: 'paid', transactionId: 'pi_paid' }])
})

test('closes a payment that was opened for an order cancelled in the meantime', async ({ shop }) => {
  const { id, customer } = await anOrder(shop)
  const { deps, calls } = fakeProvider(shop)
  const slow = {
    ...deps,
    payments: {
      ...deps.payments,
      openIntent: async (...what: Parameters<typeof deps.payments.openIntent>) => {
        const opened = await deps.payments.openIntent(...what)
        await cancelBehindItsBack(shop, id)
        return opened
      },
    },
  }
  await expect(startIntent(slow, customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order has changed in another window. Check My Orders and try again.',
  })
  expect(calls.at(-1)).toBe('close intent pi_1')
})

test('opens a payment with a key that a restored database, which counts attempts again, does not repeat', async ({
  shop,
}) => {
  const order = await anOrder(shop)
  const { deps } = fakeProvider(shop)
  const keys: string[] = []
  const payments: typeof deps.payments = {
    ...deps.payments,
    openIntent: (payable, key) => (keys.push(key), deps.payments.openIntent(payable, key)),
    openCheckout: (payable, key, expiresAt) => (keys.push(key), deps.payments.openCheckout(payable, key, expiresAt)),
  }
  for (const minutes of [0, 1]) {
    const restored = { ...deps, payments, now: later(shop, minutes).now }
    await startIntent(restored, order.customer, order.id)
    await startCheckout(restored, order.customer, order.id)
    await shop.deps.db.delete(paymentAttempts)
  }
  expect(new Set(keys).size).toBe(4)
})

test('returns the same client secret on repeat, and refuses once the order is paid', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, becomes, calls } = fakeProvider(shop)
  const first = await startIntent(deps, order.customer, order.id)
  expect(await startIntent(deps, order.customer, order.id)).toEqual(first)
  becomes('pi_1', { state: 'over' })
  expect(await startIntent(deps, order.customer, order.id)).toEqual({ clientSecret: 'pi_2_secret' })
  expect(calls).toEqual([
    `openIntent ${order.id} 1`,
    'find intent pi_1',
    'find intent pi_1',
    `openIntent ${order.id} 2`,
  ])
  becomes('pi_2', paid(order))
  await expect(startIntent(deps, order.customer, order.id)).rejects.toMatchObject({
    message: 'This order is already paid.',
  })
  await expect(startIntent(deps, order.customer, order.id)).rejects.toMatchObject({
    message: 'This order is already paid.',
  })
  await expect(startIntent(deps, order.customer, 'none')).rejects.toMatchObject({
    code: 'not-found',
    message: 'Order not found.',
  })
})

test('returns the same checkout URL on repeat, without a second checkout', async ({ shop }) => {
  const { id, customer } = await anOrder(shop)
  const { deps, calls } = fakeProvider(shop)
  const urls = [await startCheckout(deps, customer, id), await startCheckout(deps, customer, id)]
  expect(urls).toEqual([{ url: 'https://pay.example/cs_1' }, { url: 'https://pay.example/cs_1' }])
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['openCheckout', 'find'])
})

test('throws our own bugs instead of reporting the provider as down', async ({ shop }) => {
  const { id, customer } = await anOrder(shop)
  const { deps, errors } = fakeProvider(shop)
  errors.openIntent = new TypeError('a bug')
  await expect(startIntent(deps, customer, id)).rejects.toThrow(TypeError)
  delete errors.openIntent
  await startIntent(deps, customer, id)
  errors.find = new TypeError('a bug')
  await expect(startIntent(deps, customer, id)).rejects.toThrow(TypeError)
})
