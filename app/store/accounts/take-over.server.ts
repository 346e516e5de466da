import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'

/** The actor in the audit log of an order that is cancelled because its customer did not own the email. */
export const accountRecovery = 'account recovery'

/**
 * For the batch that verifies an email: somebody else may have registered with it (R6). Their name, picture and address go,
 * and their unpaid orders are cancelled, but for those that a payment has begun for. `unverifiedId` is SQL.
 */
export function takeOver({ db, readLogSoon }: Pick<Deps, 'db' | 'readLogSoon'>, at: number, unverifiedId: SQL) {
  readLogSoon()
  return [
    db.run(sql`
      UPDATE orders SET state = 'cancelled', cancelled_at = ${at}, moved_by = ${accountRecovery}
      WHERE state = 'unpaid' AND customer_id = ${unverifiedId}
        AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = orders.id AND state <> 'closed')`),
    db.run(sql`
      UPDATE users SET name = substr(email, 1, instr(email, '@') - 1), image = NULL, address = NULL, phone = NULL
      WHERE id = ${unverifiedId}`),
  ] as const
}
