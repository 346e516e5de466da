import { sql } from 'drizzle-orm'
import type { Deps, Email } from '../deps'
import { emailsOf, isOne, logReader } from '../log/reader.server'
import { formatEnd } from '../shared/dates'
import { renderEmail, type Row } from '../email/layout.server'
import { inWords } from '../email/write-words.server'
import { formatCents, totalCents } from '../shared/money'

/** Of the audit log: those of which the customer gets an email, of the same kind. */
export const emailedAnswers = ['quote offered', 'quote declined'] as const

/** A request to the shop, if it wants them, and the answer to the customer. */
export const quoteEmails = logReader('quote emails', (events) => [
  emailsOf({
    kind: sql`event.event`,
    id: sql`event.event || ':' || event.about_id`,
    recipient: sql`'shop'`,
    from: sql`${events} WHERE ${isOne('quote asked')} AND (SELECT quote_emails FROM shop_settings) = 'each'`,
  }),
  emailsOf({
    kind: sql`event.event`,
    id: sql`event.event || ':' || quotes.id`,
    recipient: sql`users.email`,
    from: sql`${events} CROSS JOIN quotes ON quotes.id = event.about_id
      CROSS JOIN users ON users.id = quotes.customer_id AND users.email_verified_at IS NOT NULL
      WHERE ${isOne(...emailedAnswers)}`,
  }),
])

interface QuoteForEmail {
  id: string
  instrumentName: string
  customerName: string
  customerEmail: string
  wantedQuantity: number
  note: string | null
  state: 'asked' | 'offered' | 'declined'
  quantity: number | null
  unitPriceCents: number | null
  validUntil: number | null
  reply: string | null
  /** Pieces of the instrument now. */
  available: number
}

/** The email `quote asked` is for the shop, the others are for the customer. Null when a later answer has overtaken it. */
export function quoteEmail(
  email: Pick<Email, 'id' | 'recipient'> & { kind: string },
  quote: QuoteForEmail,
  deps: Deps,
): Email | null {
  const { id, recipient, kind } = email
  const what = `${quote.wantedQuantity} × ${quote.instrumentName}`
  if (kind === 'quote asked') {
    const { customerName, customerEmail, note } = quote
    return renderEmail({
      id,
      recipient: deps.shopEmail,
      subject: `Price request: ${what}`,
      paragraphs: [
        `${customerName} <${customerEmail}> asks for a price for ${what}.`,
        ...(note ? [note] : []),
        { button: { text: 'Answer the request', link: `${deps.origin}/dashboard/manageQuotes/${quote.id}` } },
      ],
      reason: 'You get this email because it concerns your shop.',
    })
  }
  if (kind !== `quote ${quote.state}`) return null
  return renderEmail({
    id,
    recipient,
    ...answer(quote, `${deps.origin}/dashboard/quotes/${quote.id}`),
    reason: 'You get this email because you asked for a price in our shop.',
  })
}

function answer(quote: QuoteForEmail, link: string) {
  const { state, wantedQuantity, quantity, unitPriceCents, validUntil, reply, instrumentName, available } = quote
  const facts = { product: instrumentName, reply, link }
  if (state === 'declined') return inWords('quote-declined', { ...facts, quantity: String(wantedQuantity) })
  const details: Row[] = [
    ['Instrument', instrumentName],
    ['Unit price', formatCents(unitPriceCents!)],
    ['Order quantity', String(quantity)],
    ['Total', formatCents(totalCents(unitPriceCents!, quantity!))],
    ['Valid until', formatEnd(validUntil!)],
  ]
  const short = available < quantity! ? String(available) : null
  return inWords('quote-offered', { ...facts, quantity: String(quantity), short, details })
}
