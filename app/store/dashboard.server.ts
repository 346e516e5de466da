import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { orders } from '../db/schema'
import { selectVerified } from './accounts/users.server'
import type { Deps } from './deps'
import type { Order } from './orders/orders'
import type { User } from './accounts/sign-in'

const pageSize = 3

const { id, productName, quantity, totalCents, state } = orders
const summaryColumns = { id, number: sql<number>`${orders.number}`, productName, quantity, totalCents, state }

export type OrderSummary = Pick<Order, keyof typeof summaryColumns>

export interface DashboardSummary {
  isVerified: boolean
  orders: OrderSummary[]
}

export async function readDashboard(deps: Deps, user: User): Promise<DashboardSummary> {
  const query = deps.db
    .select(summaryColumns)
    .from(orders)
    .where(and(eq(orders.customerId, user.id), ne(orders.state, 'cancelled')))
    .orderBy(desc(orders.createdAt), desc(orders.id))
  const [[verified], rows] = await deps.db.batch([selectVerified(deps, user), query.limit(pageSize)])
  return { isVerified: verified?.at != null, orders: rows }
}
