import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments, orders, submissions } from '../../db/schema'
import { cancelUnpaid } from './cancel-order.server'
import { unitPriceCents } from '../catalog/instruments'
import { isNamed } from '../catalog/order-by-name.server'
import { pricesAt } from '../catalog/instruments.server'
import { unitPriceAt } from '../catalog/sale-prices.server'
import { batchPart, type BatchPart } from '../shared/batch.server'
import type { Deps } from '../deps'
import { normalCode, priceWithDiscount } from '../discounts/discounts'
import {
  countUnknownCode,
  discountError,
  discountProblem,
  discountRow,
  priceWithCode,
  selectDiscount,
} from '../discounts/use-discount.server'
import { releaseHolds, selectReleasable, type HoldRelease } from './holds.server'
import { spellingsOf } from '../shared/clean-text.server'
import { newId } from '../shared/ids.server'
import { countedIp, exceededLimit, holdUntil, limitError } from './order-limits.server'
import { formatCents, payableError, totalCents } from '../shared/money'
import { buyerFields } from '../orders/buyer.server'
import type { Order } from '../orders/orders'
import { nextOrderNumber, orderColumns, unpaidAmong } from '../orders/orders.server'
import { Refusal } from '../shared/refusal'
import { isUsedElsewhere } from '../shared/submissions.server'
import { multiLine, parseJson, phoneNumber, submissionIdField } from '../shared/validation.server'
import { language } from '../../i18n/language'

const aboveStock = 'Cannot be more than available'
const belowMinimum = 'cannot be less than minimum order'
const notWhole = 'Order quantity must be a whole number'

/**
 * The order form (spec section 5, R21). `unitPrice` (cents) and `priceBreaks` (JSON) are the prices on the page: the
 * order is refused when the one of its quantity has changed (R10). `replaceUnpaid` cancels the customer's own unpaid orders of the instrument. Minimum and stock are not
 * checked here: a repeated form must find its order, not the stock that it took itself.
 */
export const NewOrder = z.object({
  submissionId: submissionIdField,
  /** The email of the customer to whom the page was shown. */
  orderingAs: z.string().max(300).optional(),
  unitPrice: z.number().int().optional(),
  priceBreaks: z
    .string()
    .max(500)
    .transform(parseJson)
    .pipe(z.array(z.object({ from: z.number(), priceCents: z.number() })))
    .optional(),
  orderQuantity: z
    .number({ error: ({ input }) => (input === undefined ? 'Order quantity is Required' : notWhole) })
    .refine(Number.isInteger)
    .min(1, { error: belowMinimum })
    .max(1_000_000, { error: aboveStock }),
  customerAddress: multiLine({ label: 'Address', required: 'Address is Required', max: 500 }),
  customerPhone: phoneNumber,
  ...buyerFields,
  /** Of a discount, as it was typed. Blank: none. */
  code: z
    .string()
    .transform((typed) => normalCode(typed) || undefined)
    .pipe(z.string().max(30, { error: 'Code must be at most 30 characters' }).optional())
    .optional(),
  replaceUnpaid: z.boolean().optional(),
})
export type NewOrder = z.output<typeof NewOrder>

/** What the page said that one piece costs in this quantity; null without a page. */
function shownPrice({ unitPrice, priceBreaks = [], orderQuantity }: NewOrder): number | null {
  return unitPrice === undefined ? null : unitPriceCents({ priceCents: unitPrice, priceBreaks }, orderQuantity)
}

/**
 * `expectedTotal` (cents) is what an API client says; the order is refused when it differs (R10). `quoteId` is the offer that has
 * `unitPrice`, whatever the price of today.
 */
type OrderInput = NewOrder & { instrumentId: string; expectedTotal?: number | undefined; quoteId?: string }

/**
 * For the batch that looks up the customer: places the order if nothing is against it and the claims are true. Otherwise its result is
 * null, and `placeOrder` with `isTried` says why.
 */
export async function beginOrder(
  deps: Deps,
  customerId: SQL,
  input: Omit<OrderInput, 'instrumentId'> & { instrumentId?: string | undefined },
  { productName, customerName, customerEmail }: Partial<Record<keyof ClaimedFields, string | undefined>>,
): Promise<BatchPart<PlacedOrder | null>> {
  const is = (column: SQL, claimed: string | undefined) =>
    claimed === undefined ? undefined : inArray(column, spellingsOf(claimed))
  const claimed = and(is(sql`i.name`, productName), is(sql`u.name`, customerName), is(sql`u.email`, customerEmail))
  const customer = { id: customerId }
  const instrumentId = input.instrumentId ?? idByUniqueName(productName)
  const statement = await insertion(deps, customer, { ...input, instrumentId, id: newId() }, [], claimed)
  return batchPart([deps.db.run(statement), selectPlaced(deps.db, customer, input)], ({ rowsAffected }, [placed]) => {
    if (rowsAffected === 0 || !placed) return null
    deps.invalidate('stock')
    deps.count('order placed')
    return { id: placed.id, isRepeat: false }
  })
}

/** As `requireIdByName` finds it. */
function idByUniqueName(name: string | undefined): SQL {
  return sql`(SELECT CASE count(*) WHEN 1 THEN min(id) END FROM instruments WHERE removed_at IS NULL AND ${isNamed(name ?? '')})`
}

/**
 * Places an order and takes its stock (R11). When stock is short, expired holds are released first. Idempotent by
 * `submissionId` (R13). Refuses a quantity below the minimum or above the stock, a changed price (R10), a total outside
 * the card limits, more than the customer may hold unpaid (R49), and when the provider is down and a hold depends on it.
 * `isTried`: it could not be placed a moment ago, by `beginOrder`.
 */
export async function placeOrder(
  deps: Deps,
  customer: { id: string },
  input: OrderInput,
  { isTried = false } = {},
): Promise<PlacedOrder> {
  const inserted = isTried || input.replaceUnpaid ? null : await insertOrder(deps, customer, input, [])
  if (inserted) return inserted
  let current = await readOrderState(deps, customer, input)
  if (!current.placed && current.isUsed) throw submissionUsed()
  if (!current.placed) {
    // Without this check, an order that cannot be placed would expire other customers' payments.
    const error = permanentError(current, input)
    if (error) throw error
    const { releasable, instrument } = current
    const request = { ...input, releasable, instrument: instrument!, customerId: customer.id }
    const releases = await releaseHolds(deps, request)
    const retried = releases && (await insertOrder(deps, customer, input, releases))
    // Stryker disable next-line ConditionalExpression: the read below finds the same order, one round trip later
    if (retried) return retried
    // Another window may have sent the same form first.
    if (releases) current = await readOrderState(deps, customer, input)
  }
  if (!current.placed) throw orderError(current, input)
  return repeatOf(current.placed, input)
}

export interface PlacedOrder {
  id: string
  isRepeat: boolean
}

/** `totalCents` in US cents. */
type ClaimedFields = Pick<Order, 'instrumentId' | 'productName' | 'customerName' | 'customerEmail' | 'totalCents'>

/** The order of this `submissionId`, or null (R13). Refuses other input than before, and a cancelled order. */
export async function findPlaced(
  { db }: Deps,
  customer: { id: string },
  input: Omit<OrderInput, 'instrumentId'> & { [Field in keyof ClaimedFields]?: ClaimedFields[Field] | undefined },
): Promise<PlacedOrder | null> {
  const [placed] = await selectPlaced(db, customer, input)
  if (!placed) return null
  const claimed = ['productName', 'customerName', 'customerEmail', 'totalCents'] as const
  const differs = (said: string | number | undefined, field: (typeof claimed)[number]) =>
    typeof said === 'string' ? !spellingsOf(said).some((each) => each === placed[field]) : said !== placed[field]
  if (claimed.some((field) => input[field] !== undefined && differs(input[field], field))) throw submissionUsed()
  return repeatOf(placed, { ...input, instrumentId: input.instrumentId ?? placed.instrumentId })
}

/** Null when a constraint or trigger rejects the batch. */
async function insertOrder(
  deps: Deps,
  customer: { id: string },
  input: OrderInput,
  releases: HoldRelease[],
): Promise<PlacedOrder | null> {
  const { db } = deps
  const id = newId()
  const replaced = releases.filter(({ actor }) => actor === customer.id).flatMap(({ ids }) => ids)
  const insert = db.run(await insertion(deps, customer, { ...input, id }, replaced))
  const [first, ...others] = [
    ...(input.code ? [countUnknownCode(deps, customer.id, input.code)] : []),
    ...releases.map(({ ids, actor, only }) => cancelUnpaid(deps, ids, actor, only)),
  ]
  try {
    const after = input.code ? [keepUnusedCode(deps, id, input.code)] : []
    const results = first ? await db.batch([first, ...others, insert, ...after]) : [await insert]
    if (results.at(-1 - after.length)!.rowsAffected === 0) return null
    deps.invalidate('stock')
    deps.count('order placed')
    return { id, isRepeat: false }
  } catch (error) {
    if (isBrokenRule(error)) return null
    throw error
  }
}

/** A code that saves nothing is not stored with its order; the same form with another one is another form all the same. */
function keepUnusedCode({ db, now }: Deps, id: string, code: string) {
  return db.run(sql`
    INSERT INTO submissions (actor, key, content, at)
    SELECT customer_id, submission_id, ${code}, ${now()} FROM orders WHERE id = ${id} AND discount_code IS NULL`)
}

/** Inserts the order that takes the place of those `replaced`. Inserts nothing for an unknown customer. */
async function insertion(
  deps: Deps,
  customer: { id: string | SQL },
  input: Omit<OrderInput, 'instrumentId'> & { id: string; instrumentId: string | SQL },
  replaced: string[],
  claimed: SQL = sql`true`,
): Promise<SQL> {
  const {
    id,
    instrumentId,
    submissionId,
    orderQuantity: quantity,
    customerAddress,
    customerPhone,
    quoteId,
    code,
  } = input
  // NULL aborts the statement, and so does the trigger that compares the unit price.
  const usual = sql`coalesce(${shownPrice(input)}, usual.price_cents)`
  const discount = code
    ? withCode(deps, { ...input, code }, usual)
    : { unit: null, columns: sql``, values: sql``, join: sql`` }
  const total = sql`${discount.unit ?? sql`usual.price_cents`} * ${quantity}`
  const price = sql`CASE WHEN ${total} = coalesce(${input.expectedTotal ?? null}, ${total}) THEN ${discount.unit ?? usual} END`
  const at = deps.now()
  return sql`
    INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, company, vat_number, purchase_order, created_at, hold_until, moved_by, ip_hash, language${quoteId ? sql`, quote_id` : sql``}${discount.columns})
    SELECT ${id}, ${nextOrderNumber}, u.id, i.id, ${submissionId}, i.name, ${abortIfStillUnpaid(replaced, price)}, ${quantity}, ${price} * ${quantity},
      u.name, u.email, ${customerAddress}, ${customerPhone}, ${input.company ?? null}, ${input.vatNumber ?? null},
      ${input.purchaseOrder ?? null}, ${at}, ${holdUntil(deps, at, inArray(sql`id`, replaced))}, u.id,
      ${await countedIp(deps)}, ${language()}${quoteId ? sql`, ${quoteId}` : sql``}${discount.values}
    FROM instruments i, users u, (${quoteId ? sql`SELECT ${shownPrice(input)} AS price_cents` : unitPriceAt(instrumentId, quantity, at)}) usual
      ${discount.join}
    WHERE i.id = ${instrumentId} AND u.id = ${customer.id} AND ${claimed} AND NOT ${isUsedElsewhere(sql`u.id`, submissionId)} AND (${await exceededLimit(deps, input)}) IS NULL`
}

/** Nothing is inserted with a code that does not count; where it saves nothing, the order has none. `usual`: SQL of the price without it. */
function withCode(
  deps: Deps,
  {
    code,
    orderQuantity: quantity,
    replaceUnpaid,
  }: { code: string; orderQuantity: number; replaceUnpaid?: boolean | undefined },
  usual: SQL,
) {
  const unit = priceWithCode(sql`usual.price_cents`, quantity)
  const saved = sql`nullif((${usual} - ${unit}) * ${quantity}, 0)`
  const problem = discountProblem(deps, { total: sql`usual.price_cents * ${quantity}`, replaceUnpaid })
  return {
    unit,
    columns: sql`, discount_code, discount_cents`,
    values: sql`, iif(${saved} > 0, d.code, NULL), ${saved}`,
    join: sql`JOIN ${discountRow(code)} ON (${problem}) IS NULL`,
  }
}

/** NULL aborts the batch: another window has just started to pay for an order that should be replaced. */
function abortIfStillUnpaid(replaced: string[], price: SQL): SQL {
  // Stryker disable next-line ConditionalExpression: an empty list matches no order
  if (replaced.length === 0) return price
  return sql`CASE WHEN EXISTS (SELECT 1 FROM orders WHERE ${unpaidAmong(replaced)}) THEN NULL ELSE ${price} END`
}

function selectPlaced(
  db: Deps['db'],
  customer: { id: string | SQL },
  { submissionId }: Pick<OrderInput, 'submissionId'>,
) {
  return db
    .select({ ...orderColumns, unusedCode: submissions.content })
    .from(orders)
    .leftJoin(submissions, and(eq(submissions.actor, orders.customerId), eq(submissions.key, orders.submissionId)))
    .where(and(eq(orders.customerId, customer.id), eq(orders.submissionId, submissionId)))
}

async function readOrderState(deps: Deps, customer: { id: string }, input: OrderInput) {
  const limit = await exceededLimit(deps, input)
  // An order that replaces others is not tried before.
  if (input.code && input.replaceUnpaid) await countUnknownCode(deps, customer.id, input.code)
  const [placed, [used], instrument, releasable, exceeded, discount] = await deps.db.batch([
    selectPlaced(deps.db, customer, input),
    deps.db.all<{ isUsed: number }>(sql`SELECT ${isUsedElsewhere(customer.id, input.submissionId)} AS isUsed`),
    deps.db
      .select({
        ...pricesAt(deps.now()),
        minQuantity: instruments.minQuantity,
        availableQuantity: instruments.availableQuantity,
        removedAt: instruments.removedAt,
      })
      .from(instruments)
      .where(eq(instruments.id, input.instrumentId)),
    selectReleasable(deps, { instrumentId: input.instrumentId, customerId: customer.id }),
    deps.db
      .select({ limit })
      .from(sql`users u, instruments i`)
      .where(sql`u.id = ${customer.id} AND i.id = ${input.instrumentId}`),
    ...(input.code ? [selectDiscount(deps, customer, { ...input, code: input.code })] : []),
  ])
  const found = discount?.[0] ?? null
  return {
    placed: placed[0],
    isUsed: used?.isUsed === 1,
    instrument: instrument[0],
    releasable,
    exceeded: exceeded[0]?.limit ?? null,
    discount: found,
  }
}

function repeatOf(order: Order & { unusedCode: string | null }, input: OrderInput): PlacedOrder {
  if (order.state === 'cancelled') {
    const message = 'You placed this order before, and it was cancelled. Order again if you still want it.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  const isSame =
    order.instrumentId === input.instrumentId &&
    order.quantity === input.orderQuantity &&
    order.customerAddress === input.customerAddress &&
    order.customerPhone === input.customerPhone &&
    order.company === (input.company ?? null) &&
    order.vatNumber === (input.vatNumber ?? null) &&
    order.purchaseOrder === (input.purchaseOrder ?? null) &&
    (order.discountCode ?? order.unusedCode) === (input.code ?? null)
  if (isSame) return { id: order.id, isRepeat: true }
  throw submissionUsed()
}

function submissionUsed(): Refusal {
  const message = 'You already placed an order with this form. Order again to buy more.'
  return new Refusal('conflict', message, { isUsed: true })
}

type OrderState = Awaited<ReturnType<typeof readOrderState>>

/** Errors that releasing holds cannot fix. */
function permanentError({ instrument, releasable, exceeded, discount }: OrderState, input: OrderInput): Refusal | null {
  const { orderQuantity: quantity, expectedTotal, replaceUnpaid } = input
  if (instrument?.removedAt !== null) return new Refusal('not-found', 'This instrument is not on sale.')
  const maxQuantity = releasable
    .filter(({ expired, own }) => expired || (own && replaceUnpaid))
    .reduce((sum, order) => sum + order.quantity, instrument.availableQuantity)
  if (quantity > maxQuantity) return quantityError(aboveStock)
  if (quantity < instrument.minQuantity) return quantityError(belowMinimum)
  const usualPrice = input.quoteId ? shownPrice(input)! : unitPriceCents(instrument, quantity)
  if (discount) {
    const isBelow = totalCents(usualPrice, quantity) < discount.minTotalCents
    const problem = discount.problem ?? (isBelow ? 'minimum' : null)
    if (problem) return discountError(problem, discount.minTotalCents)
  }
  const unitPrice = discount ? priceWithDiscount(instrument, quantity, discount) : usualPrice
  const total = totalCents(unitPrice, quantity)
  if ((shownPrice(input) ?? usualPrice) !== usualPrice || (expectedTotal ?? total) !== total) {
    return new Refusal('conflict', `The price is now ${formatCents(unitPrice)} each. Nothing was ordered.`)
  }
  const unpayable = payableError(total)
  if (unpayable) return quantityError(unpayable)
  return exceeded && limitError(exceeded)
}

function orderError(current: OrderState, input: OrderInput): Refusal {
  const error = permanentError(current, input)
  if (error) return error
  if (input.orderQuantity > current.instrument!.availableQuantity) return quantityError(aboveStock)
  // The stock came back between the insert and this read, so a retry can succeed.
  return new Refusal('conflict', 'Someone else just ordered these. Please try again.')
}

function quantityError(message: string): Refusal {
  return new Refusal('invalid', '', { fields: { orderQuantity: [message] } })
}
