import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { csvFile, csvLine } from '../../http/csv.server'
import { requireRightOrHome, requireOwnPage } from '../../http/auth/require-user.server'
import { invalidDay, readPeriod } from '../../store/dates'
import { maxSelected } from '../../store/limits'
import { dollarsFromCents } from '../../store/money'
import { orderNumber, type Order } from '../../store/orders/orders'
import { readOrderQuery } from '../../ui/dashboard/order-filters'
import { readOrdersInBatches } from '../../store/orders/search-orders.server'

type Cell = string | number | null
const columns: [header: string, cell: (order: Order) => Cell][] = [
  ['Order', orderNumber],
  ['Placed', ({ createdAt }) => time(createdAt)],
  ['Status', ({ state }) => state],
  ['Customer', ({ customerName }) => customerName],
  ['Email', ({ customerEmail }) => customerEmail],
  ['Address', ({ customerAddress }) => customerAddress],
  ['Phone', ({ customerPhone }) => customerPhone],
  ['Product', ({ productName }) => productName],
  ['Quantity', ({ quantity }) => quantity],
  ['Price each', ({ unitPriceCents }) => dollars(unitPriceCents)],
  ['Total', ({ totalCents }) => dollars(totalCents)],
  ['Refund', ({ refundedCents }) => dollars(refundedCents)],
  ['Paid', ({ paidAt }) => time(paidAt)],
  ['Transaction id', ({ transactionId }) => transactionId],
  ['Shipped', ({ shippedAt }) => time(shippedAt)],
  ['Carrier', ({ carrier }) => carrier],
  ['Tracking number', ({ trackingNumber }) => trackingNumber],
]

/**
 * The orders that were ticked (`order`), or those that the list shows, on all its pages: with no status, the cancelled ones too. A wrong
 * day must not export them all.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requireOwnPage(request, context, await requireRightOrHome(request, context, 'books'))
  const { searchParams } = new URL(request.url)
  const { q, status, from, to } = readOrderQuery(searchParams)
  const period = readPeriod(from, to)
  if (!period) return new Response(`From and To: ${invalidDay}. Nothing is exported.\n`, { status: 400 })
  const ids = searchParams.getAll('order').slice(0, maxSelected)
  const batches = readOrdersInBatches(context, {
    ...period,
    q,
    state: status || undefined,
    ids: ids.length > 0 ? ids : undefined,
  })
  // An outage must become an error page, not half a file.
  const first = await batches.next()
  const lines = (orders: Order[]) => orders.map((order) => csvLine(columns.map(([, cell]) => cell(order)))).join('')
  async function* parts() {
    // Excel reads UTF-8 only after a byte order mark.
    yield `\uFEFF${csvLine(columns.map(([header]) => header))}${lines(first.value ?? [])}`
    for await (const batch of batches) yield lines(batch)
  }
  return csvFile('orders.csv', parts())
}

function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function dollars(cents: number): string {
  return dollarsFromCents(cents).toFixed(2)
}
