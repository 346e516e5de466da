import fc from 'fast-check'
import { eq, sql } from 'drizzle-orm'
import { at, day, expect, orderInput, test, type Store } from '../../../tests/support/store'
import { instruments, orders, type PriceBreak } from '../../db/schema'
import { unitPriceCents } from '../catalog/instruments'
import { unitPriceAt } from '../catalog/sale-prices.server'
import { priceWithDiscount } from '../discounts/discounts'
import { createDiscount, NewDiscount } from '../discounts/manage-discounts.server'
import { nextOrderNumber } from '../orders/orders.server'
import { newId } from '../shared/ids.server'
import { formatCents } from '../shared/money'
import { cancelOrder } from './cancel-order.server'
import { readOrderForm } from './order-form.server'
import { placeOrder } from './place-order.server'

const [begins, ends] = [Date.UTC(2026, 11, 1), Date.UTC(2026, 11, 25)]

interface Terms {
  /** In cents. */
  price?: number
  breaks?: [from: number, cents: number][]
  /** From `begins` to `ends`, in cents. */
  sale?: number | undefined
  code?: Partial<Record<keyof NewDiscount, unknown>> | undefined
  when?: number
  quantity?: number
}

const some: [number, number][] = [
  [10, 90_00],
  [20, 70_00],
]
const ten = { percent: 10 }
const both = { percent: 10, combines: 'on' }

/** `usual`: the unit price without the code. */
const cases: [what: string, terms: Terms, unit: number, usual?: number][] = [
  ['the regular price', {}, 100_00],
  ['fewer than the first break', { breaks: some, quantity: 9 }, 100_00],
  ['the first break', { breaks: some, quantity: 10 }, 90_00],
  ['fewer than the second break', { breaks: some, quantity: 19 }, 90_00],
  ['the second break', { breaks: some, quantity: 20 }, 70_00],
  ['more than the second break', { breaks: some, quantity: 400 }, 70_00],
  ['a moment before a sale', { sale: 80_00, when: begins - 1 }, 100_00],
  ['the first moment of a sale', { sale: 80_00 }, 80_00],
  ['the last moment of a sale', { sale: 80_00, when: ends - 1 }, 80_00],
  ['the first moment after a sale', { sale: 80_00, when: ends }, 100_00],
  ['a sale price above the regular one, which has fallen', { sale: 100_01 }, 100_00],
  ['a sale and fewer than the first break', { breaks: some, sale: 80_00, quantity: 9 }, 80_00],
  ['a sale below the first break', { breaks: some, sale: 80_00, quantity: 10 }, 80_00],
  ['a sale above the second break', { breaks: some, sale: 80_00, quantity: 20 }, 70_00],
  ['a break before a sale', { breaks: some, sale: 80_00, quantity: 10, when: begins - 1 }, 90_00],
  ['a percentage', { code: ten }, 90_00, 100_00],
  ['an amount', { code: { amount: '12.34' } }, 87_66, 100_00],
  ['a code and fewer than the break', { breaks: [[10, 80_00]], code: ten, quantity: 9 }, 90_00, 100_00],
  ['a code that saves less than the break', { breaks: [[10, 80_00]], code: ten, quantity: 10 }, 80_00],
  [
    'a code that saves more than the break',
    { breaks: [[10, 80_00]], code: { percent: 30 }, quantity: 10 },
    70_00,
    80_00,
  ],
  ['a code that combines with the break', { breaks: [[10, 80_00]], code: both, quantity: 10 }, 72_00, 80_00],
  ['a code that saves less than the sale', { sale: 80_00, code: ten }, 80_00],
  ['a code that saves more than the sale', { sale: 80_00, code: { percent: 30 } }, 70_00, 80_00],
  ['a code that combines with the sale', { sale: 80_00, code: both }, 72_00, 80_00],
  ['an amount that combines with the sale', { sale: 80_00, code: { amount: '5', combines: 'on' } }, 75_00, 80_00],
  ['a part of a cent', { price: 94, code: ten, quantity: 500 }, 84, 94],
  ['a part of a few cents', { price: 4, code: ten, quantity: 100 }, 3, 4],
  ['a part of many cents', { price: 19_99, code: { percent: 7 }, quantity: 13 }, 18_59, 19_99],
  ['the last cent of a card', { price: 51, code: { percent: 1 } }, 50, 51],
  ['a third of three cents', { price: 3, code: { percent: 33 }, quantity: 47 }, 2, 3],
  ['a cent, of which nothing is taken off', { price: 1, code: ten, quantity: 300 }, 1],
  ['one piece for nothing', { price: 60, code: { percent: 100 } }, 50, 60],
  ['two pieces for nothing', { price: 60, code: { percent: 100 }, quantity: 2 }, 25, 60],
  ['three pieces for nothing', { price: 60, code: { percent: 100 }, quantity: 3 }, 17, 60],
  ['an amount above the price', { price: 60, code: { amount: '900.00' }, quantity: 15 }, 4, 60],
]

test.for(cases)('what one piece costs: %s', ([, terms, unit, usual], { shop }) => expectPrice(shop, terms, unit, usual))

/** The function of the page, the view `prices`, the INSERT and the guard of the database agree, and with nothing else. */
async function expectPrice(shop: Store, terms: Terms, unit: number, usual = unit): Promise<void> {
  const { price = 100_00, breaks = [], sale, code: fields, when = begins, quantity = 1 } = terms
  const deps = at(shop, when)
  const [ada, admin] = [await shop.customer(), { ...(await shop.customer({ role: 'admin' })), role: 'admin' as const }]
  const priceBreaks = breaks.map(([from, priceCents]): PriceBreak => ({ from, priceCents }))
  const id = await shop.sells({ price, stock: 500, priceBreaks })
  if (sale !== undefined)
    await deps.db
      .update(instruments)
      .set({ saleCents: sale, saleFromAt: begins, saleUntilAt: ends })
      .where(eq(instruments.id, id))
  const code = fields && `P-${newId().replace(/[^a-z0-9]/gi, '')}`.slice(0, 20).toUpperCase()
  if (code) await createDiscount(at(shop, begins - day), admin, NewDiscount.parse({ act: 'make', code, ...fields }))

  const { instrument, discount } = (await readOrderForm(deps, ada, id, '', code))!
  const [ofView] = await deps.db.all(unitPriceAt(id, quantity, when))
  expect([unitPriceCents(instrument, quantity), ofView]).toEqual([usual, { price_cents: usual }])
  if (discount) expect(priceWithDiscount(instrument, quantity, discount)).toBe(unit)

  const used = unit < usual ? code! : null
  const insert = (cents: number, off = usual - cents) =>
    deps.db.run(sql`
      INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
        customer_name, customer_email, customer_address, customer_phone, created_at, moved_by, discount_code, discount_cents)
      VALUES (${newId()}, ${nextOrderNumber}, ${ada.id}, ${id}, ${newId()}, 'Violin', ${cents}, ${quantity}, ${cents * quantity},
        'Ada', 'ada@example.com', 'x', 'y', ${when}, ${ada.id}, ${used}, ${used && off * quantity})`)
  for (const wrong of [unit + 1, unit - 1]) await expect(insert(wrong)).rejects.toThrow()
  if (used) await expect(insert(unit, usual - unit + 1)).rejects.toThrow()

  const { priceCents: unitPrice, priceBreaks: shownBreaks } = instrument
  const input = { ...orderInput(id, quantity), code, unitPrice, priceBreaks: shownBreaks }
  for (const wrong of [quantity, -quantity]) {
    const claim = { ...input, expectedTotal: unit * quantity + wrong }
    const message = `The price is now ${formatCents(unit)} each. Nothing was ordered.`
    await expect(placeOrder(deps, ada, claim)).rejects.toMatchObject({ code: 'conflict', message })
  }
  const placed = await placeOrder(deps, ada, { ...input, expectedTotal: unit * quantity })
  const [order] = await deps.db.select().from(orders).where(eq(orders.id, placed.id))
  expect(order).toMatchObject({
    ...{ unitPriceCents: unit, totalCents: unit * quantity, discountCode: used },
    discountCents: used && (usual - unit) * quantity,
  })
  await cancelOrder(deps, ada, placed.id)
}

test('works out the cents like an independent sum', async ({ shop }) => {
  const terms = fc.record({
    price: fc.oneof(fc.integer({ min: 60, max: 3000 }), fc.integer({ min: 60, max: 9_999_99 })),
    off: fc.option(fc.integer({ min: 1, max: 60 })),
    cut: fc.integer({ min: 1, max: 59 }),
    quantity: fc.integer({ min: 1, max: 60 }),
    code: fc.option(
      fc.oneof(
        fc.record({ percent: fc.integer({ min: 1, max: 100 }), combines: fc.boolean() }),
        fc.record({ cents: fc.integer({ min: 1, max: 9_999_99 }), combines: fc.boolean() }),
      ),
    ),
    hours: fc.constantFrom(-1, 0, 1, 24 * 24 - 1, 24 * 24, 24 * 24 + 1),
  })
  await fc.assert(
    fc.asyncProperty(terms, async ({ price, off, cut, quantity, code, hours }) => {
      const sale = off === null ? undefined : Math.max(1, price - off)
      const offered = [price, ...(quantity >= 20 ? [price - cut] : [])]
      if (sale !== undefined && hours >= 0 && hours < 24 * 24) offered.push(sale)
      const usual = Math.min(...offered)
      let unit = usual
      if (code) {
        // Whole numbers, so that nothing is ever rounded: what is left of each piece, its part of a cent dropped.
        const base = BigInt(code.combines ? usual : price)
        const left = 'percent' in code ? (base * BigInt(100 - code.percent)) / 100n : base - BigInt(code.cents)
        const least = (49n + BigInt(quantity)) / BigInt(quantity)
        unit = Math.min(usual, Number(left > least ? left : least))
      }
      fc.pre(usual * quantity >= 50 && usual * quantity <= 99_999_999 && unit > 1)
      const fields = code && {
        ...('percent' in code ? { percent: code.percent } : { amount: (code.cents / 100).toFixed(2) }),
        combines: code.combines ? 'on' : undefined,
      }
      const when = begins + (hours * day) / 24
      const breaks: [number, number][] = [[20, price - cut]]
      await expectPrice(shop, { price, breaks, sale, code: fields ?? undefined, when, quantity }, unit, usual)
    }),
    { numRuns: 60 },
  )
})
