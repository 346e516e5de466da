import { sql } from 'drizzle-orm'
import { nextOrderNumber } from '../orders/orders.server'
import { at, expect, orderInput, test, type Store } from '../../../tests/support/store'
import { discounts, orders } from '../../db/schema'
import { changeFamily } from '../catalog/manage-families.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { readOrderForm } from '../ordering/order-form.server'
import { placeOrder } from '../ordering/place-order.server'
import { limits, maxDiscounts } from '../shared/limits'
import { newId } from '../shared/ids.server'
import { discountWords, normalCode } from './discounts'
import { createDiscount, endDiscount, listDiscounts, NewDiscount } from './manage-discounts.server'

const noon = Date.UTC(2026, 10, 25, 12)

async function anAdmin(shop: Store) {
  return { ...(await shop.customer({ role: 'admin' })), role: 'admin' as const }
}

/** As the form of an admin sends it. */
async function makes(shop: Store, fields: Partial<Record<keyof NewDiscount, unknown>>, when = noon) {
  const input = NewDiscount.parse({ act: 'make', ...fields })
  return createDiscount(at(shop, when), await anAdmin(shop), input)
}

function buys(shop: Store, customer: { id: string }, instrument: string, quantity: number, code?: string, more = {}) {
  return placeOrder(at(shop, noon), customer, { ...orderInput(instrument, quantity), code, ...more })
}

const termsOf = async (shop: Store, id: string) => {
  const all = await shop.deps.db.select().from(orders)
  const { unitPriceCents, quantity, totalCents, discountCode, discountCents } = all.find((order) => order.id === id)!
  return { unitPriceCents, quantity, totalCents, discountCode, discountCents }
}

const usesOf = async (shop: Store) => {
  const rows = await shop.deps.db.all<{ uses: number }>(sql`
    SELECT (SELECT count(*) FROM orders WHERE discount_code = code AND state <> 'cancelled') AS uses FROM discounts ORDER BY rowid`)
  return rows.map(({ uses }) => uses)
}

test('takes a percentage or an amount off each piece, and freezes code, discount and price', async ({ shop }) => {
  const violin = await shop.sells({ price: 19_99, stock: 20 })
  const ada = await shop.customer()
  await makes(shop, { code: 'spring-10', percent: 10 })
  await makes(shop, { code: 'FIVE', amount: '5.00' })
  const first = await buys(shop, ada, violin, 3, 'SPRING-10', { expectedTotal: 3 * 17_99 })
  expect(await termsOf(shop, first.id)).toEqual({
    ...{ unitPriceCents: 17_99, quantity: 3, totalCents: 53_97, discountCode: 'SPRING-10', discountCents: 6_00 },
  })
  const second = await buys(shop, ada, violin, 1, 'FIVE', { unitPrice: 19_99 })
  expect(await termsOf(shop, second.id)).toMatchObject({ totalCents: 14_99, discountCode: 'FIVE', discountCents: 5_00 })
  const third = await buys(shop, ada, violin, 1)
  expect(await termsOf(shop, third.id)).toMatchObject({ totalCents: 19_99, discountCode: null, discountCents: null })
  await expect(shop.deps.db.run(sql`UPDATE orders SET discount_cents = 7 WHERE id = ${first.id}`)).rejects.toThrow()
  await expect(shop.deps.db.run(sql`UPDATE discounts SET percent = 20 WHERE code = 'SPRING-10'`)).rejects.toThrow()
  await endDiscount(at(shop, noon), await anAdmin(shop), 'FIVE')
  expect(await termsOf(shop, second.id)).toMatchObject({ totalCents: 14_99, discountCode: 'FIVE' })
  const late = buys(shop, ada, violin, 1, 'FIVE')
  await expect(late).rejects.toMatchObject({ fields: { code: ['This code has ended.'] } })
})

test('refuses a total or a price that is not the one with the code (R10)', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 20 })
  const ada = await shop.customer()
  await makes(shop, { code: 'TEN', percent: 10 })
  for (const more of [{ expectedTotal: 100_00 }, { expectedTotal: 90_01 }, { unitPrice: 90_00 }])
    await expect(buys(shop, ada, violin, 1, 'TEN', more)).rejects.toMatchObject({ code: 'conflict' })
  await expect(buys(shop, ada, violin, 1, undefined, { expectedTotal: 90_00 })).rejects.toMatchObject({
    message: 'The price is now $100.00 each. Nothing was ordered.',
  })
  expect(await usesOf(shop)).toEqual([0])
})

test('refuses a code for a family that the shop has not', async ({ shop }) => {
  const families = ['strings', 'accordions']
  await expect(makes(shop, { code: 'TEN', percent: 10, families })).rejects.toMatchObject({
    message: 'The shop has no such family. Choose again.',
  })
  await makes(shop, { code: 'TEN', percent: 10, families: ['strings'] })
})

test('refuses in the database a price, a discount or a use that the code does not give', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 20, family: 'strings' })
  const [ada, bob, cem] = [await shop.customer(), await shop.customer(), await shop.customer()]
  await makes(shop, { code: 'TEN', percent: 10, maxUses: 2, maxUsesPerCustomer: 1, minTotal: '200.00' })
  await makes(shop, { code: 'BRASS', percent: 10, families: ['brass'] })
  const insert = (who: { id: string }, unit: number, discount: number | null, code: string | null, when = noon) =>
    shop.deps.db
      .run(
        sql`INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
          customer_name, customer_email, customer_address, customer_phone, created_at, moved_by, discount_code, discount_cents)
        VALUES (${newId()}, ${nextOrderNumber}, ${who.id}, ${violin}, ${newId()}, 'Violin', ${unit}, 2, ${2 * unit}, 'A', 'a@example.com', 'x', 'y',
          ${when}, ${who.id}, ${code}, ${discount})`,
      )
      .then(
        () => true,
        () => false,
      )
  expect({
    'without the code': await insert(ada, 90_00, null, null),
    'without a discount': await insert(ada, 90_00, null, 'TEN'),
    'a cent too much': await insert(ada, 89_99, 20_02, 'TEN'),
    'a cent too little': await insert(ada, 90_01, 19_98, 'TEN'),
    'another sum': await insert(ada, 90_00, 20_01, 'TEN'),
    'no such code': await insert(ada, 90_00, 20_00, 'TENS'),
    'too early': await insert(ada, 90_00, 20_00, 'TEN', noon - 86_400_000),
    'as it should be': await insert(ada, 90_00, 20_00, 'TEN'),
    'a second use': await insert(ada, 90_00, 20_00, 'TEN'),
    'of another family': await insert(bob, 90_00, 20_00, 'BRASS'),
    'of somebody else': await insert(bob, 90_00, 20_00, 'TEN'),
    'a third use': await insert(cem, 90_00, 20_00, 'TEN'),
  }).toEqual({
    ...{ 'without the code': false, 'without a discount': false, 'a cent too much': false, 'a cent too little': false },
    ...{ 'another sum': false, 'no such code': false, 'too early': false, 'as it should be': true },
    ...{ 'a second use': false, 'of another family': false, 'of somebody else': true, 'a third use': false },
  })
})

test.for<[string, Partial<Record<keyof NewDiscount, unknown>>, string]>([
  ['an unknown one', { code: 'OTHER', percent: 10 }, 'There is no such code. Check the spelling, or leave it empty.'],
  ['one of next week', { from: '2026-12-01', percent: 10 }, 'This code does not count yet.'],
  ['one of last week', { from: '2026-11-01', until: '2026-11-24', percent: 10 }, 'This code has ended.'],
  ['one below its minimum', { minTotal: '200.01', percent: 10 }, 'This code counts for orders of $200.01 or more.'],
  ['one of other families', { families: ['brass', 'cases'], percent: 10 }, 'This code is not for this instrument.'],
  ['one of other instruments', { instruments: 'Oboe', percent: 10 }, 'This code is not for this instrument.'],
])('says why a code does not count: %s', async ([, terms, words], { shop }) => {
  await shop.sells({ name: 'Oboe', stock: 5 })
  const violin = await shop.sells({ name: 'Viola', price: 100_00, stock: 20, family: 'strings' })
  // Made while its days were not over yet.
  await makes(shop, { code: 'TEN', ...terms }, Date.UTC(2026, 10, 1))
  const placing = buys(shop, await shop.customer(), violin, 2, 'TEN')
  await expect(placing).rejects.toMatchObject({ code: 'invalid', message: '', fields: { code: [words] } })
  expect([await usesOf(shop), await shop.stockOf(violin)]).toEqual([[0], 20])
})

test('counts from its first day to the end of its last, for its families and instruments', async ({ shop }) => {
  const [viola, horn, oboe] = [
    await shop.sells({ name: 'Viola', price: 100_00, stock: 20, family: 'strings' }),
    await shop.sells({ name: 'Horn', price: 100_00, stock: 20, family: 'brass' }),
    await shop.sells({ name: 'Oboe', price: 100_00, stock: 20, family: 'woodwind' }),
  ]
  const ada = await shop.customer()
  const terms = { families: ['strings'], instruments: 'Oboe\n', percent: 10, from: '2026-11-25', until: '2026-11-26' }
  await makes(shop, { code: 'TEN', ...terms, minTotal: '100.00' })
  const [first, last] = [Date.UTC(2026, 10, 25), Date.UTC(2026, 10, 27) - 1]
  const tried = (instrument: string, when: number) =>
    placeOrder(at(shop, when), ada, { ...orderInput(instrument, 1), code: 'TEN' }).then(
      () => true,
      () => false,
    )
  expect([
    ...[await tried(viola, first), await tried(viola, last), await tried(oboe, last)],
    ...[await tried(horn, first), await tried(viola, first - 1), await tried(viola, last + 1)],
  ]).toEqual([true, true, true, false, false, false])
  await changeFamily(shop.deps, ada, 'strings', { name: 'Bowed', slug: 'bowed', version: 1 })
  expect([await tried(viola, first), await usesOf(shop)]).toEqual([true, [4]])
})

test('is used at most so often in all, also by many at once, and a cancelled order gives its use back', async ({
  shop,
}) => {
  const violin = await shop.sells({ price: 100_00, stock: 200 })
  await makes(shop, { code: 'THREE', percent: 10, maxUses: 3 })
  const buyers = await Promise.all(Array.from({ length: 12 }, () => shop.customer()))
  const results = await Promise.allSettled(buyers.map((buyer) => buys(shop, buyer, violin, 1, 'THREE')))
  const placed = results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [{ id: result.value.id, buyer: buyers[index]! }] : [],
  )
  expect([placed.length, await usesOf(shop), await shop.stockOf(violin)]).toEqual([3, [3], 197])
  await expect(buys(shop, buyers[0]!, violin, 1, 'THREE')).rejects.toMatchObject({
    fields: { code: ['This code is used up.'] },
  })
  await cancelOrder(shop.deps, placed[0]!.buyer, placed[0]!.id)
  await cancelOrder(shop.deps, placed[0]!.buyer, placed[0]!.id).catch(() => undefined)
  expect(await usesOf(shop)).toEqual([2])
  await buys(shop, buyers[11]!, violin, 1, 'THREE')
  await expect(buys(shop, buyers[10]!, violin, 1, 'THREE')).rejects.toMatchObject({ code: 'invalid' })
  expect(await usesOf(shop)).toEqual([3])
})

test('is used at most so often by one customer, also in many windows, and again after a cancellation', async ({
  shop,
}) => {
  const violin = await shop.sells({ price: 100_00, stock: 200 })
  await makes(shop, { code: 'TWICE', percent: 10, maxUsesPerCustomer: 2 })
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => buys(shop, ada, violin, 1, 'TWICE')))
  const placed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
  expect(placed).toHaveLength(2)
  await expect(buys(shop, ada, violin, 1, 'TWICE')).rejects.toMatchObject({
    fields: { code: ['You have used this code already.'] },
  })
  await buys(shop, bob, violin, 1, 'TWICE')
  await cancelOrder(shop.deps, ada, placed[0]!)
  await buys(shop, ada, violin, 1, 'TWICE')
  expect(await usesOf(shop)).toEqual([3])
  // The orders that it replaces give theirs back.
  await buys(shop, ada, violin, 3, 'TWICE', { replaceUnpaid: true })
  expect(await usesOf(shop)).toEqual([2])
  await makes(shop, { code: 'ONCE', percent: 20, maxUses: 1 })
  await buys(shop, ada, violin, 1, 'ONCE', { replaceUnpaid: true })
  await buys(shop, ada, violin, 2, 'ONCE', { replaceUnpaid: true })
  expect(await usesOf(shop)).toEqual([1, 1])
})

test('a repeated form finds its order, whatever became of the code', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 200 })
  await makes(shop, { code: 'ONCE', percent: 10, maxUses: 1 })
  const ada = await shop.customer()
  const form = { ...orderInput(violin, 1), code: 'ONCE' }
  const { id } = await placeOrder(at(shop, noon), ada, form)
  expect(await placeOrder(at(shop, noon), ada, form)).toEqual({ id, isRepeat: true })
  await expect(placeOrder(at(shop, noon), ada, { ...form, code: 'OTHER' })).rejects.toMatchObject({ isUsed: true })
  expect(await usesOf(shop)).toEqual([1])
})

test('a repeated form has the code that it had before, also where that saved nothing', async ({ shop }) => {
  const oboe = await shop.sells({ price: 100_00, stock: 200, priceBreaks: [{ from: 10, priceCents: 80_00 }] })
  await makes(shop, { code: 'TEN', percent: 10 })
  await makes(shop, { code: 'HALF', percent: 50 })
  const ada = await shop.customer()
  for (const [quantity, code, others] of [
    [2, undefined, ['TEN', 'HALF']],
    [10, 'TEN', [undefined, 'HALF']],
    [3, 'HALF', [undefined, 'TEN']],
  ] as const) {
    const form = { ...orderInput(oboe, quantity), code }
    const { id } = await placeOrder(at(shop, noon), ada, form)
    expect(await placeOrder(at(shop, noon), ada, form)).toEqual({ id, isRepeat: true })
    for (const other of others)
      await expect(placeOrder(at(shop, noon), ada, { ...form, code: other })).rejects.toMatchObject({ isUsed: true })
  }
  expect(await usesOf(shop)).toEqual([0, 1])
})

test('limits guesses at codes, of an account and of an IP address, also many at once and a right one among them', async ({
  shop,
}) => {
  const violin = await shop.sells({ price: 100_00, stock: 200 })
  await makes(shop, { code: 'RIGHT', percent: 10 })
  const ada = await shop.customer()
  const { max } = limits.unknownCodesOfAccount
  const guess = (who: { id: string }, code: string, ip = '203.0.113.1', more = {}) =>
    placeOrder({ ...at(shop, noon), ip }, who, { ...orderInput(violin, 1), code, ...more }).then(
      () => 'ordered',
      (refusal: unknown) => (refusal as { code: string }).code,
    )
  for (let nth = 1; nth < max; nth++) expect(await guess(ada, `WRONG-${nth}`)).toBe('invalid')
  expect(await guess(ada, 'RIGHT')).toBe('ordered')
  expect(await guess(ada, 'WRONG')).toBe('invalid')
  expect(await guess(ada, 'WRONG')).toBe('too-many')
  const eve = await shop.customer()
  // The last may come before some of the others, and is right to pass before the eleventh.
  const guesses = [...Array.from({ length: 2 * max }, (_, nth) => `WRONG-${nth}`), 'RIGHT']
  const answers = await Promise.all(guesses.map((code) => guess(eve, code, '203.0.113.4')))
  expect(answers).not.toContain('ordered')
  expect(await guess(ada, 'RIGHT')).toBe('too-many')
  expect(await guess(ada, 'RIGHT', '203.0.113.1', { replaceUnpaid: true })).toBe('too-many')
  const page = await readOrderForm(at(shop, noon), ada, violin, undefined, 'RIGHT')
  expect(page).toMatchObject({ discount: null, discountErrors: [expect.stringMatching(/too many codes/)] })
  const bob = await shop.customer()
  expect(await guess(bob, 'RIGHT', '203.0.113.2')).toBe('ordered')
  // What the account's limit stopped did not count against the address.
  for (let left = limits.unknownCodesFromIp.max - max; left > 0; left -= 5) {
    const other = await shop.customer()
    for (let nth = 0; nth < 5; nth++)
      expect(await guess(other, 'WRONG', '203.0.113.1', nth === 0 ? { replaceUnpaid: true } : {})).toBe('invalid')
  }
  const late = await shop.customer()
  expect([await guess(late, 'WRONG'), await guess(late, 'RIGHT')]).toEqual(['too-many', 'too-many'])
  expect(await guess(late, 'RIGHT', '203.0.113.9')).toBe('ordered')
})

test('shows on the purchase page what a code of the link takes off, and counts one that there is not', async ({
  shop,
}) => {
  const violin = await shop.sells({ price: 100_00, stock: 200 })
  await makes(shop, { code: 'TEN', percent: 10, minTotal: '500.00' })
  const ada = await shop.customer()
  const shown = (code: string) => readOrderForm(at(shop, noon), ada, violin, undefined, code)
  expect((await shown('TEN'))!.discount).toEqual({
    ...{ code: 'TEN', percent: 10, amountCents: null, minTotalCents: 500_00, combines: 0 },
  })
  for (let nth = 0; nth < limits.unknownCodesOfAccount.max; nth++)
    expect(await shown('NONE')).toMatchObject({
      discount: null,
      discountErrors: [expect.stringMatching(/no such code/)],
    })
  expect((await shown('NONE'))!.discountErrors).toEqual([expect.stringMatching(/too many codes/)])
})

test.for<[Partial<Record<keyof NewDiscount, unknown>>, string]>([
  [{ code: 'A1', percent: 10 }, 'code'],
  [{ code: 'WITH_UNDERSCORE', percent: 10 }, 'code'],
  [{ code: 'TEN' }, 'percent'],
  [{ code: 'TEN', percent: 10, amount: '5' }, 'percent'],
  [{ code: 'TEN', percent: 0 }, 'percent'],
  [{ code: 'TEN', percent: 101 }, 'percent'],
  [{ code: 'TEN', amount: '0' }, 'amount'],
  [{ code: 'TEN', amount: 'five' }, 'amount'],
  [{ code: 'TEN', percent: 10, maxUses: 0 }, 'maxUses'],
  [{ code: 'TEN', percent: 10, from: '2026-02-30' }, 'from'],
  [{ code: 'TEN', percent: 10, from: '2026-12-02', until: '2026-12-01' }, 'until'],
])('refuses the form of a code %j for its %s', ([fields, field]) => {
  const { error } = NewDiscount.safeParse({ act: 'make', ...fields })
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test('is made once, by an admin alone, and ended once', async ({ shop }) => {
  const admin = await anAdmin(shop)
  const deps = at(shop, noon)
  const input = NewDiscount.parse({ act: 'make', code: ' spring 10 ', percent: 10, until: '2026-11-25' })
  for (const role of ['customer', 'packer', 'bookkeeper'] as const) {
    const nobody = { id: admin.id, role }
    await expect(createDiscount(deps, nobody, input)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(endDiscount(deps, nobody, 'SPRING10')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(listDiscounts(deps, nobody, { before: undefined, limit: 5 })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  // Not an admin any more, whatever the session of a moment ago says.
  const former = { ...(await shop.customer()), role: 'admin' as const }
  await expect(createDiscount(deps, former, input)).rejects.toMatchObject({ code: 'conflict' })
  expect(await createDiscount(deps, admin, input)).toBe('SPRING10')
  await expect(createDiscount(deps, admin, input)).rejects.toMatchObject({
    fields: { code: ['There is a code SPRING10 already. A code is used once: choose another one.'] },
  })
  await expect(
    createDiscount(deps, admin, { ...input, code: 'OTHER', instruments: 'Nothing\n' }),
  ).rejects.toMatchObject({ fields: { instruments: ['Not the name of one instrument on sale: Nothing'] } })
  await expect(
    createDiscount(deps, admin, NewDiscount.parse({ act: 'make', code: 'LATE', percent: 5, until: '2026-11-24' })),
  ).rejects.toMatchObject({ fields: { until: ['This day is over'] } })
  const [today, tomorrow] = [Date.UTC(2026, 10, 25), Date.UTC(2026, 10, 26)]
  await expect(
    createDiscount(deps, admin, { ...input, code: 'NODAY', from: tomorrow, until: today }),
  ).rejects.toMatchObject({ fields: { until: ['This day is over'] } })
  for (let nth = 0; nth < 2; nth++) await endDiscount(deps, admin, 'SPRING10')
  await expect(endDiscount(deps, admin, 'NONE')).rejects.toMatchObject({ code: 'not-found' })
  const { discounts: listed } = await listDiscounts(deps, admin, { before: undefined, limit: 5 })
  expect(listed).toMatchObject([
    { code: 'SPRING10', state: 'ended', uses: 0, endedAt: noon, families: [], instruments: [] },
  ])
  const log = await shop.deps.db.all<{ event: string; note: string }>(
    sql`SELECT event, note FROM audit_log WHERE event LIKE 'discount%' ORDER BY id`,
  )
  expect(log).toEqual([
    { event: 'discount code made', note: 'SPRING10: 10% off' },
    { event: 'discount code ended', note: 'SPRING10' },
  ])
})

test('takes so many codes as count now or later, and not those that were ended or are over', async ({ shop }) => {
  const fill = (name: string, count: number, columns: { endedAt?: number; untilAt?: number }) =>
    shop.deps.db.insert(discounts).values(
      Array.from({ length: count }, (_, nth) => ({
        ...{ code: `${name}-${nth}`, percent: 10, fromAt: 1, createdAt: 1, ...columns },
      })),
    )
  await fill('ENDED', maxDiscounts, { endedAt: 2 })
  await fill('OVER', maxDiscounts, { untilAt: noon })
  await fill('OPEN', maxDiscounts - 2, { untilAt: noon + 1 })
  for (const code of ['FIRST', 'SECOND']) expect(await makes(shop, { code, percent: 5 })).toBe(code)
  const message = `The shop has ${maxDiscounts} codes. End one first.`
  await expect(makes(shop, { code: 'THIRD', percent: 5 })).rejects.toMatchObject({ code: 'conflict', message })
  await endDiscount(at(shop, noon), await anAdmin(shop), 'FIRST')
  expect(await makes(shop, { code: 'THIRD', percent: 5 })).toBe('THIRD')
})

test('says of each code in the list whether it counts now', async ({ shop }) => {
  const violin = await shop.sells({ price: 19_99, stock: 20 })
  await makes(shop, { code: 'OPEN', percent: 10 })
  await makes(shop, { code: 'FROMNOW', percent: 10, from: '2026-11-25', until: '2026-11-25' })
  await makes(shop, { code: 'TOMORROW', percent: 10, from: '2026-11-26' })
  await makes(shop, { code: 'TWICE', percent: 10, maxUses: 2 })
  await makes(shop, { code: 'ONCE', percent: 10, maxUses: 1 })
  await buys(shop, await shop.customer(), violin, 1, 'TWICE')
  await buys(shop, await shop.customer(), violin, 1, 'ONCE')
  const admin = await anAdmin(shop)
  const states = async (when: number) => {
    const { discounts: listed } = await listDiscounts(at(shop, when), admin, { before: undefined, limit: 9 })
    return Object.fromEntries(listed.map(({ code, state }) => [code, state]))
  }
  const midnight = Date.UTC(2026, 10, 26)
  const always = { OPEN: 'on', TWICE: 'on', ONCE: 'used up' }
  expect(await states(noon)).toEqual({ ...always, FROMNOW: 'on', TOMORROW: 'early' })
  expect(await states(midnight - 1)).toEqual({ ...always, FROMNOW: 'on', TOMORROW: 'early' })
  expect(await states(midnight)).toEqual({ ...always, FROMNOW: 'ended', TOMORROW: 'on' })
  await endDiscount(at(shop, midnight), admin, 'ONCE')
  expect(await states(midnight)).toMatchObject({ ONCE: 'ended' })
})

test('names a code as people type it, and says what it takes off', () => {
  expect(normalCode(' spring 10\n')).toBe('SPRING10')
  const terms = { code: 'X', percent: 10, amountCents: null, minTotalCents: 0, combines: 0 }
  expect([
    discountWords(terms),
    discountWords({ ...terms, percent: null, amountCents: 5_00, minTotalCents: 100_00 }),
  ]).toEqual(['10% off', '$5.00 off each piece from $100.00'])
})
