import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { describeShortage, type Instrument } from '../store/catalog/instruments'
import { listInstruments } from '../store/catalog/instruments.server'
import { EmptyState } from '../ui/empty-state'
import { PageHeader } from '../ui/layout/page-header'
import { Pager } from '../ui/pager'
import { Price } from '../ui/price'
import { ResponsiveTable } from '../ui/responsive-table'

const pageSize = 50

export const meta: MetaFunction = () => [
  { title: 'All instruments · Cadenza' },
  { name: 'description', content: 'Every instrument and case on sale, with price, stock and minimum order.' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const number = Number(searchParams.get('no'))
  const after = searchParams.get('after') ?? undefined
  return {
    ...(await listInstruments(context, { after, limit: pageSize })),
    // The row number comes from the link: counting the earlier rows would be as slow as reading them.
    firstNumber: after && Number.isSafeInteger(number) && number > 0 ? number : 1,
  }
}

export default function AllInstruments() {
  const { instruments, next, firstNumber } = useLoaderData<typeof loader>()
  if (instruments.length === 0) return <NoInstruments />
  return (
    <>
      <PageHeader title="All instruments" lead="What is in the workshop now, with prices per piece." />
      <ResponsiveTable
        caption="All instruments"
        rows={instruments}
        rowKey={({ id }) => id}
        columns={[
          { header: 'SL. No', numeric: true, cell: (_, index) => firstNumber + index },
          { header: 'Name', rowHeader: true, cell: (instrument) => <Name instrument={instrument} /> },
          { header: 'Price', numeric: true, cell: ({ priceCents }) => <Price cents={priceCents} /> },
          { header: 'Available Quantity', numeric: true, cell: ({ availableQuantity }) => availableQuantity },
          { header: 'Minimum Order', numeric: true, cell: ({ minQuantity }) => minQuantity },
          {
            header: 'Purchase',
            cell: ({ id }) => (
              <a href={`/instruments/${id}`} aria-describedby={id}>
                PURCHASE
              </a>
            ),
          },
        ]}
      />
      <Pager
        first={firstNumber > 1 ? '/allInstruments' : null}
        next={next && `/allInstruments?after=${encodeURIComponent(next)}&no=${firstNumber + instruments.length}`}
      />
    </>
  )
}

function Name({ instrument }: { instrument: Instrument }) {
  const shortage = describeShortage(instrument)
  return (
    <>
      <span id={instrument.id}>{instrument.name}</span> {shortage && <span className="hint">{shortage}</span>}
    </>
  )
}

function NoInstruments() {
  return (
    <>
      <PageHeader title="All instruments" />
      <EmptyState title="Nothing more on the shelves" link={{ href: '/home', text: 'Back to the shop window' }}>
        No instruments are on sale here just now. Look in again soon, or write to us.
      </EmptyState>
    </>
  )
}
