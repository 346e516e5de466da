import { and, desc, eq, sql } from 'drizzle-orm'
import { auditLog, contactMessages, customerNotes, instruments, orders, quotes, reviews, users } from '../../db/schema'
import { isSecondFactorOn } from '../accounts/sign-in.server'
import type { StaffRole } from '../accounts/sign-in'
import type { Deps } from '../deps'
import type { Order } from '../orders/orders'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'

const { id, productName, quantity, totalCents, state, createdAt } = orders
const summaryColumns = {
  ...{ id, productName, quantity, totalCents, state, createdAt },
  number: orders.number,
}
const newest = 10
/** So many orders of one customer are added up, the newest ones. */
const spentWindow = 1000

/** What a customer has bought, among their newest 1,000 orders. */
export interface Spent {
  /** Paid, whether refunded since or not, as in the reports. */
  orders: number
  /** Of the paid orders, less the refunds that did not fail. */
  cents: number
  /** False: there may be older orders, which are not added up. */
  isWhole: boolean
}

/** Times in milliseconds since 1970. */
export interface CustomerRecord {
  user: {
    id: string
    email: string
    name: string
    /** Counts once the email is verified. */
    role: 'customer' | 'admin'
    staffRole: StaffRole | null
    isVerified: boolean
    hasSecondFactor: boolean
    createdAt: number
    /** When the account was closed, or null. */
    closedAt: number | null
  }
  /** Of admins, for each other (decision 52). `by` is an email. */
  note: { text: string; by: string; at: number } | null
  /** Newest first, cancelled ones too. */
  orders: Pick<Order, keyof typeof summaryColumns>[]
  next: string | null
  spent: Spent
  reviews: { id: string; description: string; createdAt: number }[]
  /** The newest, with what they are about. */
  quotes: {
    id: string
    instrument: string
    wantedQuantity: number
    state: 'asked' | 'offered' | 'declined'
    createdAt: number
  }[]
  /** The newest that were sent with this address, which nobody has proven: the form is for everybody. */
  messages: { id: string; message: string; createdAt: number; isDone: boolean }[]
  /** What happened to the account; `actor` is a user's email, or `make-admin` … */
  events: { id: number; at: number; event: string; actor: string; note: string }[]
}

/** For admins: what the shop knows of a user, without secrets; `before` is the cursor of the orders. */
export async function readCustomer(
  { db }: Deps,
  userId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<CustomerRecord | null> {
  const [[user], [note], rows, [spent], written, asked, sent, events] = await db.batch([
    db
      .select({
        id: users.id,
        email: users.email,
        name: users.name,
        role: users.role,
        staffRole: users.staffRole,
        verifiedAt: users.emailVerifiedAt,
        hasSecondFactor: sql<number>`${isSecondFactorOn(sql`users.id`)}`,
        createdAt: users.createdAt,
        closedAt: users.closedAt,
      })
      .from(users)
      .where(eq(users.id, userId)),
    db
      .select({ text: customerNotes.note, by: users.email, at: customerNotes.writtenAt })
      .from(customerNotes)
      .innerJoin(users, eq(users.id, customerNotes.writtenBy))
      .where(eq(customerNotes.customerId, userId)),
    db
      .select(summaryColumns)
      .from(orders)
      .where(and(eq(orders.customerId, userId), afterCursor([orders.createdAt, orders.id], '<', before)))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(rowsFor(limit)),
    selectSpent({ db }, userId),
    db
      .select({ id: reviews.id, description: reviews.description, createdAt: reviews.createdAt })
      .from(reviews)
      .where(eq(reviews.userId, userId))
      .orderBy(desc(reviews.createdAt))
      .limit(newest),
    db
      .select({
        ...{ id: quotes.id, instrument: instruments.name, wantedQuantity: quotes.wantedQuantity },
        ...{ state: quotes.state, createdAt: quotes.createdAt },
      })
      .from(quotes)
      .innerJoin(instruments, eq(instruments.id, quotes.instrumentId))
      .where(eq(quotes.customerId, userId))
      .orderBy(desc(quotes.createdAt), desc(quotes.id))
      .limit(newest),
    db
      .select({
        ...{ id: contactMessages.id, message: contactMessages.message, createdAt: contactMessages.createdAt },
        isDone: sql<number>`${contactMessages.doneAt} IS NOT NULL`,
      })
      .from(contactMessages)
      .where(eq(contactMessages.email, sql`(SELECT email FROM users WHERE id = ${userId})`))
      // As the index of emails has them: anybody may send many.
      .orderBy(sql`contact_messages.rowid DESC`)
      .limit(newest),
    db
      .select({
        id: auditLog.id,
        at: auditLog.at,
        event: auditLog.event,
        actor: auditLog.actor,
        note: auditLog.note,
        email: users.email,
      })
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actor))
      .where(eq(auditLog.userId, userId))
      .orderBy(desc(auditLog.id))
      .limit(newest),
  ])
  if (!user) return null
  const { verifiedAt, hasSecondFactor, ...rest } = user
  const { page, next } = pageOf(rows, limit)
  return {
    user: { ...rest, isVerified: verifiedAt !== null, hasSecondFactor: hasSecondFactor === 1 },
    note: note ?? null,
    orders: page,
    next,
    spent: { orders: spent!.orders, cents: spent!.cents, isWhole: spent!.seen < spentWindow },
    reviews: written,
    quotes: asked,
    messages: sent.map((each) => ({ ...each, isDone: each.isDone === 1 })),
    events: events.map(({ email, ...event }) => ({ ...event, actor: email ?? event.actor })),
  }
}

/** `seen` counts all that were looked at, unpaid and cancelled ones too. */
function selectSpent({ db }: Pick<Deps, 'db'>, userId: string) {
  return db.all<{ orders: number; cents: number; seen: number }>(sql`
    SELECT count(paid_at) AS orders, coalesce(sum(iif(paid_at IS NULL, 0, total_cents - refunded_cents)), 0) AS cents, count(*) AS seen
    FROM (SELECT paid_at, total_cents, refunded_cents FROM orders WHERE customer_id = ${userId}
      ORDER BY created_at DESC, id DESC LIMIT ${spentWindow}) AS newest_of_customer`)
}
