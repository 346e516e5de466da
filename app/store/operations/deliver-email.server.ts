import { and, asc, eq, gte, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import {
  contactMessages,
  auditLog,
  emails,
  instruments,
  orderRefunds,
  orders,
  quotes,
  refunds,
  users,
  wishes,
} from '../../db/schema'
import { catalogPath } from '../catalog/catalog'
import { describeShortage } from '../catalog/instruments'
import { unsubscribeLink } from '../catalog/wishes.server'
import type { Db } from '../../db/open.server'
import { runReaders, selectNews } from './run-readers.server'
import { CircuitBreaker } from '../shared/circuit-breaker'
import { EmailPause, type Deps, type Email } from '../deps'
import { maxAttempts, retention } from '../shared/limits'
import { backInStockEmail, lowStockEmail, reviewEmail } from '../email/templates.server'
import { emailedEvents, newOrderEmail, orderEmail, type OrderNotice } from '../orders/order-emails.server'
import { closedAccount } from '../orders/orders'
import { orderColumns } from '../orders/orders.server'
import { emailedAnswers, quoteEmail } from '../quotes/quote-emails.server'
import { findReviewable, reviewUnsubscribeLink } from '../reviews/review-emails.server'
import { inLanguage } from '../../i18n/language.server'
import { localPath } from '../../i18n/paths'
import type { Language } from '../../i18n/language'

/** Milliseconds before another worker may try the same email. */
const claimTtl = 60_000

const batchSize = 20

interface Delivery {
  /** After each 20 emails or fewer (`isFull`: there may be more): goes on if it says so. */
  again?: (isFull: boolean) => boolean
  breaker?: CircuitBreaker
  onWebhooks?: () => void
}

/**
 * Lets the readers of the log enqueue what happened, and sends at most 20 emails of the outbox, oldest first, and 20 more if `again` says so; a
 * failed one waits longer each time, up to an hour. Ends early when the provider asks for a pause, or is silent twice: the
 * others keep their attempts. Safe to run in parallel: emails are claimed in the batch that reads them, and their ids are
 * idempotency keys. The same batch tells whether webhooks are due (`onWebhooks`).
 */
export async function deliverPendingEmails(
  deps: Deps,
  { again = () => false, breaker = new CircuitBreaker(deps.now), onWebhooks }: Delivery = {},
): Promise<{ sent: number }> {
  if (breaker.isOpen) return { sent: 0 }
  let sent = 0
  let done: string[] = []
  let isFull
  let pause
  do {
    const claim = await claimEmails(deps, done)
    isFull = claim.isBehind || claim.rows.length === batchSize
    if (claim.hasWebhooks) onWebhooks?.()
    ;({ done, pause } = await sendEmails(deps, claim, breaker))
    sent += done.length
  } while (pause === null && again(isFull))
  if (done.length > 0) await markSent(deps, done)
  return { sent }
}

/** `done`: the ids of those that need not be sent again. `pause`: milliseconds for the others; null: none is left. */
async function sendEmails(deps: Deps, { rows, at: claimedAt }: EmailClaim, breaker: CircuitBreaker) {
  const { now, email, report } = deps
  const done: string[] = []
  const stopAt = async (index: number, pause: number) => {
    await putBack(deps, rows.slice(index), claimedAt, pause)
    return { done, pause }
  }
  for (const [index, row] of rows.entries()) {
    if (breaker.isOpen) return stopAt(index, claimTtl)
    // Another Worker may claim the others soon.
    if (now() > claimedAt + claimTtl / 2) return stopAt(index, 0)
    const { id, kind, attempts } = row.email
    try {
      const message = await inLanguage(languageOf(row), () => emailOf(deps, row))
      if (message) await breaker.run(() => email.send(message))
      done.push(id)
    } catch (error) {
      if (error instanceof EmailPause) {
        report('emails paused', error)
        return stopAt(index, error.milliseconds)
      }
      const isLast = attempts + 1 >= maxAttempts
      if (isLast) deps.count('email given up')
      report(isLast ? 'email given up' : 'email not sent', error, kind)
    }
  }
  return { done, pause: null }
}

/** Unless another Worker has claimed them since. */
async function putBack({ db, now }: Deps, rows: ClaimedEmail[], claimedAt: number, pause: number): Promise<void> {
  const ids = rows.map((row) => row.email.id)
  const isOurs = sql`${emails.dueAt} = ${claimedAt} + ${claimTtl} * min(${emails.attempts}, 60)`
  await db
    .update(emails)
    .set({ dueAt: now() + pause, attempts: sql`${emails.attempts} - 1` })
    .where(and(inArray(emails.id, ids), isOurs))
}

/** Emails contain secret links, which must not stay in the database. */
function markSent({ db, now }: Deps, ids: string[]) {
  return db.update(emails).set({ sentAt: now(), text: '', html: '' }).where(inArray(emails.id, ids))
}

/** Due emails with what they are about. Marks those before as sent. */
async function claimEmails(deps: Deps, done: string[]) {
  const at = deps.now()
  const { results, isWhole } = await runReaders(deps, [markSent(deps, done), ...claiming(deps.db, at)])
  const [, rows, , [news]] = results
  rows.sort((one, other) => one.email.dueAt - other.email.dueAt)
  return { at, rows, hasWebhooks: news!.areWebhooksDue === 1, isBehind: isWhole && news!.isBehind === 1 }
}

type EmailClaim = Awaited<ReturnType<typeof claimEmails>>

function claiming(db: Db, at: number) {
  const due = db
    .select({ id: emails.id })
    .from(emails)
    .where(and(isNull(emails.sentAt), lte(emails.dueAt, at), lt(emails.attempts, maxAttempts)))
    .orderBy(asc(emails.dueAt), sql`rowid`)
    .limit(batchSize)
  return [
    db
      .select({
        email: emails,
        replyTo: contactMessages.email,
        actor: auditLog.actor,
        order: orderColumns,
        refundCents: sql<number | null>`coalesce(${refunds.amountCents}, ${orderRefunds.amountCents})`,
        refundReason: orderRefunds.reason,
        instrumentId: instruments.id,
        instrumentName: instruments.name,
        img: sql<string>`${instruments.img}`,
        instrumentSlug: sql<string>`${instruments.slug}`,
        available: instruments.availableQuantity,
        minimum: instruments.minQuantity,
        removedAt: instruments.removedAt,
        threshold: instruments.lowStock,
        wisherId: wishes.userId,
        wishLanguage: wishes.language,
        quote: quotes,
        customerName: users.name,
        customerEmail: users.email,
      })
      .from(emails)
      .leftJoin(contactMessages, eq(contactMessages.id, emails.aboutId))
      .leftJoin(auditLog, eq(auditLog.id, emails.auditLogId))
      .leftJoin(orders, eq(orders.id, auditLog.orderId))
      .leftJoin(wishes, eq(wishes.id, emails.aboutId))
      .leftJoin(quotes, eq(quotes.id, emails.aboutId))
      .leftJoin(users, eq(users.id, quotes.customerId))
      .leftJoin(
        instruments,
        sql`${instruments.id} = coalesce(${orders.instrumentId}, ${auditLog.instrumentId}, ${wishes.instrumentId}, ${quotes.instrumentId})`,
      )
      .leftJoin(refunds, eq(refunds.transactionId, auditLog.aboutId))
      .leftJoin(orderRefunds, eq(orderRefunds.id, auditLog.aboutId))
      .where(inArray(emails.id, due)),
    db
      .update(emails)
      .set({
        dueAt: sql`${at} + ${claimTtl} * (1 + min(${emails.attempts}, 59))`,
        attempts: sql`${emails.attempts} + 1`,
      })
      .where(inArray(emails.id, due)),
    selectNews(db, at),
  ] as const
}

type ClaimedEmail = EmailClaim['rows'][number]

/** Null when another email has overtaken it, or nobody is left to read it. */
type Writer = (deps: Deps, claimed: ClaimedEmail) => Email | null | Promise<Email | null>

const writers: Record<string, Writer | undefined> = {
  ...Object.fromEntries(emailedEvents.map((event) => [event, orderWriter(event)])),
  'receipt again': orderWriter('order paid'),
  ...Object.fromEntries(['quote asked', ...emailedAnswers].map((kind) => [kind, writeQuoteEmail])),
  'shop order': (deps, { email: { id }, order }) => order && newOrderEmail(id, order, deps),
  'low stock': writeLowStock,
  'back in stock': writeBackInStock,
  'hold ends': writeHoldReminder,
  'review wanted': writeReviewEmail,
}

/** Of the order or the wish that an email to a customer is about; all others are English, whoever's request sends them. */
function languageOf({ email, order, wishLanguage }: ClaimedEmail): Language {
  if (email.recipient === 'shop') return 'en'
  return order?.language ?? wishLanguage ?? 'en'
}

function emailOf(deps: Deps, claimed: ClaimedEmail): ReturnType<Writer> {
  const { email, replyTo } = claimed
  const write = writers[email.kind]
  if (write) return write(deps, claimed)
  if (email.subject === '') throw new Error(`Nothing writes emails of the kind "${email.kind}"`)
  return { ...email, replyTo }
}

function orderWriter(event: OrderNotice['event']) {
  return ({ origin }: Deps, claimed: ClaimedEmail): Email | null => {
    const { email, actor, order, img, instrumentSlug: slug, refundCents, refundReason } = claimed
    if (actor === null || order === null || order.customerEmail === closedAccount) return null
    // The email about the cancellation says it all.
    if (event === 'order placed' && order.state === 'cancelled') return null
    const instrumentLink = origin + localPath(catalogPath({ slug }))
    return orderEmail(email.id, { event, actor, order, img, instrumentLink, refundCents, refundReason }, origin)
  }
}

/** Null if the order was paid or cancelled since. */
function writeHoldReminder(deps: Deps, claimed: ClaimedEmail): Email | null {
  const { order } = claimed
  if (order?.state !== 'unpaid' || order.holdUntil === null || order.holdUntil <= deps.now()) return null
  return orderWriter('hold ends')(deps, claimed)
}

/** Null if it was refunded or reviewed since, or its customer wants no such email any more. */
async function writeReviewEmail(
  deps: Deps,
  { email: { id, recipient, aboutId } }: ClaimedEmail,
): Promise<Email | null> {
  const order = await findReviewable(deps, aboutId!)
  if (!order) return null
  const { customerId, customerName, productName, instrumentId, language } = order
  const unsubscribe = await reviewUnsubscribeLink(deps, { id: customerId })
  return inLanguage(language, () =>
    reviewEmail({
      ...{ id, recipient, customerName, productName, unsubscribe },
      form: deps.origin + localPath(`/dashboard/addReview?about=${instrumentId}`),
    }),
  )
}

function writeLowStock({ origin, shopEmail }: Deps, claimed: ClaimedEmail): Email {
  const { email, instrumentId, instrumentName: name, available, threshold } = claimed
  const page = `${origin}/dashboard/manageProduct/${instrumentId}`
  return lowStockEmail({ id: email.id, name: name!, available: available!, threshold, page, shopEmail })
}

/** Null if the customer or the instrument has gone since. */
async function writeBackInStock(deps: Deps, claimed: ClaimedEmail): Promise<Email | null> {
  const { email, wisherId, instrumentName: name, instrumentSlug: slug, available, minimum, removedAt } = claimed
  if (wisherId === null || removedAt !== null) return null
  return backInStockEmail({
    ...{ id: email.id, recipient: email.recipient, name: name!, available: available!, minimum: minimum! },
    shortage: describeShortage({ availableQuantity: available!, minQuantity: minimum! }),
    page: deps.origin + localPath(catalogPath({ slug })),
    unsubscribe: await unsubscribeLink(deps, { id: wisherId }),
  })
}

/** Null if the customer has gone since, and the quote with them. */
function writeQuoteEmail(deps: Deps, { email, quote, ...about }: ClaimedEmail): Email | null {
  const [instrumentName, customerName] = [about.instrumentName!, about.customerName!]
  const [customerEmail, available] = [about.customerEmail!, about.available!]
  return quote && quoteEmail(email, { ...quote, instrumentName, customerName, customerEmail, available }, deps)
}

/**
 * For the cron trigger: forgets the recipients and subjects of sent emails and deletes undeliverable ones, both 90 days
 * after the last try. The ids of sent ones stay: they keep the same email from being sent again.
 */
export async function forgetOldEmails({ db, now }: Deps): Promise<void> {
  await db
    .update(emails)
    .set({ recipient: '', subject: '' })
    // A literal, not a bound parameter: otherwise SQLite cannot use the partial index.
    .where(and(sql`${emails.recipient} <> ''`, lt(emails.sentAt, now() - retention.sentEmails)))
  const isUndeliverable = and(isNull(emails.sentAt), gte(emails.attempts, maxAttempts))
  await db.delete(emails).where(and(isUndeliverable, lt(emails.dueAt, now() - retention.undeliverableEmails)))
}
