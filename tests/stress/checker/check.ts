import { checkAcknowledged } from './acknowledged'
import { readFacts, type Places } from './facts'
import { checkLetters } from './emails'
import { checkOrders } from './orders'
import { checkPayments } from './payments'
import { checkRefunds } from './refunds'
import { checkStock } from './stock'
import type { Violation } from './violation'

/**
 * Every invariant of docs/testing-money.md that is broken: by the database's tables, the payment provider's ledger, the
 * mail that was delivered, and what the clients were told. It shares no code with the shop.
 */
export async function check(places: Places): Promise<Violation[]> {
  const facts = await readFacts(places)
  return [checkStock, checkOrders, checkPayments, checkRefunds, checkLetters, checkAcknowledged].flatMap((rules) =>
    rules(facts),
  )
}
