import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { csvFile, csvLine } from '../../http/csv/csv.server'
import { requireRightOrHome, requireOwnPage } from '../../http/auth/require-user.server'
import type { Reader } from '../../store/accounts/rights.server'
import { dollarsText } from '../../store/shared/money'
import { readMonth } from '../../store/shared/dates'
import type { SalesSums } from '../../store/screens/reports'
import { readEmptySearches, readMonths, readSoldIn } from '../../store/screens/reports.server'

const sumNames = ['Orders', 'Pieces', 'Revenue', 'Refunds', 'After refunds', 'Discounts']

/** Of one month by instrument, or of all months; the searches that found nothing. A wrong month must not export another one. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const reader = await requireRightOrHome(request, context, 'books')
  requireOwnPage(request, context, reader)
  const { searchParams } = new URL(request.url)
  const of = searchParams.get('of')
  if (of === 'searches') return exportSearches(context, reader)
  const month = searchParams.get('month')
  if (month !== null && readMonth(month) === undefined)
    return new Response('Month: give a month, like 2026-12. Nothing is exported.\n', { status: 400 })
  const lines =
    month === null
      ? [
          ['Month', ...sumNames, 'New customers', 'Returning customers', 'Disputes'],
          ...(await readMonths(context, reader)).map((row) => [
            row.month,
            ...sums(row),
            row.newCustomers,
            row.returningCustomers,
            dollarsText(row.disputedCents),
          ]),
        ]
      : [
          ['Month', 'Product', 'Family', ...sumNames],
          ...(await readSoldIn(context, reader, month)).map((row) => [month, row.name, row.family, ...sums(row)]),
        ]
  return fileOf(month === null ? 'sales.csv' : `sales-${month}.csv`, lines)
}

async function exportSearches(context: AppLoadContext, reader: Reader): Promise<Response> {
  const rows = await readEmptySearches(context, reader)
  return fileOf('searches-without-results.csv', [
    ['Month', 'Words', 'Searches'],
    ...rows.map(({ month, words, searches }) => [month, words, searches]),
  ])
}

/** Excel reads UTF-8 only after a byte order mark. */
function fileOf(name: string, lines: (string | number | null)[][]): Response {
  return csvFile(name, `\uFEFF${lines.map(csvLine).join('')}`)
}

function sums({ orders, pieces, revenueCents, refundedCents, discountCents }: SalesSums): (string | number)[] {
  return [
    orders,
    pieces,
    ...[revenueCents, refundedCents, revenueCents - refundedCents, discountCents].map(dollarsText),
  ]
}
