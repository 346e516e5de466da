/*
 * npm run reconcile -- --since 2026-11-24T03:00:00Z     after a restore: settles the payments that the shop does not know
 * npm run reconcile -- --refund pi_…                    refunds one that has no order
 * Exits with 1 while a payment is neither settled nor written as owed.
 */
import { isNull } from 'drizzle-orm'
import { unmatchedPayments } from '../app/db/schema'
import { ProviderError } from '../app/store/deps'
import { formatCents } from '../app/store/shared/money'
import { reconcile } from '../app/store/payments/reconcile.server'
import { refundUnmatched } from '../app/store/payments/unmatched-payments.server'
import { readArguments } from '../dev/arguments'
import { databaseOf, sayFailure } from '../dev/environment'
import { shopDeps } from '../dev/shop-deps'

const usage =
  'Usage: npm run reconcile -- --since TIME, such as 2026-11-24T03:00:00Z (the time of the backup), or --refund PAYMENT'
const { values } = readArguments({ options: { since: { type: 'string' }, refund: { type: 'string' } } }, usage)
const since = Date.parse(values.since ?? '')
if (!values.refund && !(since > 0 && since <= Date.now())) {
  console.error(usage)
  process.exit(2)
}
try {
  const deps = await shopDeps(process.env)
  if (values.refund) {
    const { refundId } = await refundUnmatched(deps, values.refund)
    console.log(`${values.refund} is refunded: ${refundId}`)
  } else {
    const { payments, refunds, findings, refundsFound, disputesFound } = await reconcile(deps, since)
    for (const { transactionId, orderId, amountCents, outcome } of findings)
      console.log(
        [outcome.padEnd(19), formatCents(amountCents).padStart(12), transactionId, `order ${orderId}`].join('  '),
      )
    const count = (outcome: string) => findings.filter((finding) => finding.outcome.startsWith(outcome)).length
    console.log(
      `${payments} payments and ${refunds} refunds at Stripe since ${values.since}; the shop did not know ${findings.length} and ${refundsFound}.`,
    )
    if (disputesFound > 0) console.log(`${disputesFound} disputes that the shop did not know.`)
    if (findings.length > 0)
      console.log(
        `settled ${count('settled')}, refund ${count('refund')}, owed without an order ${count('owed')}, left ${count('left')}`,
      )
    const owed = await deps.db.select().from(unmatchedPayments).where(isNull(unmatchedPayments.refundId))
    if (owed.length > 0) {
      console.log(
        `${owed.length} owed to customers, and told to the shop by email. Refund one with --refund, or at Stripe:`,
      )
      for (const { transactionId, amountCents } of owed) console.log(`  ${transactionId}  ${formatCents(amountCents)}`)
    }
    if (count('left') > 0) console.error('Some are left: run it again.')
    process.exitCode = count('left') > 0 ? 1 : 0
  }
} catch (error) {
  if (!process.env.DATABASE_URL && error instanceof ProviderError) {
    console.error(
      `${error.message} The sandbox is Stripe here: is the shop running (npm start), with this SANDBOX_PORT?`,
    )
    process.exitCode = 1
  } else sayFailure(error, databaseOf(process.env))
}
