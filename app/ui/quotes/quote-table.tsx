import { t } from '../../i18n/language'
import { formatDay, formatTime } from '../../store/shared/dates'
import { rich } from '../rich'
import { Badge } from '../badge'
import { Price } from '../price'
import { ResponsiveTable, type Column } from '../responsive-table'
import { Day, Time } from '../time'

interface ListedQuote {
  quote: {
    id: string
    state: 'asked' | 'offered' | 'declined'
    createdAt: number
    wantedQuantity: number
    quantity: number | null
    unitPriceCents: number | null
    validUntil: number | null
  }
  instrument: { name: string }
  customer: { name: string }
  order: object | null
}

interface QuoteTableProps {
  caption: string
  quotes: ListedQuote[]
  /** Of the list. */
  path: string
  now: number
  /** Of all customers, in the time zone of the shop. */
  isDesk?: boolean
}

export function QuoteTable({ caption, quotes, path, now, isDesk = false }: QuoteTableProps) {
  const customer: Column<ListedQuote> = { header: 'Customer', cell: ({ customer }) => customer.name }
  return (
    <ResponsiveTable
      caption={caption}
      rows={quotes}
      rowKey={({ quote }) => quote.id}
      columns={[
        {
          header: t('Instrument Name'),
          rowHeader: true,
          cell: ({ quote, instrument }) => <a href={`${path}/${quote.id}`}>{instrument.name}</a>,
        },
        ...(isDesk ? [customer] : []),
        {
          header: t('Asked'),
          cell: ({ quote }) => (isDesk ? formatDay(quote.createdAt) : <Day at={quote.createdAt} />),
        },
        { header: t('Quantity'), numeric: true, cell: ({ quote }) => quote.quantity ?? quote.wantedQuantity },
        {
          header: t('Unit Price'),
          numeric: true,
          cell: ({ quote: { unitPriceCents } }) => unitPriceCents !== null && <Price cents={unitPriceCents} />,
        },
        { header: t('Status'), cell: (row) => <QuoteState {...row} now={now} isDesk={isDesk} /> },
      ]}
    />
  )
}

interface QuoteStateProps extends Pick<ListedQuote, 'quote' | 'order'> {
  now: number
  isDesk?: boolean
}

export function QuoteState({ quote, order, now, isDesk = false }: QuoteStateProps) {
  const { state, validUntil } = quote
  if (order) return <Badge tone="success">{t('Accepted')}</Badge>
  if (state === 'asked') return <Badge>{t('Awaiting reply')}</Badge>
  if (state === 'declined') return <Badge>{t('Declined')}</Badge>
  if (validUntil! <= now) return <Badge>{t('Expired')}</Badge>
  const last = validUntil! - 1
  return (
    <>
      <Badge tone="success">{t('Offer')}</Badge>{' '}
      <small className="held-until">
        {rich('until {time}', { time: isDesk ? formatTime(last) : <Time at={last} /> })}
      </small>
    </>
  )
}
