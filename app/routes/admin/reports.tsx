import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { may } from '../../store/accounts/rights'
import type { EmptySearch } from '../../store/catalog/empty-searches.server'
import { managedFamilyName } from '../../store/catalog/managed-families'
import { searchMonths } from '../../store/shared/limits'
import { formatCents } from '../../store/shared/money'
import { monthName, monthOf, monthText, readMonth, timeZone } from '../../store/shared/dates'
import { addSales, monthsShown, noSales, type SalesSums } from '../../store/screens/reports'
import { readReports } from '../../store/screens/reports.server'
import { Bar } from '../../ui/bar'
import { ButtonLink } from '../../ui/button'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { PhoneFold } from '../../ui/dashboard/phone-fold'
import { ResponsiveTable, type Column } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

const path = '/dashboard/reports'
const shownInstruments = 50
const shownSearches = 20

export const meta: MetaFunction = () => [{ title: `Reports · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireRightOrHome(request, context, 'books')
  const chosen = readMonth(new URL(request.url).searchParams.get('month') ?? '') ?? monthOf(context.now())
  const month = monthText(chosen)
  const { instruments, emptySearches, ...reports } = await readReports(context, user, month)
  return {
    ...reports,
    emptySearches: emptySearches.slice(0, shownSearches),
    searchCount: emptySearches.length,
    canAdd: may(user, 'shop'),
    month,
    before: monthText(chosen - 1),
    after: chosen < monthOf(context.now()) ? monthText(chosen + 1) : null,
    total: instruments.reduce(addSales, noSales),
    instruments: instruments.slice(0, shownInstruments),
    soldCount: instruments.length,
  }
}

export default function Reports() {
  const {
    months,
    month,
    before,
    after,
    total,
    disputedCents,
    customers,
    instruments,
    soldCount,
    families,
    stock,
    ...searches
  } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Reports" lead={`Paid orders by month. Months begin and end at midnight, ${timeZone}.`} />
      <section className="section" aria-labelledby="month">
        <SectionHeader title={monthName(month)} id="month">
          <a href={`${path}.csv?month=${month}`}>CSV of this month</a>
        </SectionHeader>
        <p className="actions">
          <ButtonLink variant="quiet" href={`${path}?month=${before}`}>
            {monthName(before)}
          </ButtonLink>{' '}
          {after && (
            <ButtonLink variant="quiet" href={`${path}?month=${after}`}>
              {monthName(after)}
            </ButtonLink>
          )}
        </p>
        {soldCount === 0 && disputedCents !== 0 && <p>Disputes: {formatCents(disputedCents)}.</p>}
        {soldCount === 0 ? (
          <p>Nothing was sold or refunded in this month.</p>
        ) : (
          <>
            <dl className="tasks">
              <Fact name="Orders" value={total.orders} />
              <Fact name="Pieces" value={total.pieces} />
              <Fact name="Revenue" value={formatCents(total.revenueCents)} />
              {total.discountCents !== 0 && <Fact name="Discounts" value={formatCents(total.discountCents)} />}
              {total.refundedCents !== 0 && (
                <>
                  <Fact name="Refunds" value={formatCents(total.refundedCents)} />
                  <Fact name="After refunds" value={formatCents(total.revenueCents - total.refundedCents)} />
                </>
              )}
              {disputedCents !== 0 && (
                <>
                  <Fact name="Disputes" value={formatCents(disputedCents)} />
                  <Fact
                    name="After disputes"
                    value={formatCents(total.revenueCents - total.refundedCents + disputedCents)}
                  />
                </>
              )}
              <Fact name="New customers" value={customers.newCustomers} />
              <Fact name="Returning customers" value={customers.returningCustomers} />
            </dl>
            <h3>By family</h3>
            <PhoneFold title="Families">
              <ResponsiveTable
                caption="By family"
                rows={families}
                rowKey={({ family }) => family ?? 'none'}
                columns={[
                  { header: 'Family', rowHeader: true, cell: ({ family }) => nameOf(family) },
                  ...columnsOf(families),
                ]}
              />
            </PhoneFold>
            <h3>By instrument</h3>
            {soldCount > shownInstruments && (
              <p>
                The first {shownInstruments} of {soldCount}. The CSV has them all.
              </p>
            )}
            <PhoneFold title="Instruments">
              <ResponsiveTable
                caption="By instrument"
                rows={instruments}
                rowKey={({ instrumentId }) => instrumentId}
                columns={[
                  { header: 'Instrument', rowHeader: true, cell: ({ name }) => name },
                  ...columnsOf(instruments),
                ]}
              />
            </PhoneFold>
          </>
        )}
      </section>
      <EmptySearches month={month} {...searches} />
      <section className="section" aria-labelledby="months">
        <SectionHeader title="Month by month" id="months">
          {months.length > 0 && <a href={`${path}.csv`}>CSV of all months</a>}
        </SectionHeader>
        {months.length === 0 ? (
          <p>No order was paid in the last {monthsShown} months.</p>
        ) : (
          <PhoneFold title="Months">
            <ResponsiveTable
              caption="Month by month"
              className="months"
              rows={months}
              rowKey={({ month }) => month}
              columns={[
                {
                  header: 'Month',
                  rowHeader: true,
                  cell: (row) => <a href={`${path}?month=${row.month}`}>{monthName(row.month)}</a>,
                },
                ...columnsOf(months),
                ...moneyColumn(months, 'Disputes', ({ disputedCents }) => disputedCents),
                { header: 'New customers', numeric: true, cell: ({ newCustomers }) => newCustomers },
                { header: 'Returning customers', numeric: true, cell: ({ returningCustomers }) => returningCustomers },
              ]}
            />
          </PhoneFold>
        )}
        <details>
          <summary>How these figures are counted</summary>
          <ul className="rules">
            <li>Revenue is before refunds and after discount codes.</li>
            <li>A refund counts in the month in which it was made, whenever the order was paid.</li>
            <li>
              Disputes are what the bank has taken back, with Stripe’s fees, less what came back, each in the month in
              which the money moved.
            </li>
            <li>
              A customer is new in the month of their first paid order, and returning in each month with a further one,
              refunded or not: in the month of a first and a second order, both.
            </li>
          </ul>
        </details>
      </section>
      <section className="section" aria-labelledby="stock">
        <SectionHeader title="Stock on sale now" id="stock" />
        {stock.length === 0 ? (
          <p>Nothing is on sale.</p>
        ) : (
          <ResponsiveTable
            caption="Stock on sale now"
            className="compact"
            rows={stock}
            rowKey={({ family }) => family ?? 'none'}
            columns={[
              { header: 'Family', rowHeader: true, cell: ({ family }) => nameOf(family) },
              { header: 'Pieces', numeric: true, cell: ({ pieces }) => pieces },
              { header: 'Value', numeric: true, cell: ({ valueCents }) => formatCents(valueCents) },
            ]}
          />
        )}
        <p className="hint">At the price of one piece, without what unpaid orders hold.</p>
      </section>
    </>
  )
}

interface EmptySearchesProps {
  month: string
  emptySearches: EmptySearch[]
  searchCount: number
  /** This colleague may add products. */
  canAdd: boolean
}

function EmptySearches({ month, emptySearches, searchCount, canAdd }: EmptySearchesProps) {
  return (
    <section className="section" aria-labelledby="searches">
      <SectionHeader title={`Searches of ${monthName(month)} that found nothing`} id="searches">
        <a href={`${path}.csv?of=searches`}>CSV of all searches</a>
      </SectionHeader>
      {searchCount === 0 ? (
        <p>Every search found something.</p>
      ) : (
        <ResponsiveTable
          caption="Searches that found nothing"
          className="compact"
          rows={emptySearches}
          rowKey={({ words }) => words}
          columns={[
            {
              header: 'Words',
              rowHeader: true,
              cell: ({ words }) => (
                <a className="wrap-anywhere" href={`/allInstruments?q=${encodeURIComponent(words)}`}>
                  {words}
                </a>
              ),
            },
            { header: 'Searches', numeric: true, cell: ({ searches }) => searches },
            ...(canAdd ? [addProduct] : []),
          ]}
        />
      )}
      {searchCount > shownSearches && (
        <p>
          The first {shownSearches} of {searchCount}. The CSV has them all.
        </p>
      )}
      <details>
        <summary>What is kept of searches, and how to answer them</summary>
        <ul className="rules">
          {canAdd && searchCount > 0 && (
            <li>
              If you sell it under another name, write these words into the description of the product in{' '}
              <a href="/dashboard/manageProduct">Manage Products</a>: then the search finds it.
            </li>
          )}
          <li>
            Only words and numbers of searches are kept, for {searchMonths} months: nothing about who searched, and
            nothing that looks like an email or a phone number.
          </li>
        </ul>
      </details>
    </section>
  )
}

const addProduct: Column<EmptySearch> = {
  header: 'Not sold yet?',
  cell: ({ words }) => <a href={`/dashboard/addProduct?name=${encodeURIComponent(words)}`}>Add as a product</a>,
}

function Fact({ name, value }: { name: string; value: string | number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="task-count">{value}</dd>
    </div>
  )
}

function nameOf(family: string | null): string {
  return managedFamilyName(family) || 'No family'
}

/** With the revenue of each row as a bar, in proportion to the highest of `rows`. */
function columnsOf<Row extends SalesSums>(rows: Row[]): Column<Row>[] {
  const highest = Math.max(...rows.map(({ revenueCents }) => revenueCents), 1)
  return [
    { header: 'Orders', numeric: true, cell: ({ orders }) => orders },
    { header: 'Pieces', numeric: true, cell: ({ pieces }) => pieces },
    {
      header: 'Revenue',
      numeric: true,
      cell: ({ revenueCents }) => (
        <>
          {formatCents(revenueCents)}
          <Bar share={revenueCents / highest} />
        </>
      ),
    },
    ...moneyColumn(rows, 'Discounts', ({ discountCents }) => discountCents),
    ...moneyColumn(rows, 'Refunds', ({ refundedCents }) => refundedCents),
    ...(rows.some(({ refundedCents }) => refundedCents !== 0)
      ? moneyColumn(rows, 'After refunds', ({ revenueCents, refundedCents }) => revenueCents - refundedCents)
      : []),
  ]
}

/** None where every row has $0.00. */
function moneyColumn<Row>(rows: Row[], header: string, centsOf: (row: Row) => number): Column<Row>[] {
  if (rows.every((row) => centsOf(row) === 0)) return []
  return [{ header, numeric: true, cell: (row) => formatCents(centsOf(row)) }]
}
