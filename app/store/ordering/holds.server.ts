import { and, asc, eq, gt, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { orders } from '../../db/schema'
import { cancelExpired } from './cancel-order.server'
import { ProviderError, type Deps } from '../deps'
import { holdExpiry } from '../orders/orders'
import { isUnpaid } from '../orders/orders.server'
import { Refusal } from '../refusal'
import { expirePayment } from '../payments/confirm-payment.server'
import { CircuitBreaker } from '../circuit-breaker'

/** True of an order whose pieces are not kept any more. */
function isExpired(at: number): SQL {
  return lte(orders.holdUntil, at)
}

/** How many pieces of this instrument the customer's own unpaid orders keep from everybody: a query for a batch. */
export function selectOwnHolds({ db, now }: Deps, customer: { id: string }, instrumentId: string) {
  return db
    .select({ pieces: sql<number>`coalesce(sum(${orders.quantity}), 0)` })
    .from(orders)
    .where(
      and(
        eq(orders.customerId, customer.id),
        eq(orders.instrumentId, instrumentId),
        isUnpaid,
        or(isNull(orders.holdUntil), gt(orders.holdUntil, now())),
      ),
    )
}

const maxReleasable = 200

/**
 * The unpaid orders of an instrument that could give way: those whose hold has expired, and the customer's own,
 * which come first. At most 200 of each, since each may have to be asked about at the provider: more wait for the cron
 * trigger.
 */
export function selectReleasable(
  { db, now }: Deps,
  { instrumentId, customerId }: { instrumentId: string; customerId: string },
) {
  const at = now()
  const shown = {
    id: orders.id,
    quantity: orders.quantity,
    holdUntil: orders.holdUntil,
    expired: sql<number>`coalesce(${isExpired(at)}, 0)`.as('expired'),
    own: sql<number>`${orders.customerId} = ${customerId}`.as('own'),
  }
  const unpaid = and(eq(orders.instrumentId, instrumentId), isUnpaid)
  const own = db
    .select(shown)
    .from(orders)
    .where(and(unpaid, eq(orders.customerId, customerId)))
    .orderBy(asc(orders.holdUntil))
    .limit(maxReleasable)
    .as('own_orders')
  const others = db
    .select(shown)
    .from(orders)
    .where(and(unpaid, ne(orders.customerId, customerId), isExpired(at)))
    .orderBy(asc(orders.holdUntil))
    .limit(maxReleasable)
    .as('expired_orders')
  return unionAll(db.select().from(own), db.select().from(others))
}

type Releasable = Awaited<ReturnType<typeof selectReleasable>>[number]

/** Orders that give way in one batch, and who cancels them. */
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

/** A provider that has not answered so often is away, and each further silence would take as long: some 12 seconds. */
const maxTimeouts = 2

/**
 * Makes orders that can give way to this wish unpayable: the customer's own if that was asked for, and of those whose hold
 * has expired as many as are needed, the oldest first. Answers what the batch is to cancel, or null when nothing need give
 * way. Refuses when an own order is paid by now, or when the provider does not answer for an order that is needed.
 */
export async function releaseHolds(deps: Deps, wish: OrderRequest): Promise<HoldRelease[] | null> {
  const { customerId, orderQuantity, replaceUnpaid, instrument, releasable } = wish
  const replaced = replaceUnpaid ? releasable.filter(({ own }) => own) : []
  let short = orderQuantity - instrument.availableQuantity - totalQuantity(replaced)
  if (short <= 0 && !replaceUnpaid) return null
  const expired = releasable
    .filter((order) => order.expired && !replaced.includes(order))
    .sort((one, other) => (one.holdUntil ?? 0) - (other.holdUntil ?? 0))

  for (const { id } of replaced) await releaseOwnOrder(deps, id)
  // Stryker disable next-line ArrayDeclaration: no order has such an id
  const released: string[] = []
  const silent: ProviderError[] = []
  for (const { id, quantity } of expired) {
    if (short <= 0 || silent.filter(({ final }) => !final).length === maxTimeouts) break
    const outcome = await expirePayment(deps, id).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
      silent.push(error)
    })
    if (outcome !== 'unpayable') continue
    released.push(id)
    short -= quantity
  }
  if (short > 0 && silent[0]) throw holdUnknown(silent[0])
  const at = deps.now()
  const room = [
    { ids: replaced.map(({ id }) => id), actor: customerId, only: eq(orders.customerId, customerId) },
    { ids: released, actor: holdExpiry, only: isExpired(at) },
  ]
  // A statement for no order would read every order: no index finds none.
  return room.filter(({ ids }) => ids.length > 0)
}

async function releaseOwnOrder(deps: Deps, orderId: string): Promise<void> {
  const outcome = await expirePayment(deps, orderId).catch((error: unknown) => {
    throw error instanceof ProviderError ? holdUnknown(error) : error
  })
  if (outcome === 'unpayable') return
  throw new Refusal(
    'conflict',
    'Your earlier order of this has been paid meanwhile, so it stays. Nothing more was ordered.',
  )
}

function holdUnknown(cause: ProviderError): Refusal {
  const message =
    'Some of these pieces wait for a card payment, and the payment service does not answer just now. Try again in a minute.'
  return new Refusal('unavailable', message, { cause })
}

function totalQuantity(held: Releasable[]): number {
  return held.reduce((sum, { quantity }) => sum + quantity, 0)
}

/**
 * Cancels unpaid orders whose pieces were kept long enough, at most `limit`, in random order, so that those that fail every
 * time do not keep the others waiting. Whatever could still pay for them is made unpayable first, as when a customer cancels;
 * one that is paid meanwhile becomes paid. What the provider does not answer for waits for the next time. Nobody waits for
 * this: whoever wants such a piece gets it (`makeRoom`).
 */
export async function releaseExpiredHolds(
  deps: Deps,
  limit: number,
  silence = new CircuitBreaker(deps.now),
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
      if (silence.isOpen) return
      if ((await silence.run(() => expirePayment(deps, id))) !== 'unpayable') continue
      await cancelExpired(deps, [id], holdExpiry, isExpired(at))
      deps.invalidate('stock')
    } catch (error) {
      // One that cannot be released keeps no other from it.
      deps.report(`releasing ${id}`, error)
    }
  }
}
