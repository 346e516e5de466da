import { and, asc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { isBrokenRule } from '../../db/open.server'
import {
  apiKeys,
  contactMessages,
  customerNotes,
  drafts,
  emailTokens,
  identities,
  invoices,
  orders,
  passkeys,
  passwords,
  quotes,
  reviews,
  secondFactors,
  sessions,
  users,
  wishes,
} from '../../db/schema'
import { indexUsers } from '../accounts/user-search.server'
import type { Deps } from '../deps'
import { accountClosedEmail, accountClosedShopEmail } from '../email/templates.server'
import { enqueueEmail } from '../email/outbox.server'
import { closedAccount, orderNumber } from '../orders/orders'
import { isToShip, isUnpaid } from '../orders/orders.server'
import { expirePayment } from '../payments/confirm-payment.server'
import { callProvider } from '../payments/payments.server'
import { dayStart, firstDayOf, monthOf } from '../shared/dates'
import { Refusal } from '../shared/refusal'

/** The actor of orders that are cancelled because their customer closes the account. */
const accountClosed = 'account closed'

export interface Closing {
  unpaidOrders: number
  /** Their pieces are still to be sent. */
  unshippedOrders: number
  paidOrders: number
  reviews: number
  /** Nobody else could run the shop. */
  isLastAdmin: boolean
}

/** What closing the account would do. One round trip. */
export async function readClosing({ db }: Deps, { id }: { id: string }): Promise<Closing> {
  const count = (condition: SQL) => sql<number>`count(*) FILTER (WHERE ${condition})`
  const [[ordered], [user]] = await db.batch([
    db
      .select({
        unpaidOrders: count(sql`state = 'unpaid'`),
        unshippedOrders: count(isToShip),
        paidOrders: count(sql`transaction_id IS NOT NULL`),
      })
      .from(orders)
      .where(eq(orders.customerId, id)),
    db
      .select({ reviews: db.$count(reviews, eq(reviews.userId, id)), isLastAdmin: sql<number>`${isLastAdmin}` })
      .from(users)
      .where(eq(users.id, id)),
  ])
  return { ...ordered!, reviews: user!.reviews, isLastAdmin: user!.isLastAdmin === 1 }
}

/** As in the trigger `users_are_closed_as_a_whole`. */
const isLastAdmin = sql`(users.role = 'admin' AND users.email_verified_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM users other WHERE other.id <> users.id AND other.role = 'admin' AND other.email_verified_at IS NOT NULL))`

/**
 * Closes an account for good (decision 37): cancels its unpaid orders once their payments have expired (a payment that arrives later is
 * refunded, R14), ends what signs in, and removes name, address, phone and email from all but paid orders, which the books need
 * (`eraseOldOrders`). All in one batch. Refuses the last admin, an order that is paid or being paid just now, and when the provider is
 * down: then nothing is closed. False if it was closed before.
 */
export async function closeAccount(
  deps: Deps,
  { id }: { id: string },
  { deleteReviews = false, actor = id } = {},
): Promise<boolean> {
  const { db } = deps
  const [[user], payable] = await db.batch([
    db
      .select({
        email: users.email,
        verifiedAt: users.emailVerifiedAt,
        closedAt: users.closedAt,
        isLastAdmin: sql<number>`${isLastAdmin}`,
      })
      .from(users)
      .where(eq(users.id, id)),
    db
      .select({ id: orders.id, number: orders.number })
      .from(orders)
      .where(and(isUnpaid, eq(orders.customerId, id), hasOpenPayment)),
  ])
  if (!user) throw new Refusal('not-found', 'There is no such account.')
  if (user.closedAt !== null) return false
  if (user.isLastAdmin) throw lastAdmin()
  for (const order of payable) {
    const outcome = await callProvider(() => expirePayment(deps, order.id))
    if (outcome === 'paid')
      throw new Refusal('conflict', `Order ${orderNumber(order)} was just paid. Nothing is closed.`)
    if (outcome === 'in-progress') {
      const message = `A payment of order ${orderNumber(order)} is under way. Nothing is closed. Try again in a few minutes.`
      throw new Refusal('conflict', message)
    }
  }
  try {
    await db.batch(closing(deps, { id, ...user }, { deleteReviews, actor }))
  } catch (error) {
    // Another window was faster.
    if (isBrokenRule(error, 'a closed account stays closed')) return false
    if (isBrokenRule(error, 'the shop needs an admin')) throw lastAdmin()
    if (!isBrokenRule(error, 'an account with an unpaid order is not closed')) throw error
    throw new Refusal('conflict', 'An order has changed in another window. Nothing is closed. Please try again.')
  }
  // Its unpaid orders as well: this is at once, and for all pages.
  deps.invalidate('reviews')
  return true
}

const hasOpenPayment = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = orders.id AND state <> 'closed')`

function lastAdmin(): Refusal {
  return new Refusal('conflict', 'The shop needs an admin: make somebody else one first.')
}

/** The first statement that the triggers refuse undoes all. */
function closing(
  deps: Deps,
  { id, email, verifiedAt }: { id: string; email: string; verifiedAt: number | null },
  { deleteReviews, actor }: { deleteReviews: boolean; actor: string },
) {
  const { db, now } = deps
  const at = now()
  const about = { id, email, origin: deps.origin, shopEmail: deps.shopEmail }
  const isOwnMessage = eq(contactMessages.email, email)
  return [
    db
      .update(orders)
      .set({ state: 'cancelled', cancelledAt: at, movedBy: accountClosed })
      .where(and(isUnpaid, eq(orders.customerId, id), sql`NOT ${hasOpenPayment}`)),
    db
      .update(users)
      .set({
        closedAt: at,
        keptSince: sql`(SELECT min(paid_at) FROM orders WHERE customer_id = users.id)`,
        email: sql`${closedAccount} || ' ' || id`,
        name: closedName,
        role: 'customer',
        staffRole: null,
        image: null,
        address: null,
        phone: null,
      })
      .where(eq(users.id, id)),
    indexUsers(db, eq(users.id, id)),
    db.delete(sessions).where(eq(sessions.userId, id)),
    db.delete(drafts).where(eq(drafts.userId, id)),
    db.delete(passkeys).where(eq(passkeys.userId, id)),
    db.delete(passwords).where(eq(passwords.userId, id)),
    db.delete(secondFactors).where(eq(secondFactors.userId, id)),
    db.delete(identities).where(eq(identities.userId, id)),
    db.delete(emailTokens).where(eq(emailTokens.userId, id)),
    db.delete(wishes).where(eq(wishes.userId, id)),
    db.delete(apiKeys).where(eq(apiKeys.userId, id)),
    db.delete(customerNotes).where(eq(customerNotes.customerId, id)),
    db
      .delete(quotes)
      .where(
        and(
          eq(quotes.customerId, id),
          sql`id NOT IN (SELECT quote_id FROM orders WHERE customer_id = ${id} AND quote_id IS NOT NULL)`,
        ),
      ),
    // An offer with an order stays for its price.
    db.update(quotes).set({ note: null }).where(eq(quotes.customerId, id)),
    db
      .update(orders)
      .set(erased)
      // The plus: not through the index of transaction ids.
      .where(and(eq(orders.customerId, id), sql`+transaction_id IS NULL`)),
    deleteReviews
      ? db.delete(reviews).where(eq(reviews.userId, id))
      : db.update(reviews).set({ name: closedName }).where(eq(reviews.userId, id)),
    forgetEmails(deps, sql`recipient = ${email} AND recipient <> ''`),
    // Somebody else may have registered with this address: then its messages are its owner's.
    ...(verifiedAt === null
      ? []
      : [
          forgetEmails(deps, sql`id IN (SELECT 'contact:' || id FROM contact_messages WHERE email = ${email})`),
          db.delete(contactMessages).where(isOwnMessage),
        ]),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, user_id) VALUES (${at}, 'account closed', ${actor}, ${id})`),
    enqueueEmail(deps, accountClosedEmail(about)),
    enqueueEmail(deps, accountClosedShopEmail(about)),
  ] as const
}

/** Also those that wait, but for those about paid orders. Their ids stay, so that nothing sends them again. */
function forgetEmails({ db, now }: Deps, which: SQL) {
  return db.run(sql`
    UPDATE emails SET recipient = '', subject = '', text = '', html = '', sent_at = coalesce(sent_at, ${now()})
    WHERE ${which} AND (sent_at IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM audit_log JOIN orders ON orders.id = order_id
      WHERE audit_log.id = audit_log_id AND transaction_id IS NOT NULL))`)
}

const closedName = 'Closed account'

/** In place of what an order says of its customer. The triggers permit no other email. */
const erased = {
  customerName: closedName,
  customerEmail: closedAccount,
  customerAddress: '',
  customerPhone: '',
  company: null,
  vatNumber: null,
  purchaseOrder: null,
  staffNote: null,
  trackingNumber: null,
  trackingUrl: null,
  ipHash: null,
}

const [usersPerRun, ordersPerUser] = [20, 500]

/**
 * For the cron trigger: removes name, address, phone and email from paid orders of closed accounts and their invoices, once the books no longer need them:
 * `keepOrdersYears` whole years after the year of the payment (decision 37). Of at most 20 accounts, 500 orders each.
 */
export async function eraseOldOrders({ db, now, keepOrdersYears }: Deps): Promise<void> {
  const before = dayStart(firstDayOf(12 * (Math.floor(monthOf(now()) / 12) - keepOrdersYears)))
  const due = await db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`kept_since IS NOT NULL`, lt(users.keptSince, before)))
    .orderBy(asc(users.keptSince))
    .limit(usersPerRun)
  for (const { id } of due) {
    const isKept = sql`customer_id = ${id} AND transaction_id IS NOT NULL AND customer_email <> ${closedAccount}`
    await db.batch([
      db
        .update(orders)
        .set(erased)
        .where(sql`id IN (SELECT id FROM orders WHERE ${isKept} AND paid_at < ${before} LIMIT ${ordersPerUser})`),
      db
        .update(invoices)
        .set({ buyerName: closedName, buyerAddress: '', company: null, vatNumber: null, purchaseOrder: null })
        .where(
          sql`buyer_name <> ${closedName} AND order_id IN (SELECT id FROM orders WHERE customer_id = ${id} AND customer_email = ${closedAccount})`,
        ),
      db
        .update(users)
        .set({ keptSince: sql`(SELECT min(paid_at) FROM orders WHERE ${isKept})` })
        .where(eq(users.id, id)),
    ])
  }
}
