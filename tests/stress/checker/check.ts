import { checkAcknowledged } from './acknowledged'
import { checkDiscounts } from './discounts'
import { readFacts, type Places } from './facts'
import { checkEmails } from './emails'
import { checkInvoices } from './invoices'
import { checkOrders } from './orders'
import { checkPayments } from './payments'
import { checkOrderRefunds } from './order-refunds'
import { checkQuotes } from './quotes'
import { checkRefunds } from './refunds'
import { checkReviews } from './reviews'
import { checkStock } from './stock'
import type { Expect, Violation } from './violation'

/** Checks every invariant of docs/testing-money.md. It shares no code with the shop. */
export async function check(places: Places): Promise<Violation[]> {
  const facts = await readFacts(places)
  const all = [
    checkStock,
    checkOrders,
    checkQuotes,
    checkDiscounts,
    checkPayments,
    checkRefunds,
    checkOrderRefunds,
    checkInvoices,
    checkEmails,
    checkReviews,
    checkAcknowledged,
  ]
  const violations: Violation[] = []
  const expect: Expect = (holds, invariant, subject, message) => {
    if (!holds) violations.push({ invariant, subject, message })
  }
  for (const rules of all) rules(facts, expect)
  return violations
}
