import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { orders, users } from '../../db/schema'
import { isSecondFactorOn } from '../accounts/sign-in.server'
import type { Deps } from '../deps'
import type { Order } from '../orders/orders'
import type { User } from '../accounts/sign-in'

const pageSize = 3

const { id, productName, quantity, totalCents, state } = orders
const summaryColumns = { id, number: orders.number, productName, quantity, totalCents, state }

export type OrderSummary = Pick<Order, keyof typeof summaryColumns>

export interface DashboardSummary {
  isVerified: boolean
  hasSecondFactor: boolean
  orders: OrderSummary[]
}

export async function readDashboard(deps: Deps, user: User): Promise<DashboardSummary> {
  const account = deps.db
    .select({ verifiedAt: users.emailVerifiedAt, hasSecondFactor: sql<number>`${isSecondFactorOn(sql`users.id`)}` })
    .from(users)
    .where(eq(users.id, user.id))
  const query = deps.db
    .select(summaryColumns)
    .from(orders)
    .where(and(eq(orders.customerId, user.id), ne(orders.state, 'cancelled')))
    .orderBy(desc(orders.createdAt), desc(orders.id))
  const [[found], rows] = await deps.db.batch([account, query.limit(pageSize)])
  return { isVerified: found?.verifiedAt != null, hasSecondFactor: found?.hasSecondFactor === 1, orders: rows }
}
