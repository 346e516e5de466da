import { t } from '../../../i18n/language'
import { formatIn } from '../../shared/dates'
import type { Seller } from '../../deps'
import { formatCents } from '../../shared/money'
import { discountLine } from './receipts'

export interface Numbered {
  series: number
  number: number
}

/** Amounts in US cents, times in milliseconds since 1970. All of it is stored with the invoice, or never changes in its order. */
export interface Invoice extends Numbered {
  issuedAt: number
  /** The time zone of the shop when it was issued: its day never changes. */
  zone: string
  buyerName: string
  buyerAddress: string
  company: string | null
  vatNumber: string | null
  purchaseOrder: string | null
  seller: Omit<Seller, 'vatRate'>
  /** In hundredths of a percent. */
  vatRate: number
  orderNumber: number
  productName: string
  unitPriceCents: number
  quantity: number
  totalCents: number
  discountCode: string | null
  discountCents: number | null
  paidAt: number
  transactionId: string
}

/** Of a refund, or the reversal of one, with a negative amount in US cents. */
export interface CreditNote extends Numbered {
  refundId: string
  isReversal: number
  amountCents: number
  issuedAt: number
  /** As that of an invoice. */
  zone: string
  /** Empty if it was made at Stripe. */
  reason: string
}

/** Such as `INV-1-17`: the number within its series, which a restore of the database ends. */
export function invoiceNumber({ series, number }: Numbered): string {
  return `INV-${series}-${number}`
}

/** Such as `CN-1-4`. */
export function creditNoteNumber({ series, number }: Numbered): string {
  return `CN-${series}-${number}`
}

export function invoiceTitle(invoice: Numbered): string {
  return t('Invoice {number}', { number: invoiceNumber(invoice) })
}

export function creditNoteTitle(note: Numbered & Pick<CreditNote, 'isReversal'>): string {
  const number = creditNoteNumber(note)
  return note.isReversal ? t('Reversal {number}', { number }) : t('Credit note {number}', { number })
}

/**
 * The VAT contained in a total of so many cents, in cents: total × rate ÷ (100 % + rate), rounded to the nearest cent, half a cent up. The
 * rate is in hundredths of a percent. Whole numbers only, and below 2^53. What is left of the total is the net amount, so both together are
 * always the total.
 */
export function containedVat(totalCents: number, rate: number): number {
  const divisor = 10_000 + rate
  return Math.floor((2 * totalCents * rate + divisor) / (2 * divisor))
}

/**
 * The VAT of a credit note, in cents: by how much the VAT contained in all credited so far grows. So the credit notes of a full refund
 * have together the VAT of the invoice, however many they are. `before`: cents credited by the earlier ones of the invoice.
 */
export function creditedVat(before: number, amountCents: number, rate: number): number {
  return containedVat(before + amountCents, rate) - containedVat(before, rate)
}

type Lines = [name: string, value: string | null][]

export interface Paper {
  title: string
  lead: string
  lines: [name: string, value: string][]
}

export function invoicePaper(invoice: Invoice): Paper {
  const { totalCents, vatRate } = invoice
  return {
    title: invoiceTitle(invoice),
    lead: t('Issued on {day}. Paid by card.', { day: dayOf(invoice) }),
    lines: linesOf([
      ...parties(invoice),
      [t('Price each'), formatCents(invoice.unitPriceCents)],
      [t('Quantity'), String(invoice.quantity)],
      [t('Discount'), discountLine(invoice)[1]],
      ...amounts(totalCents, containedVat(totalCents, vatRate), vatRate),
      [t('Paid'), formatIn(invoice.zone).time(invoice.paidAt)],
      [t('Transaction id'), invoice.transactionId],
    ]),
  }
}

/** Null if the invoice has no such credit note. `all`: those of the invoice, oldest first. */
export function creditNotePaper(invoice: Invoice, all: CreditNote[], wanted: string): Paper | null {
  const index = all.findIndex((each) => creditNoteNumber(each) === wanted)
  const note = all[index]
  if (!note) return null
  const before = all.slice(0, index).reduce((sum, { amountCents }) => sum + amountCents, 0)
  const vat = creditedVat(before, note.amountCents, invoice.vatRate)
  const reversed = all.find(({ refundId, isReversal }) => refundId === note.refundId && !isReversal)!
  return {
    title: creditNoteTitle(note),
    lead: note.isReversal
      ? t('Issued on {day}. It takes back the credit note {number}: the bank returned the refund.', {
          ...{ day: dayOf(note), number: creditNoteNumber(reversed) },
        })
      : t('Issued on {day}. Refunded to the card.', { day: dayOf(note) }),
    lines: linesOf([
      [t('Corrects'), t('{invoice} of {day}', { invoice: invoiceTitle(invoice), day: dayOf(invoice) })],
      ...parties(invoice),
      [t('Reason'), note.reason || null],
      ...amounts(-note.amountCents, -vat, invoice.vatRate),
    ]),
  }
}

const dayOf = ({ issuedAt, zone }: Pick<Invoice, 'issuedAt' | 'zone'>) => formatIn(zone).day(issuedAt)

function parties(invoice: Invoice): Lines {
  const { seller, company, buyerName, buyerAddress } = invoice
  const withVat = (vatNumber: string | null) => vatNumber && t('VAT number {number}', { number: vatNumber })
  return [
    [t('Seller'), block([seller.name, seller.address, withVat(seller.vatNumber)])],
    [t('Buyer'), block([company, buyerName, onePage(buyerAddress), withVat(invoice.vatNumber)])],
    [t('Order'), `C-${invoice.orderNumber}`],
    [t('Purchase order'), invoice.purchaseOrder],
    [t('Instrument'), invoice.productName],
  ]
}

function amounts(totalCents: number, vatCents: number, rate: number): Lines {
  if (rate === 0) return [[t('Total'), formatCents(totalCents)]]
  return [
    [t('Net'), formatCents(totalCents - vatCents)],
    [t('VAT {percent} %', { percent: rate / 100 }), formatCents(vatCents)],
    [t('Total'), formatCents(totalCents)],
  ]
}

const block = (lines: (string | null)[]) => lines.filter(Boolean).join('\n')

/** An address of very many lines would need a second page. */
function onePage(address: string): string {
  const lines = address.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 8 ? lines.join(', ') : address
}

const linesOf = (lines: Lines) => lines.filter((line): line is [string, string] => line[1] !== null)
