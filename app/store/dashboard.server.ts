import { and, asc, desc, eq, ne } from 'drizzle-orm'
import { orders } from '../db/schema'
import { selectVerified } from './accounts/users.server'
import type { Deps } from './deps'
import type { Order } from './orders/orders'
import type { User } from './accounts/sign-in'

/** How many orders stand on the first page of the dashboard. */
const pageSize = 3

const { id, productName, quantity, totalCents, state } = orders
const summaryColumns = { id, productName, quantity, totalCents, state }

/** What can be told of an order in a line. */
export type OrderSummary = Pick<Order, keyof typeof summaryColumns>

/** What the first page of the dashboard shows. */
export interface DashboardSummary {
  /** Whether the address is proven; see `selectVerified`. */
  isVerified: boolean
  /** A customer's newest orders, without cancelled ones; for an admin those that are paid and not shipped, the oldest orders first. */
  orders: OrderSummary[]
}

/** What whoever comes in wants to know first, in one round trip. */
export async function readDashboard(deps: Deps, visitor: User): Promise<DashboardSummary> {
  const all = deps.db.select(summaryColumns).from(orders)
  const wanted =
    visitor.role === 'admin'
      ? all.where(eq(orders.state, 'paid')).orderBy(asc(orders.createdAt), asc(orders.id))
      : all
          .where(and(eq(orders.customerId, visitor.id), ne(orders.state, 'cancelled')))
          .orderBy(desc(orders.createdAt), desc(orders.id))
  const [[user], found] = await deps.db.batch([selectVerified(deps, visitor), wanted.limit(pageSize)])
  return { isVerified: user?.at != null, orders: found }
}
