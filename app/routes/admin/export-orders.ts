import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { csvFile } from '../../http/csv/csv.server'
import { ordersCsv, ordersHead } from '../../http/csv/order-csv.server'
import { requireRightOrHome, requireOwnPage } from '../../http/auth/require-user.server'
import { invalidDay, readPeriod } from '../../store/shared/dates'
import { maxSelected } from '../../store/shared/limits'
import { readOrderQuery } from '../../ui/dashboard/order-filters'
import { readOrdersInBatches } from '../../store/orders/search-orders.server'

/**
 * The orders that were ticked (`order`), or those that the list shows, on all its pages: with no status, the cancelled ones too. A wrong
 * day must not export them all.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const reader = await requireRightOrHome(request, context, 'books')
  requireOwnPage(request, context, reader)
  const { searchParams } = new URL(request.url)
  const { q, status, from, to } = readOrderQuery(searchParams)
  const period = readPeriod(from, to)
  if (!period) return new Response(`From and To: ${invalidDay}. Nothing is exported.\n`, { status: 400 })
  const ids = searchParams.getAll('order').slice(0, maxSelected)
  const batches = readOrdersInBatches(context, reader, {
    ...period,
    q,
    state: status || undefined,
    ids: ids.length > 0 ? ids : undefined,
  })
  // An outage must become an error page, not half a file.
  const first = await batches.next()
  async function* parts() {
    yield ordersHead + ordersCsv(first.value ?? [])
    for await (const batch of batches) yield ordersCsv(batch)
  }
  return csvFile('orders.csv', parts())
}
