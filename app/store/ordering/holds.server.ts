import { and, asc, eq, lte, ne, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { orders } from '../../db/schema'
import { cancelUnpaid } from './cancel-order.server'
import { ProviderError, type Deps } from '../deps'
import { holdExpiry } from '../orders/orders'
import { isUnpaid } from '../orders/orders.server'
import { Refusal } from '../shared/refusal'
import { expirePayment } from '../payments/confirm-payment.server'
import { CircuitBreaker } from '../shared/circuit-breaker'

function isExpired(at: number): SQL {
  return lte(orders.holdUntil, at)
}

/** The customer's own unpaid orders: `replaceUnpaid` replaces those of its instrument. */
export function selectOwnUnpaid({ db, now }: Deps, customer: { id: string }) {
  return db
    .select({
      id: orders.id,
      instrumentId: orders.instrumentId,
      number: orders.number,
      quantity: orders.quantity,
      isHeld: sql<number>`coalesce(${orders.holdUntil} > ${now()}, 1)`,
    })
    .from(orders)
    .where(and(eq(orders.customerId, customer.id), isUnpaid))
}

const maxReleasable = 200

/**
 * Unpaid orders that could release their hold: the customer's own, and those whose hold has expired. At most 200 of
 * each: each may cost a call to the provider, and the cron trigger releases the rest.
 */
export function selectReleasable(
  { db, now }: Deps,
  { instrumentId, customerId }: { instrumentId: string; customerId: string },
) {
  const at = now()
  const columns = {
    id: orders.id,
    quantity: orders.quantity,
    holdUntil: orders.holdUntil,
    expired: sql<number>`coalesce(${isExpired(at)}, 0)`.as('expired'),
    own: sql<number>`${orders.customerId} = ${customerId}`.as('own'),
  }
  const unpaid = and(eq(orders.instrumentId, instrumentId), isUnpaid)
  const own = db
    .select(columns)
    .from(orders)
    .where(and(unpaid, eq(orders.customerId, customerId)))
    .orderBy(asc(orders.holdUntil))
    .limit(maxReleasable)
    .as('own_orders')
  const others = db
    .select(columns)
    .from(orders)
    .where(and(unpaid, ne(orders.customerId, customerId), isExpired(at)))
    .orderBy(asc(orders.holdUntil))
    .limit(maxReleasable)
    .as('expired_orders')
  return unionAll(db.select().from(own), db.select().from(others))
}

type Releasable = Awaited<ReturnType<typeof selectReleasable>>[number]

export interface HoldRelease {
  ids: string[]
  actor: string
  only: SQL
}

interface OrderRequest {
  customerId: string
  orderQuantity: number
  replaceUnpaid?: boolean | undefined
  instrument: { availableQuantity: number }
  releasable: Releasable[]
}

/** Each timeout takes about 12 seconds: after so many the provider counts as down. */
const maxTimeouts = 2

/**
 * Expires the payments of orders that must release their hold: the customer's own with `replaceUnpaid`, and as many
 * expired holds as needed, oldest first. Returns what to cancel, or null if nothing. Refuses when an own order has been
 * paid, or when the provider is down.
 */
export async function releaseHolds(deps: Deps, request: OrderRequest): Promise<HoldRelease[] | null> {
  const { customerId, orderQuantity, replaceUnpaid, instrument, releasable } = request
  const replaced = replaceUnpaid ? releasable.filter(({ own }) => own) : []
  let missing = orderQuantity - instrument.availableQuantity - totalQuantity(replaced)
  if (missing <= 0 && !replaceUnpaid) return null
  const expired = releasable
    .filter((order) => order.expired && !replaced.includes(order))
    .sort((one, other) => (one.holdUntil ?? 0) - (other.holdUntil ?? 0))

  for (const { id } of replaced) await releaseOwnOrder(deps, id)
  // Stryker disable next-line ArrayDeclaration: no order has such an id
  const released: string[] = []
  const providerErrors: ProviderError[] = []
  let timeouts = 0
  for (const { id, quantity } of expired) {
    if (missing <= 0 || timeouts === maxTimeouts) break
    const outcome = await expirePayment(deps, id).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
      providerErrors.push(error)
      if (!error.final) timeouts += 1
    })
    if (outcome !== 'expired') continue
    released.push(id)
    missing -= quantity
  }
  if (missing > 0 && providerErrors[0]) throw holdUnknown(providerErrors[0])
  const at = deps.now()
  const releases = [
    { ids: replaced.map(({ id }) => id), actor: customerId, only: eq(orders.customerId, customerId) },
    { ids: released, actor: holdExpiry, only: isExpired(at) },
  ]
  // A statement for no order would scan the whole table.
  return releases.filter(({ ids }) => ids.length > 0)
}

async function releaseOwnOrder(deps: Deps, orderId: string): Promise<void> {
  const outcome = await expirePayment(deps, orderId).catch((error: unknown) => {
    throw error instanceof ProviderError ? holdUnknown(error) : error
  })
  if (outcome === 'expired') return
  throw new Refusal(
    'conflict',
    'Your earlier order of this instrument was just paid, so we did not replace it. Nothing new was ordered.',
  )
}

function holdUnknown(cause: ProviderError): Refusal {
  const message = 'Some of these pieces may already be paid for, and Stripe is not responding. Try again in a minute.'
  return new Refusal('unavailable', message, { cause })
}

export function totalQuantity(orders: { quantity: number }[]): number {
  return orders.reduce((sum, { quantity }) => sum + quantity, 0)
}

/**
 * For the cron trigger: cancels at most `limit` unpaid orders whose hold has expired, after their payment. In random
 * order, so that orders that always fail cannot block the others.
 */
export async function releaseExpiredHolds(
  deps: Deps,
  limit: number,
  breaker = new CircuitBreaker(deps.now),
): Promise<void> {
  const at = deps.now()
  const expired = await deps.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isUnpaid, isExpired(at)))
    .orderBy(sql`random()`)
    .limit(limit)
  for (const { id } of expired) {
    try {
      if (breaker.isOpen) return
      if ((await breaker.run(() => expirePayment(deps, id))) !== 'expired') continue
      await cancelUnpaid(deps, [id], holdExpiry, isExpired(at))
      deps.invalidate('stock')
    } catch (error) {
      deps.report('hold not released', error, id)
    }
  }
}
