import { z } from 'zod'
import { fieldOf, pick, publicKeys, type PublicKey } from '../../store/catalog/fields'
import { currentSale, type Instrument } from '../../store/catalog/instruments'
import { picturesOf } from '../../store/catalog/pictures/picture-lists'
import { dayText, inLastDay } from '../../store/shared/dates'
import { dollarsFromCents } from '../../store/shared/money'
import { isPaid, type Order } from '../../store/orders/orders'
import type { Review } from '../../store/reviews/reviews'
import type { UserSummary } from '../../store/accounts/users.server'

/* The keys are those of the specification (section 3); money is in dollars (R9). */

export const inDollars = 'US dollars, in whole cents'
const dollars = z.number().meta({ description: inDollars })
const pieces = z.int().min(0).max(1_000_000)

type JsonOf<Key extends PublicKey> = z.ZodType<NonNullable<Instrument[Key]>>

const instrumentFields = Object.fromEntries(publicKeys.map((key) => [key, shapeOf(key)])) as unknown as {
  [Key in PublicKey]: null extends Instrument[Key] ? z.ZodOptional<JsonOf<Key>> : JsonOf<Key>
}

function shapeOf(key: PublicKey): z.ZodType {
  const { type, choices, isRequired } = fieldOf(key)
  if (type === 'picture') return z.string().meta({ description: 'An https address, or a path of this shop' })
  if (type === 'text') return z.string()
  const shape = type === 'count' ? pieces : choices ? z.enum(Object.keys(choices)) : z.string()
  return isRequired ? shape : shape.optional()
}

const priceBreaks = z
  .array(z.strictObject({ from: pieces, price: dollars }))
  .optional()
  .meta({ description: 'What a piece costs from a quantity on; rising quantities, falling prices' })

const attributes = z
  .record(z.string(), z.string())
  .optional()
  .meta({ description: 'The specification: names with their values' })

const pictures = z
  .array(z.strictObject({ img: z.string(), alt: z.string() }))
  .optional()
  .meta({
    description: 'Where there are several, or words for those who cannot see: all in their order; the first is img',
  })

const sale = z
  .strictObject({
    until: z.iso.date().meta({ description: 'Its last day, in the time zone of the shop' }),
    regularPrice: dollars.meta({ description: `Without the sale, in ${inDollars}` }),
    priorPrice: dollars.optional().meta({
      description: 'The lowest of the 30 days before the sale, where it is above price: to be shown beside it',
    }),
  })
  .optional()
  .meta({ description: 'While a sale is on: price is its price' })

export const InstrumentShape = z
  .strictObject({ _id: z.string(), ...instrumentFields, price: dollars, priceBreaks, sale, attributes, pictures })
  .meta({ id: 'Instrument' })

export function instrumentJson(instrument: Instrument): z.input<typeof InstrumentShape> {
  const { id, priceCents, regularCents, priceBreaks, attributes, alt, pictures } = instrument
  const sale = currentSale(instrument)
  const breaks = priceBreaks.map(({ from, priceCents }) => ({ from, price: dollarsFromCents(priceCents) }))
  const price = dollarsFromCents(priceCents)
  return {
    ...{ _id: id, ...withoutNulls(pick(instrument, publicKeys)), price },
    ...(breaks.length > 0 && { priceBreaks: breaks }),
    ...(sale && {
      sale: {
        ...{ until: dayText(inLastDay(sale.untilAt)), regularPrice: dollarsFromCents(regularCents) },
        ...(sale.priorCents && { priorPrice: dollarsFromCents(sale.priorCents) }),
      },
    }),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...((alt !== '' || pictures.length > 0) && { pictures: picturesOf(instrument) }),
  }
}

type WithoutNulls<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>
}

export function withoutNulls<T extends object>(fields: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as WithoutNulls<T>
}

export const OrderShape = z
  .strictObject({
    _id: z.string(),
    customerName: z.string(),
    customerEmail: z.string(),
    customerAddress: z.string(),
    customerPhone: z.string(),
    productName: z.string(),
    orderPrice: dollars,
    orderQuantity: pieces,
    paid: z.boolean(),
    transactionId: z.string().nullable().meta({ description: 'Of the payment; null while it is unpaid' }),
    refunded: dollars.optional(),
    dispute: z
      .enum(['inquiry', 'open', 'won', 'lost'])
      .optional()
      .meta({ description: 'The customer asks the payment back from the bank. Ship it only if it is won' }),
    company: z.string().optional(),
    vatNumber: z.string().optional(),
    purchaseOrder: z.string().optional(),
    code: z.string().optional().meta({ description: 'The discount code that has lowered the price' }),
    discount: dollars.optional().meta({ description: 'What the code has saved: orderPrice is after it' }),
  })
  .meta({ id: 'Order' })

export function orderJson(order: Order): z.input<typeof OrderShape> {
  const { company, vatNumber, purchaseOrder, dispute } = order
  return {
    _id: order.id,
    customerName: order.customerName,
    customerEmail: order.customerEmail,
    customerAddress: order.customerAddress,
    customerPhone: order.customerPhone,
    productName: order.productName,
    orderPrice: dollarsFromCents(order.totalCents),
    orderQuantity: order.quantity,
    paid: isPaid(order),
    transactionId: order.transactionId,
    ...(order.refundedCents > 0 && { refunded: dollarsFromCents(order.refundedCents) }),
    ...withoutNulls({ dispute, company, vatNumber, purchaseOrder, code: order.discountCode }),
    ...(order.discountCents !== null && { discount: dollarsFromCents(order.discountCents) }),
  }
}

export const UserShape = z
  .strictObject({
    email: z.string(),
    name: z.string(),
    userType: z.enum(['admin', 'customer']),
    emailVerified: z.boolean().meta({ description: 'The role of an admin counts once the email is verified.' }),
  })
  .meta({ id: 'User' })

export function userJson({ email, name, role, isVerified }: Omit<UserSummary, 'staffRole'>): z.input<typeof UserShape> {
  return { email, name, userType: role, emailVerified: isVerified }
}

export const ReviewShape = z
  .strictObject({
    _id: z.string(),
    name: z.string(),
    img: z.string(),
    description: z.string(),
    instrumentId: z.string().optional().meta({ description: 'What it is about' }),
    rating: z.int().min(1).max(5).optional().meta({ description: 'Stars' }),
  })
  .meta({ id: 'Review' })

export function reviewJson({ id, name, img, description, instrument, rating }: Review): z.input<typeof ReviewShape> {
  return {
    ...{ _id: id, name, img, description },
    ...(instrument && { instrumentId: instrument.id }),
    ...(rating !== null && { rating }),
  }
}

export const Inserted = z
  .strictObject({ acknowledged: z.literal(true), insertedId: z.string() })
  .meta({ id: 'Inserted' })
export const Modified = z
  .strictObject({ acknowledged: z.literal(true), modifiedCount: z.int().min(0).max(1) })
  .meta({ id: 'Modified' })
export const Deleted = z
  .strictObject({ acknowledged: z.literal(true), deletedCount: z.int().min(0).max(1) })
  .meta({ id: 'Deleted' })

export const inserted = ({ id }: { id: string }) => ({ acknowledged: true as const, insertedId: id })
export const modified = (count: number) => ({ acknowledged: true as const, modifiedCount: count })
export const deleted = (count: number) => ({ acknowledged: true as const, deletedCount: count })

/** Without a limit, the whole list (spec section 7). */
export const Page = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: 'A whole number from 1 to 999' })
    .transform(Number)
    .pipe(z.int().min(1).max(999))
    .optional()
    .meta({ description: 'Page size. Default: the whole list' }),
  after: z
    .string()
    .min(1, { error: 'The _id of the last item of the previous page' })
    .max(100)
    .optional()
    .meta({ description: 'Starts after the item with this _id' }),
})
