import { and, desc, eq, gt, sql, type SQL } from 'drizzle-orm'
import { orders, users } from '../../db/schema'
import { selectInstrument } from '../catalog/instruments.server'
import type { Instrument } from '../catalog/instruments'
import type { Deps } from '../deps'
import type { DiscountTerms } from '../discounts/discounts'
import { countUnknownCode, discountError, selectDiscount, type FoundDiscount } from '../discounts/use-discount.server'
import { selectOwnUnpaid, totalQuantity } from './holds.server'
import { holdOf } from './order-limits.server'
import type { Profile } from '../accounts/profile'
import { selectProfile } from '../accounts/profile.server'
import { selectVerified } from '../accounts/users.server'

export interface OrderFormData {
  instrument: Instrument
  /** Address and phone are those of the order to repeat, else of the last one, else the profile's. */
  profile: Profile
  /** For the invoice, of the order to repeat, or else of the last one. */
  buyer: { company: string | null; vatNumber: string | null }
  /** The customer's order to repeat. */
  again: { number: number; quantity: number } | null
  /** Pieces that the customer's own unpaid orders of this instrument hold. */
  held: number
  /** Those orders, oldest first; also those whose hold has expired. */
  unpaid: UnpaidOrder[]
  /** The customer's unpaid orders of other instruments, oldest first. */
  otherUnpaid: UnpaidOrder[]
  /** In milliseconds; null: until it is paid or cancelled. */
  holdMs: number | null
  /** Of the code in the link: its terms, or why it does not count. */
  discount: DiscountTerms | null
  discountErrors: string[] | null
}

interface UnpaidOrder {
  id: string
  number: number
  quantity: number
}

/** What the purchase page shows; null if there is no such instrument on sale. One round trip, and one more with a code. */
export async function readOrderForm(
  deps: Deps,
  customer: { id: string },
  instrumentId: string,
  againId = '',
  code = '',
): Promise<OrderFormData | null> {
  if (code) await countUnknownCode(deps, customer.id, code)
  const [[instrument], [profile], allUnpaid, [verified], [last], [again], discounts] = await deps.db.batch([
    selectInstrument(deps, instrumentId),
    selectProfile(deps, customer),
    selectOwnUnpaid(deps, customer),
    selectVerified(deps, customer),
    selectLastDelivery(deps, customer),
    selectDelivery(deps, customer, sql`${orders.id} = ${againId} AND ${orders.instrumentId} = ${instrumentId}`),
    ...(code ? [selectDiscount(deps, customer, { code, instrumentId })] : []),
  ])
  if (!instrument) return null
  const isVerified = verified?.at != null
  // At most `orderLimits` allows: no index sorts them.
  allUnpaid.sort((one, other) => one.number - other.number)
  const unpaid = allUnpaid.filter((order) => order.instrumentId === instrument.id)
  const held = totalQuantity(unpaid.filter(({ isHeld }) => isHeld))
  return {
    instrument,
    profile: {
      ...profile!,
      address: (again ?? last)?.address ?? profile!.address,
      phone: (again ?? last)?.phone ?? profile!.phone,
    },
    buyer: { company: (again ?? last)?.company ?? null, vatNumber: (again ?? last)?.vatNumber ?? null },
    again: again ? { number: again.number, quantity: again.quantity } : null,
    held,
    unpaid,
    otherUnpaid: allUnpaid.filter((order) => order.instrumentId !== instrument.id),
    holdMs: holdOf(deps, { isVerified }),
    ...discountOf(discounts?.[0]),
  }
}

function discountOf(found: FoundDiscount | undefined): Pick<OrderFormData, 'discount' | 'discountErrors'> {
  if (!found) return { discount: null, discountErrors: null }
  const { problem, ...discount } = found
  if (!problem) return { discount, discountErrors: null }
  const { message, fields } = discountError(problem, discount.minTotalCents)
  return { discount: null, discountErrors: fields.code ?? [message] }
}

/** Only since the email was verified: whoever had registered with it before may be somebody else (R6). */
export function selectLastDelivery(deps: Deps, customer: { id: string }) {
  return selectDelivery(deps, customer, gt(orders.createdAt, sql`coalesce(${users.emailVerifiedAt}, 0)`))
}

/** The newest of the customer's orders that match. */
function selectDelivery({ db }: Deps, customer: { id: string }, only: SQL) {
  return db
    .select({
      number: orders.number,
      quantity: orders.quantity,
      address: orders.customerAddress,
      phone: orders.customerPhone,
      company: orders.company,
      vatNumber: orders.vatNumber,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.customerId))
    .where(and(eq(orders.customerId, customer.id), only))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(1)
}
