import { eq, inArray, isNotNull } from 'drizzle-orm'
import { disputes, orderRefunds, orders, refunds, unmatchedPayments } from '../../db/schema'
import { ProviderError, type Deps, type Payment } from '../deps'
import { handleUnknownPayment } from './confirm-payment.server'
import { recordDisputes } from './disputes.server'
import { recordRefunds } from './provider-refunds.server'
import { isOfThisShop, recordUnmatchedRefunds, tellShop } from './unmatched-payments.server'

/** Milliseconds: clocks differ, and a backup takes a while. */
const margin = 10 * 60 * 1000
/** Milliseconds: a decision takes the bank up to three months (docs.stripe.com/disputes/how-disputes-work). */
const disputesLast = 120 * 24 * 60 * 60 * 1000
/** SQLite takes 32,766 parameters. */
const idsOfQuery = 1_000

/** `left`: the provider or the database did not answer, so nothing is recorded. */
type PaymentOutcome = 'settled' | 'refunded' | 'refund owed' | 'owed, without order' | 'left'

export interface Finding {
  transactionId: string
  orderId: string | null
  amountCents: number
  outcome: PaymentOutcome
}

export interface Reconciliation {
  /** Succeeded payments of this shop, and refunds, that the provider has. */
  payments: number
  refunds: number
  /** What the shop did not know. */
  findings: Finding[]
  refundsFound: number
  disputesFound: number
}

/**
 * After a restore: asks the provider for every payment and refund since a time in milliseconds, and records what the shop does not know. A
 * payment pays its order as a webhook event would; one that cannot is refunded (R14); one without its order is written as owed. The shop
 * gets an email about both. Idempotent: a second run finds nothing. Throws `ProviderError` if the lists cannot be read.
 */
export async function reconcile(deps: Deps, since: number): Promise<Reconciliation> {
  const all = await deps.payments.listPayments(since - margin)
  const known = await knownPayments(
    deps,
    all.map(({ transactionId }) => transactionId),
  )
  const findings: Finding[] = []
  // Oldest first: of two payments of an order the first pays it, as it would have.
  for (const payment of all.toReversed()) {
    const { transactionId, orderId, amountCents } = payment
    if (known.has(transactionId)) continue
    const outcome = await settle(deps, payment)
    if (outcome) findings.push({ transactionId, orderId, amountCents, outcome })
  }
  const found = await deps.payments.listRefunds({ since: since - margin })
  const before = await countRefunds(deps)
  for (const some of chunksOf(found)) {
    await recordRefunds(deps, some)
    await recordUnmatchedRefunds(deps, some)
  }
  const refundsFound = (await countRefunds(deps)) - before
  // Those of payments from before the backup too: a dispute is decided months after the payment.
  const askedAt = deps.now()
  const disputed = await deps.payments.listDisputes(since - disputesLast)
  const disputesBefore = await deps.db.$count(disputes)
  for (const some of chunksOf(disputed)) await recordDisputes(deps, some, askedAt)
  const disputesFound = (await deps.db.$count(disputes)) - disputesBefore
  return { payments: known.size + findings.length, refunds: found.length, findings, refundsFound, disputesFound }
}

/** Null: it is of another shop on the same account. */
async function settle(deps: Deps, payment: Payment): Promise<PaymentOutcome | null> {
  try {
    await handleUnknownPayment(deps, payment)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.report('reconciling', error)
  }
  const { transactionId } = payment
  const { db } = deps
  const [[order], [refund], [unmatched]] = await db.batch([
    db.select({ id: orders.id }).from(orders).where(eq(orders.transactionId, transactionId)),
    db.select().from(refunds).where(eq(refunds.transactionId, transactionId)),
    db.select().from(unmatchedPayments).where(eq(unmatchedPayments.transactionId, transactionId)),
  ])
  if (order) return 'settled'
  if (unmatched) return 'owed, without order'
  if (!refund) return isOfThisShop(deps, payment) ? 'left' : null
  await tellShop(deps, payment)
  return refund.refundId === null ? 'refund owed' : 'refunded'
}

async function knownPayments({ db }: Deps, ids: string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const some of chunksOf(ids)) {
    const found = await db.batch([
      db.select({ id: orders.transactionId }).from(orders).where(inArray(orders.transactionId, some)),
      db.select({ id: refunds.transactionId }).from(refunds).where(inArray(refunds.transactionId, some)),
      db
        .select({ id: unmatchedPayments.transactionId })
        .from(unmatchedPayments)
        .where(inArray(unmatchedPayments.transactionId, some)),
    ])
    for (const { id } of found.flat()) known.add(id!)
  }
  return known
}

async function countRefunds({ db }: Deps): Promise<number> {
  return (await db.$count(orderRefunds)) + (await db.$count(unmatchedPayments, isNotNull(unmatchedPayments.refundId)))
}

function* chunksOf<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += idsOfQuery) yield all.slice(from, from + idsOfQuery)
}
