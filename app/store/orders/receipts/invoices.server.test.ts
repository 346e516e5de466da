import { eq, sql, type SQL } from 'drizzle-orm'
import { creditNotes, invoices, orderRefunds, orders, sellers } from '../../../db/schema'
import { aPaidOrder, anOrder, eventOf, refundAtStripe } from '../../../../tests/support/payments'
import { expect, test, type Store } from '../../../../tests/support/store'
import type { Deps } from '../../deps'
import { newId } from '../../shared/ids.server'
import { placeOrder } from '../../ordering/place-order.server'
import { confirmOrderPayment } from '../../payments/confirm-payment.server'
import { refundOrder } from '../../payments/order-refunds.server'
import { checkRefunds } from '../../payments/provider-refunds.server'
import { handleWebhookEvent } from '../../payments/stripe-events.server'
import { runScheduledTasks } from '../../operations/scheduled-tasks.server'
import { containedVat, creditedVat } from './invoices'
import { linksOf, readInvoice, selectInvoice, storeSeller } from './invoices.server'

const numbersOf = async (shop: Store, table: typeof invoices | typeof creditNotes = invoices) =>
  (await shop.deps.db.select().from(table)).map(({ series, number }) => `${series}-${number}`)

const notesOf = (shop: Store) =>
  shop.deps.db
    .select({ number: creditNotes.number, isReversal: creditNotes.isReversal, cents: creditNotes.amountCents })
    .from(creditNotes)
    .orderBy(creditNotes.number)

const linesOf = async (deps: Deps, who: { id: string }, id: string, note?: string) =>
  Object.fromEntries((await readInvoice(deps, { ...who, role: 'customer' } as never, id, note))?.lines ?? [])

const refund = (shop: Store, admin: { id: string }, id: string, amount: number) =>
  refundOrder(shop.deps, admin, id, { submissionId: newId(), amount, reason: 'Dent' })

/** 'yes', or the database's error. */
const tried = (shop: Store, statement: SQL) =>
  shop.deps.db.run(statement).then(
    () => 'yes',
    (error: unknown) => String((error as Error).cause),
  )

test('contains the VAT to the cent, for any total and rate', () => {
  const totals = [0, 1, 2, 49, 50, 99, 100, 101, 119, 12_345, 33_333, 99_999, 1_234_567, 99_999_998, 99_999_999]
  for (let total = 50; total < 99_999_999; total = total * 3 + 1) totals.push(total)
  for (const total of totals) {
    for (const rate of [0, 1, 250, 700, 770, 810, 1900, 2000, 2200, 2500, 2700, 3333, 9999]) {
      const vat = containedVat(total, rate)
      // Exact: half a cent is at most between the VAT and total × rate ÷ (10,000 + rate).
      const [twice, divisor] = [2n * BigInt(total) * BigInt(rate), BigInt(10_000 + rate)]
      const off = 2n * BigInt(vat) * divisor - twice
      expect([total, rate, off <= divisor && off > -divisor]).toEqual([total, rate, true])
      expect(total - vat + vat).toBe(total)
    }
  }
  expect([
    containedVat(500_00, 22_00),
    containedVat(119, 19_00),
    containedVat(21, 5_00),
    containedVat(63, 5_00),
  ]).toEqual([90_16, 19, 1, 3])
  // 10.5 contains half a cent of VAT at 5 %: up.
  expect(containedVat(1050, 5_00)).toBe(50)
  expect(containedVat(7, 27_27)).toBe(1)
})

test('credits the VAT of the invoice in the end, in however many parts', () => {
  for (const parts of [
    [1, 1, 1, 1, 46],
    [333_33, 333_33, 333_34],
    [7, 500_00 - 7],
    [100, -100, 100, 99_900],
  ]) {
    for (const rate of [0, 250, 770, 1900, 2200]) {
      let before = 0
      const credited = parts.map((cents) => {
        const vat = creditedVat(before, cents, rate)
        before += cents
        expect([cents, rate, Math.abs(vat) <= Math.abs(cents) && vat * cents >= 0]).toEqual([cents, rate, true])
        return vat
      })
      expect(credited.reduce((sum, vat) => sum + vat, 0)).toBe(containedVat(before, rate))
    }
  }
})

test('gives 50 payments at once the numbers 1 to 50, also when each is reported three times', async ({ shop }) => {
  const { deps } = shop
  const placed = []
  for (let nth = 0; nth < 50; nth++) placed.push(await anOrder(shop))
  const pay = ({ id }: { id: string }) =>
    shop.deps.db
      .update(orders)
      .set({ state: 'paid', paidAt: 1, transactionId: `pi_${id}`, movedBy: 'stripe' })
      .where(sql`id = ${id} AND state = 'unpaid'`)
  shop.skipInvariants('the provider knows nothing of these payments')
  await Promise.all([...placed, ...placed, ...placed].map((order) => deps.db.batch([storeSeller(deps), pay(order)])))
  expect(await numbersOf(shop)).toHaveLength(50)
  expect((await numbersOf(shop)).sort()).toEqual(placed.map((_, index) => `1-${index + 1}`).sort())
  expect(await shop.deps.db.select().from(sellers)).toHaveLength(1)
})

test('issues one invoice for a payment, however often it is reported, and leaves no gap after a rollback', async ({
  shop,
}) => {
  const { id, customer } = await aPaidOrder(shop)
  await handleWebhookEvent(shop.deps, await eventOf(shop, id))
  await handleWebhookEvent(shop.deps, await eventOf(shop, id, 'evt_2'))
  await confirmOrderPayment(shop.deps, id)
  await runScheduledTasks(shop.deps)
  const lost = await anOrder(shop)
  const pay = shop.deps.db
    .update(orders)
    .set({ state: 'paid', paidAt: 1, transactionId: 'pi_lost' })
    .where(eq(orders.id, lost.id))
  await expect(
    shop.deps.db.batch([pay, shop.deps.db.run(sql`INSERT INTO sellers (id) VALUES (NULL)`)]),
  ).rejects.toThrow()
  expect(await numbersOf(shop)).toEqual(['1-1'])
  await aPaidOrder(shop)
  expect(await numbersOf(shop)).toEqual(['1-1', '1-2'])

  const links = linksOf(id, await selectInvoice(shop.deps.db, id))
  expect(links).toEqual([{ title: 'Invoice INV-1-1', path: `/dashboard/myOrders/invoice/${id}` }])
  expect(linksOf(lost.id, await selectInvoice(shop.deps.db, lost.id))).toEqual([])
  for (const [who, order, note] of [
    [customer, lost.id, undefined],
    [lost.customer, id, undefined],
    [customer, 'none', undefined],
    [customer, id, 'CN-1-1'],
  ] as const)
    expect(await readInvoice(shop.deps, { ...who, role: 'customer' } as never, order, note)).toBeNull()
  expect(await readInvoice(shop.deps, { ...lost.customer, role: 'admin' } as never, id)).not.toBeNull()
})

test('keeps seller, rate and buyer as they were when it was issued', async ({ shop }) => {
  const violin = await shop.sells({ price: 250_00 })
  const customer = await shop.customer()
  const buyer = { company: 'Lyre & Co', vatNumber: 'DE 123456789', purchaseOrder: 'PO-7/26' }
  const { id } = await placeOrder(shop.deps, customer, {
    ...{ instrumentId: violin, submissionId: newId(), orderQuantity: 2, customerPhone: '07700 900123' },
    ...{ customerAddress: Array.from({ length: 12 }, (_, nth) => `Line ${nth}`).join('\n'), ...buyer },
  })
  const paid = { state: 'paid' as const, paidAt: 86_400_000, transactionId: 'pi_1', movedBy: 'stripe' }
  await shop.deps.db.batch([storeSeller(shop.deps), shop.deps.db.update(orders).set(paid)])
  shop.skipInvariants('the provider knows nothing of this payment')
  const before = await linesOf(shop.deps, customer, id)
  expect(before).toEqual({
    Seller: 'Cadenza S.r.l.\nVia dei Liutai 4\nCremona\nVAT number IT01234567897',
    Buyer: `Lyre & Co\nAda\n${Array.from({ length: 12 }, (_, nth) => `Line ${nth}`).join(', ')}\nVAT number DE 123456789`,
    ...{
      Order: 'C-1001',
      'Purchase order': 'PO-7/26',
      Instrument: 'Concert Violin',
      Quantity: '2',
      'Price each': '$250.00',
    },
    ...{ Net: '$409.84', 'VAT 22 %': '$90.16', Total: '$500.00', 'Transaction id': 'pi_1' },
    Paid: '2 Jan 1970, 00:00 UTC',
  })

  const moved = { ...shop.deps, seller: { name: 'Other Ltd', address: 'Elsewhere', vatNumber: null, vatRate: 0 } }
  await storeSeller(moved)
  await storeSeller(moved)
  await shop.deps.db.update(orders).set({ customerName: 'x', customerAddress: 'y', company: 'Else', vatNumber: null })
  expect(await linesOf(moved, customer, id)).toEqual(before)
  expect(await shop.deps.db.select().from(sellers)).toHaveLength(2)

  const second = await anOrder(shop)
  await shop.deps.db
    .update(orders)
    .set({ ...paid, transactionId: 'pi_2' })
    .where(eq(orders.id, second.id))
  const later = await linesOf(moved, second.customer, second.id)
  expect(later).toMatchObject({ Seller: 'Other Ltd\nElsewhere', Total: '$500.00' })
  expect(Object.keys(later)).not.toContain('Net')
})

test('never changes, skips, doubles or deletes an invoice, a credit note or a seller', async ({ shop }) => {
  const { id } = await aPaidOrder(shop)
  await refund(shop, await shop.admin(), id, 100_00)
  const unpaid = await anOrder(shop)
  const invoice = (order: string, series: number, number: number) =>
    sql`(order_id, series, number, issued_at, buyer_name, buyer_address) VALUES (${order}, ${series}, ${number}, 1, 'x', 'y')`
  for (const [statement, refusal] of [
    [sql`UPDATE invoices SET number = 2`, /never changed/],
    [sql`UPDATE invoices SET buyer_name = ''`, /never changed/],
    [sql`UPDATE invoices SET seller_id = seller_id`, /never changed/],
    [sql`UPDATE credit_notes SET amount_cents = 1`, /never changed/],
    [sql`UPDATE sellers SET vat_rate = 0`, /never changed/],
    [sql`REPLACE INTO sellers (id, name, address, vat_rate, created_at) VALUES (1, 'x', 'y', 0, 1)`, /never changed/],
    [sql`DELETE FROM invoices`, /never deleted/],
    [sql`DELETE FROM credit_notes`, /never deleted/],
    [sql`DELETE FROM sellers`, /never deleted/],
    [sql`INSERT INTO invoices ${invoice(unpaid.id, 1, 2)}`, /consecutive/],
    [sql`REPLACE INTO invoices ${invoice(id, 1, 2)}`, /consecutive/],
    [sql`INSERT INTO invoices ${invoice(unpaid.id, 1, 3)}`, /consecutive/],
    [sql`INSERT INTO invoices ${invoice(unpaid.id, 2, 1)}`, /consecutive/],
    [
      sql`INSERT INTO credit_notes SELECT 1, 2, order_id, order_refund_id, 1, -amount_cents, 1 FROM credit_notes`,
      /consecutive/,
    ],
    [
      sql`INSERT INTO credit_notes SELECT 1, 3, order_id, order_refund_id, 0, amount_cents, 1 FROM credit_notes`,
      /consecutive/,
    ],
    [
      sql`REPLACE INTO credit_notes SELECT 1, 2, order_id, order_refund_id, 0, amount_cents, 1 FROM credit_notes`,
      /consecutive/,
    ],
  ] as const)
    expect(await tried(shop, statement)).toMatch(refusal)
  expect(await numbersOf(shop)).toEqual(['1-1'])
})

test('issues a credit note for each refund when it is made, by whom it ever was', async ({ shop }) => {
  const { id, customer, transactionId } = await aPaidOrder(shop)
  const admin = await shop.admin()
  await shop.faults({ stripe: { failNext: 20, status: 503 } })
  await refund(shop, admin, id, 100_01)
  expect(await notesOf(shop)).toEqual([])
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await runScheduledTasks(shop.deps)
  await refundAtStripe(shop, transactionId, 99_99)
  await checkRefunds(shop.deps)
  await checkRefunds(shop.deps)
  await refund(shop, admin, id, 300_00)
  const credit = (number: number, cents: number) => ({ number, isReversal: 0, cents })
  expect(await notesOf(shop)).toEqual([credit(1, 100_01), credit(2, 99_99), credit(3, 300_00)])

  const vat = []
  for (const note of ['CN-1-1', 'CN-1-2', 'CN-1-3'])
    vat.push((await linesOf(shop.deps, customer, id, note))['VAT 22 %'])
  expect(vat).toEqual(['-$18.03', '-$18.04', '-$54.09'])
  expect(await linesOf(shop.deps, customer, id, 'CN-1-1')).toMatchObject({
    ...{
      Corrects: expect.stringMatching(/^Invoice INV-1-1 of /) as string,
      Reason: 'Dent',
      Total: '-$100.01',
      Net: '-$81.98',
    },
  })
  expect((linksOf(id, await selectInvoice(shop.deps.db, id)) ?? []).map(({ title }) => title)).toEqual([
    'Invoice INV-1-1',
    ...['CN-1-1', 'CN-1-2', 'CN-1-3'].map((note) => `Credit note ${note}`),
  ])
})

test('reverses the credit note of a refund that fails afterwards, and credits the one that takes its place', async ({
  shop,
}) => {
  shop.skipInvariants('the provider knows nothing of these refunds')
  const { id, customer } = await aPaidOrder(shop)
  const { db } = shop.deps
  const made = (refundId: string, amountCents: number) => ({
    ...{ id: refundId, submissionId: refundId, refundId, amountCents, orderId: id, reason: '' },
    ...{ movedBy: 'stripe', createdAt: 1, madeAt: 1 },
  })
  await db.insert(orderRefunds).values(made('re_1', 500_00))
  await db.update(orderRefunds).set({ failedAt: 2 })
  await db.insert(orderRefunds).values(made('re_2', 200_00))
  expect(await notesOf(shop)).toEqual([
    { number: 1, isReversal: 0, cents: 500_00 },
    { number: 2, isReversal: 1, cents: -500_00 },
    { number: 3, isReversal: 0, cents: 200_00 },
  ])
  const reversal = await readInvoice(shop.deps, { ...customer, role: 'customer' } as never, id, 'CN-1-2')
  expect(reversal).toMatchObject({
    title: 'Reversal CN-1-2',
    lead: expect.stringContaining('credit note CN-1-1: ') as string,
  })
  expect(Object.fromEntries(reversal!.lines)).toMatchObject({ Total: '$500.00', 'VAT 22 %': '$90.16' })
  expect((await linesOf(shop.deps, customer, id, 'CN-1-3'))['VAT 22 %']).toBe('-$36.07')
  // Owed, given up, and made after all.
  await db.insert(orderRefunds).values({ ...made('own', 1_00), refundId: null, madeAt: null })
  await db.update(orderRefunds).set({ failedAt: 3 }).where(eq(orderRefunds.id, 'own'))
  expect(await notesOf(shop)).toHaveLength(3)
  await db.update(orderRefunds).set({ failedAt: null, refundId: 're_3', madeAt: 4 }).where(eq(orderRefunds.id, 'own'))
  expect((await notesOf(shop)).at(-1)).toEqual({ number: 4, isReversal: 0, cents: 1_00 })
})

test('issues numbers while there is no seller, and completes the invoices with the first one', async ({ shop }) => {
  shop.skipInvariants('the provider knows nothing of these payments')
  const { db } = shop.deps
  const old = await anOrder(shop)
  await db.update(orders).set({ state: 'paid', paidAt: 1, transactionId: 'pi_1' })
  expect(await numbersOf(shop)).toEqual(['1-1'])
  expect(linksOf(old.id, await selectInvoice(db, old.id))).toBeNull()
  expect(await linesOf(shop.deps, old.customer, old.id)).toEqual({})
  for (const change of [`buyer_name = 'x'`, `buyer_address = 'x'`, `company = 'x'`, 'number = 2', 'issued_at = 2'])
    expect(await tried(shop, sql.raw(`UPDATE invoices SET seller_id = 1, ${change}`))).toMatch(/never changed/)
  await storeSeller({ ...shop.deps, seller: null })
  expect(await db.select().from(sellers)).toEqual([])
  await runScheduledTasks(shop.deps)
  expect(await linesOf(shop.deps, old.customer, old.id)).toMatchObject({ 'VAT 22 %': '$90.16' })
})

test('has no invoice and no credit note for an order that was paid before invoices', async ({ shop }) => {
  const { db } = shop.deps
  const [{ sql: trigger }] = (await db.all<{ sql: string }>(
    sql`SELECT sql FROM sqlite_schema WHERE name = 'orders_get_an_invoice'`,
  )) as [{ sql: string }]
  await db.run(sql`DROP TRIGGER orders_get_an_invoice`)
  const earlier = await aPaidOrder(shop)
  await db.run(sql.raw(trigger))
  await db.run(sql`UPDATE shop_settings SET invoices_after = (SELECT max(id) FROM audit_log)`)
  await refund(shop, await shop.admin(), earlier.id, 100_00)
  await aPaidOrder(shop)
  expect([await numbersOf(shop), await numbersOf(shop, creditNotes)]).toEqual([['1-1'], []])
  expect(linksOf(earlier.id, await selectInvoice(db, earlier.id))).toEqual([])
})
