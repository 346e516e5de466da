import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import {
  accessTokens,
  apiKeys,
  auditLog,
  contactMessages,
  creditNotes,
  customerNotes,
  drafts,
  emails,
  emailTokens,
  identities,
  instruments,
  invoices,
  orderRefunds,
  orders,
  passkeys,
  passwords,
  quotes,
  recoveryCodes,
  refunds,
  reviews,
  secondFactors,
  sessions,
  users,
  wishes,
} from '../../db/schema'
import type { Deps } from '../deps'
import { creditNoteNumber, invoiceNumber } from '../orders/receipts/invoices'
import { orderNumber } from '../orders/orders'
import { orderColumns } from '../orders/orders.server'
import { afterCursor } from '../shared/pagination.server'

const batchSize = 200

/**
 * Everything that the shop has about a user (decision 37): no hashes, no secrets, nothing of other people, and not the notes that
 * colleagues leave each other about an order. First the account, then its orders (oldest first) and the emails to it, 200 at a time. Times in milliseconds
 * since 1970, amounts in US cents.
 */
export async function* readOwnData(
  deps: Deps,
  { id }: { id: string },
): AsyncGenerator<{ account: object } | { orders: object[] } | { emails: object[] }, void> {
  const { email, verifiedAt, registeredAt, ...account } = await readAccount(deps, id)
  yield { account }
  for (let after: string | undefined; ;) {
    const rows = await readOrders(deps, id, after)
    yield { orders: rows }
    if (rows.length < batchSize) break
    after = rows.at(-1)!.id
  }
  // Whoever has not verified an address may not be its owner (R6).
  if (verifiedAt === null) return
  for (let after = 0; ;) {
    const rows = await readEmails(deps, { id, email, registeredAt }, after)
    yield { emails: rows.map(({ row: _, ...each }) => each) }
    if (rows.length < batchSize) return
    after = rows.at(-1)!.row
  }
}

async function readAccount({ db }: Deps, id: string) {
  const ofUser = (table: typeof sessions | typeof reviews) => eq(table.userId, id)
  const [
    [user],
    [password],
    [factor],
    keys,
    google,
    browsers,
    tokens,
    links,
    written,
    messages,
    events,
    wanted,
    asked,
    unsent,
    programs,
    noted,
  ] = await db.batch([
    db.select().from(users).where(eq(users.id, id)),
    db.select({ changedAt: passwords.changedAt }).from(passwords).where(eq(passwords.userId, id)),
    db
      .select({
        createdAt: secondFactors.createdAt,
        confirmedAt: secondFactors.confirmedAt,
        recoveryCodes: sql<number>`(SELECT count(*) FROM ${recoveryCodes} WHERE user_id = ${id})`,
      })
      .from(secondFactors)
      .where(eq(secondFactors.userId, id)),
    db
      .select({ name: passkeys.name, createdAt: passkeys.createdAt, usedAt: passkeys.usedAt })
      .from(passkeys)
      .where(eq(passkeys.userId, id)),
    db
      .select({ issuer: identities.issuer, subject: identities.subject, createdAt: identities.createdAt })
      .from(identities)
      .where(eq(identities.userId, id)),
    db
      .select({
        browser: sessions.userAgent,
        createdAt: sessions.createdAt,
        seenAt: sessions.seenAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .where(ofUser(sessions)),
    db
      .select({ createdAt: accessTokens.createdAt, expiresAt: accessTokens.expiresAt })
      .from(accessTokens)
      .innerJoin(sessions, eq(sessions.tokenHash, accessTokens.sessionHash))
      .where(ofUser(sessions)),
    db
      .select({
        purpose: emailTokens.purpose,
        createdAt: emailTokens.createdAt,
        expiresAt: emailTokens.expiresAt,
        usedAt: emailTokens.usedAt,
      })
      .from(emailTokens)
      .where(eq(emailTokens.userId, id)),
    db
      .select({
        name: reviews.name,
        description: reviews.description,
        createdAt: reviews.createdAt,
        hiddenAt: reviews.hiddenAt,
        hiddenReason: reviews.hiddenReason,
        reply: reviews.reply,
        instrument: instruments.name,
        stars: reviews.rating,
      })
      .from(reviews)
      .leftJoin(instruments, eq(instruments.id, reviews.instrumentId))
      .where(ofUser(reviews)),
    db
      .select({
        name: contactMessages.name,
        message: contactMessages.message,
        createdAt: contactMessages.createdAt,
        doneAt: contactMessages.doneAt,
      })
      .from(contactMessages)
      .innerJoin(users, and(eq(users.email, contactMessages.email), isNotNull(users.emailVerifiedAt)))
      .where(eq(users.id, id)),
    db
      .select({ at: auditLog.at, event: auditLog.event, by: who(id) })
      .from(auditLog)
      .where(eq(auditLog.userId, id))
      .orderBy(asc(auditLog.id)),
    db
      .select({ product: instruments.name, createdAt: wishes.createdAt, emailedAt: wishes.emailedAt })
      .from(wishes)
      .innerJoin(instruments, eq(instruments.id, wishes.instrumentId))
      .where(eq(wishes.userId, id)),
    db
      .select({
        product: instruments.name,
        wantedQuantity: quotes.wantedQuantity,
        note: quotes.note,
        createdAt: quotes.createdAt,
        state: quotes.state,
        quantity: quotes.quantity,
        unitPriceCents: quotes.unitPriceCents,
        validUntil: quotes.validUntil,
        reply: quotes.reply,
        answeredAt: quotes.answeredAt,
        acceptedAs: orders.number,
      })
      .from(quotes)
      .innerJoin(instruments, eq(instruments.id, quotes.instrumentId))
      .leftJoin(orders, eq(orders.quoteId, quotes.id))
      .where(eq(quotes.customerId, id)),
    // Only the browser that sent it can read it.
    db.select({ expiresAt: drafts.expiresAt }).from(drafts).where(eq(drafts.userId, id)),
    db
      .select({
        name: apiKeys.name,
        scopes: apiKeys.scopes,
        createdAt: apiKeys.createdAt,
        usedAt: apiKeys.usedAt,
        expiresAt: apiKeys.expiresAt,
      })
      .from(apiKeys)
      .where(eq(apiKeys.userId, id)),
    db
      .select({ note: customerNotes.note, writtenAt: customerNotes.writtenAt })
      .from(customerNotes)
      .where(eq(customerNotes.customerId, id)),
  ])
  const { name, email, role, image, address, phone, createdAt, emailVerifiedAt, reviewEmailAfter } = user!
  return {
    email,
    verifiedAt: emailVerifiedAt,
    registeredAt: createdAt,
    profile: { id, name, email, role, image, address, phone, createdAt, emailVerifiedAt, reviewEmailAfter },
    signIn: {
      password: password ?? null,
      secondFactor: factor ?? null,
      passkeys: keys,
      google,
      sessions: browsers,
      accessTokens: tokens,
      apiKeys: programs,
    },
    linksSentByEmail: links,
    accountEvents: events,
    reviews: written,
    messages,
    notesOfTheShop: noted,
    formsThatWaitForALogin: unsent,
    backInStockEmails: wanted,
    quotes: asked.map(({ acceptedAs: number, ...quote }) => ({
      ...quote,
      order: number === null ? null : orderNumber({ number }),
    })),
  }
}

/** Not the names of the shop's people. */
function who(id: string) {
  return sql<string>`CASE WHEN ${auditLog.actor} = ${id} THEN 'you' WHEN ${auditLog.actor} = 'stripe' THEN 'Stripe' ELSE 'the shop' END`
}

async function readOrders({ db }: Deps, id: string, after: string | undefined) {
  const page = await db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.customerId, id), afterCursor([orders.createdAt, orders.id], '>', after)))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(batchSize)
  if (page.length === 0) return []
  const ids = page.map((order) => order.id)
  const [events, made, strayRefunds, issued, credited] = await db.batch([
    db
      .select({ orderId: auditLog.orderId, id: auditLog.id, at: auditLog.at, event: auditLog.event, by: who(id) })
      .from(auditLog)
      .where(and(inArray(auditLog.orderId, ids), ne(auditLog.event, 'note changed'))),
    db
      .select({
        orderId: orderRefunds.orderId,
        refundId: orderRefunds.refundId,
        amountCents: orderRefunds.amountCents,
        reason: orderRefunds.reason,
        createdAt: orderRefunds.createdAt,
        madeAt: orderRefunds.madeAt,
        failedAt: orderRefunds.failedAt,
      })
      .from(orderRefunds)
      .where(inArray(orderRefunds.orderId, ids)),
    db
      .select({
        orderId: refunds.orderId,
        refundId: refunds.refundId,
        amountCents: refunds.amountCents,
        createdAt: refunds.createdAt,
        madeAt: refunds.madeAt,
        failedAt: refunds.failedAt,
      })
      .from(refunds)
      .where(inArray(refunds.orderId, ids)),
    db
      .select({
        orderId: invoices.orderId,
        series: invoices.series,
        number: invoices.number,
        issuedAt: invoices.issuedAt,
        buyerName: invoices.buyerName,
        buyerAddress: invoices.buyerAddress,
      })
      .from(invoices)
      .where(inArray(invoices.orderId, ids)),
    db
      .select({
        orderId: creditNotes.orderId,
        series: creditNotes.series,
        number: creditNotes.number,
        isReversal: creditNotes.isReversal,
        amountCents: creditNotes.amountCents,
        issuedAt: creditNotes.issuedAt,
      })
      .from(creditNotes)
      .where(inArray(creditNotes.orderId, ids)),
  ])
  const its = <Row extends { orderId: string | null }>(rows: Row[], order: string) =>
    rows.filter(({ orderId }) => orderId === order).map(({ orderId: _, ...row }) => row)
  return page.map(({ customerId: _, ...order }) => ({
    ...order,
    // Few of each, so no index sorts them.
    events: its(events, order.id)
      .sort((one, another) => one.id - another.id)
      .map(({ id: _, ...event }) => event),
    invoices: its(issued, order.id).map(({ series, ...each }) => ({
      ...each,
      number: invoiceNumber({ ...each, series }),
    })),
    creditNotes: its(credited, order.id).map(({ series, ...each }) => ({
      ...each,
      number: creditNoteNumber({ ...each, series }),
      isReversal: each.isReversal === 1,
    })),
    refunds: [...its(made, order.id), ...its(strayRefunds, order.id)],
  }))
}

/** Those of this account: an earlier one with the same address may still get some about its paid orders. */
function readEmails(
  { db }: Deps,
  { id, email, registeredAt }: { id: string; email: string; registeredAt: number },
  after: number,
) {
  return db
    .select({
      row: sql<number>`emails.rowid`,
      subject: sql<string>`coalesce(nullif(${emails.subject}, ''), ${auditLog.event})`,
      createdAt: emails.createdAt,
      sentAt: emails.sentAt,
    })
    .from(emails)
    .leftJoin(auditLog, eq(auditLog.id, emails.auditLogId))
    .leftJoin(orders, eq(orders.id, auditLog.orderId))
    .where(
      and(
        sql`${emails.recipient} = ${email} AND ${emails.recipient} <> ''`,
        gt(sql`emails.rowid`, after),
        gte(emails.createdAt, registeredAt),
        or(isNull(orders.id), eq(orders.customerId, id)),
      ),
    )
    .orderBy(sql`emails.rowid`)
    .limit(batchSize)
}

/** False for an account that logs in with Google alone. */
export async function hasPassword({ db }: Deps, { id }: { id: string }): Promise<boolean> {
  return (await db.$count(passwords, eq(passwords.userId, id))) === 1
}
