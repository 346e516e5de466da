import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { readInstrumentHistory, type InstrumentEvent } from '../../store/catalog/instrument-history.server'
import { orderNumber } from '../../store/orders/orders'
import { formatTime } from '../../store/shared/dates'
import { ButtonLink } from '../../ui/button'
import { PageHeader } from '../../ui/layout/page-header'
import { describeActor } from '../../ui/orders/describe-event'
import { manageOrderPath } from '../../ui/orders/order-links'
import { Pager } from '../../ui/pager'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

const pageSize = 50
const list = '/dashboard/manageProduct'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `History of ${data?.instrument.name ?? ''} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const cursor = new URL(request.url).searchParams.get('before')
  const before = /^\d{1,15}$/.test(cursor ?? '') ? Number(cursor) : undefined
  const history = await readInstrumentHistory(context, params.id ?? '', { before, limit: pageSize })
  if (!history) throw new Response(null, { status: 404 })
  return { ...history, isFirst: before === undefined }
}

export default function ProductHistory() {
  const { instrument, rows, next, isFirst } = useLoaderData<typeof loader>()
  const path = `${list}/${instrument.id}/history`
  const isDeleted = instrument.removedAt !== null && instrument.hidden === 0
  return (
    <>
      <PageHeader title={`History of ${instrument.name}`} {...(isDeleted && { lead: 'This product is deleted.' })}>
        <p className="actions">
          {!isDeleted && (
            <ButtonLink variant="quiet" href={`${list}/${instrument.id}`}>
              Edit
            </ButtonLink>
          )}{' '}
          <ButtonLink variant="quiet" href={list}>
            Manage Products
          </ButtonLink>
        </p>
      </PageHeader>
      <ResponsiveTable
        caption="History"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { header: 'When', rowHeader: true, cell: ({ at }) => formatTime(at) },
          {
            header: 'What',
            cell: (row) => (
              <span className="wrap-anywhere">
                {describe(row)}
                {row.orderId !== null && (
                  <>
                    {' '}
                    <a href={manageOrderPath(row.orderId)}>{orderNumber(row)}</a>
                  </>
                )}
              </span>
            ),
          },
          { header: 'Stock', numeric: true, cell: ({ stockDelta }) => signed(stockDelta) },
          { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{describeActor(actor)}</span> },
        ]}
      />
      <Pager first={isFirst ? null : path} next={next && `${path}?before=${encodeURIComponent(next)}`} />
    </>
  )
}

const texts: Partial<Record<InstrumentEvent['event'], string>> = {
  'instrument hidden': 'Hidden',
  'instrument shown': 'Shown again',
  'instrument removed': 'Deleted',
  'order placed': 'Order placed',
  'order paid': 'Order paid',
  'order shipped': 'Order shipped',
  'order cancelled': 'Order cancelled',
  'pieces returned': 'Back to stock from a refund of order',
}

function describe({ event, note }: InstrumentEvent): string {
  if (event === 'instrument changed') return `Changed: ${note}`
  if (event === 'stock counted') return note === 'opening stock' ? 'Added' : `Stock changed${note && `: ${note}`}`
  return texts[event] ?? event
}

function signed(delta: number): string {
  if (delta === 0) return ''
  return delta > 0 ? `+${delta}` : `−${-delta}`
}
