import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { creditNotes, invoices, orderRefunds, orders, sellers } from '../../../db/schema'
import { may } from '../../accounts/rights'
import type { User } from '../../accounts/sign-in'
import type { Deps } from '../../deps'
import {
  creditNoteNumber,
  creditNotePaper,
  creditNoteTitle,
  invoiceTitle,
  invoicePaper,
  type CreditNote,
  type Numbered,
  type Paper,
} from './invoices'

/**
 * For a batch, before what makes an order paid: makes the seller of the configuration the newest one, of which the trigger takes the
 * invoice's (decision 34). Earlier invoices keep theirs.
 */
export function storeSeller({ db, now, seller }: Deps) {
  const { name, address, vatNumber, vatRate } = seller ?? { name: null, address: null, vatNumber: null, vatRate: null }
  return db.run(sql`
    INSERT INTO sellers (name, address, vat_number, vat_rate, created_at)
    SELECT ${name}, ${address}, ${vatNumber}, ${vatRate}, ${now()}
    WHERE ${name} IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM sellers WHERE id = (SELECT max(id) FROM sellers)
        AND name = ${name} AND address = ${address} AND vat_number IS ${vatNumber} AND vat_rate = ${vatRate})`)
}

/** For `linksOf`, in the batch that reads an order. */
export function selectInvoice(db: Deps['db'], orderId: string) {
  return db
    .select({
      series: invoices.series,
      number: invoices.number,
      sellerId: invoices.sellerId,
      note: { series: creditNotes.series, number: creditNotes.number, isReversal: creditNotes.isReversal },
    })
    .from(invoices)
    .leftJoin(creditNotes, eq(creditNotes.orderId, invoices.orderId))
    .where(eq(invoices.orderId, orderId))
    .orderBy(asc(creditNotes.series), asc(creditNotes.number))
}

export interface InvoiceLink {
  title: string
  path: string
}

/** The invoice and its credit notes. Empty: the order has none. Null: the seller is not stored yet, which takes the cron trigger minutes. */
export function linksOf(orderId: string, rows: Awaited<ReturnType<typeof selectInvoice>>): InvoiceLink[] | null {
  const [invoice] = rows
  if (!invoice) return []
  if (invoice.sellerId === null) return null
  const links = [invoiceLink(orderId, invoice), ...rows.flatMap(({ note }) => (note ? [noteLink(orderId, note)] : []))]
  return links
}

const invoicePath = (orderId: string) => `/dashboard/myOrders/invoice/${orderId}`

function invoiceLink(orderId: string, invoice: Numbered): InvoiceLink {
  return { title: invoiceTitle(invoice), path: invoicePath(orderId) }
}

function noteLink(orderId: string, note: Numbered & Pick<CreditNote, 'isReversal'>): InvoiceLink {
  return { title: creditNoteTitle(note), path: `${invoicePath(orderId)}/${creditNoteNumber(note)}` }
}

/**
 * The invoice of an order, or its credit note with this number, for its customer and who keeps the books (R24, R53). Null if there is none, also of an unpaid
 * order, and for anybody else. `related`: the other ones of the order. One round trip.
 */
export async function readInvoice(
  { db, origin, shopEmail }: Deps,
  user: User,
  orderId: string,
  creditNote?: string,
): Promise<(Paper & { from: { origin: string; mail: string }; related: InvoiceLink[] }) | null> {
  const [[invoice], notes] = await db.batch([
    db
      .select(invoiceColumns)
      .from(invoices)
      .innerJoin(sellers, eq(sellers.id, invoices.sellerId))
      .innerJoin(orders, eq(orders.id, invoices.orderId))
      .where(and(eq(invoices.orderId, orderId), may(user, 'books') ? undefined : eq(orders.customerId, user.id))),
    db
      .select(noteColumns)
      .from(creditNotes)
      .innerJoin(orderRefunds, eq(orderRefunds.id, creditNotes.refundId))
      .where(eq(creditNotes.orderId, orderId))
      .orderBy(asc(creditNotes.series), asc(creditNotes.number)),
  ])
  if (!invoice) return null
  const paper = creditNote === undefined ? invoicePaper(invoice) : creditNotePaper(invoice, notes, creditNote)
  const related = [invoiceLink(orderId, invoice), ...notes.map((note) => noteLink(orderId, note))]
  return (
    paper && {
      ...paper,
      related: related.filter(({ title }) => title !== paper.title),
      from: { origin, mail: shopEmail },
    }
  )
}

/** SQL: the time zone of the shop at a time. */
function zoneAt(time: SQL): SQL<string> {
  return sql<string>`coalesce((
    SELECT document ->> 'timeZone' FROM settings_versions WHERE saved_at <= ${time} ORDER BY version DESC LIMIT 1), 'UTC')`
}

const invoiceColumns = {
  series: invoices.series,
  number: invoices.number,
  issuedAt: invoices.issuedAt,
  zone: zoneAt(sql`invoices.issued_at`),
  buyerName: invoices.buyerName,
  buyerAddress: invoices.buyerAddress,
  company: invoices.company,
  vatNumber: invoices.vatNumber,
  purchaseOrder: invoices.purchaseOrder,
  seller: { name: sellers.name, address: sellers.address, vatNumber: sellers.vatNumber },
  vatRate: sellers.vatRate,
  orderNumber: sql<number>`${orders.number}`,
  productName: orders.productName,
  unitPriceCents: orders.unitPriceCents,
  quantity: orders.quantity,
  totalCents: orders.totalCents,
  discountCode: orders.discountCode,
  discountCents: orders.discountCents,
  paidAt: sql<number>`${orders.paidAt}`,
  transactionId: sql<string>`${orders.transactionId}`,
}

const noteColumns = {
  series: creditNotes.series,
  number: creditNotes.number,
  refundId: creditNotes.refundId,
  isReversal: creditNotes.isReversal,
  amountCents: creditNotes.amountCents,
  issuedAt: creditNotes.issuedAt,
  zone: zoneAt(sql`credit_notes.issued_at`),
  reason: orderRefunds.reason,
}
