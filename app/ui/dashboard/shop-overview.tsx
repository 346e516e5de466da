import { formatDay, timeZone } from '../../store/shared/dates'
import { orderNumber, type Order } from '../../store/orders/orders'
import { manageOrderPath } from '../orders/order-links'
import { countText } from '../../store/shared/counts'
import type { Period } from '../../store/screens/overview'
import type { Overview } from '../../store/screens/overview.server'
import { pathTo } from '../../path-to'
import { ButtonLink } from '../button'
import { SectionHeader } from '../layout/section-header'
import { Notice } from '../notice'
import { Price } from '../price'
import { Line } from './line'
import { ordersPath, withOrderQuery } from './order-filters'
import { ResponsiveTable } from '../responsive-table'
import { SalesChart } from './sales-chart'

const toShipPath = withOrderQuery(ordersPath, { status: 'paid' })

/** The landing page of an admin. */
export function ShopOverview({ overview }: { overview: Overview }) {
  const { counts, toShip, lowStock, comparisons, days, weeks } = overview
  const hasSales = weeks.some(({ orders }) => orders > 0)
  return (
    <>
      <nav aria-label="What to do">
        <ul className="tasks">
          <Task href={toShipPath} text="To ship" count={counts.toShip} />
          <Task href="#low-stock" text="Low stock" count={counts.lowStock} />
          <Task href="/dashboard/messages" text="Messages" count={counts.messages} />
          <Task href="/dashboard/manageQuotes" text="Price requests" count={counts.quotes} />
        </ul>
      </nav>
      <Problems counts={counts} />
      <section className="section" aria-labelledby="sales">
        <SectionHeader title="Sales" id="sales">
          <a href="/dashboard/reports">Reports</a>
        </SectionHeader>
        {hasSales ? (
          <div className="sales">
            <Comparisons comparisons={comparisons} />
            <SalesChart title="The last 30 days" periods={days} unit="Day" />
          </div>
        ) : (
          <NoSales />
        )}
      </section>
      <section className="section" aria-labelledby="to-ship">
        <SectionHeader title="Orders to ship" id="to-ship">
          {toShip.length > 0 && <a href={toShipPath}>All orders to ship</a>}
        </SectionHeader>
        {toShip.length > 0 ? <OrdersToShip orders={toShip} /> : <p>Nothing to ship.</p>}
      </section>
      {hasSales && (
        <section className="section" aria-labelledby="charts">
          <SectionHeader title="Sales by week" id="charts" />
          <SalesChart title="The last 52 weeks" periods={weeks} unit="Week" />
          <p className="hint">Paid orders, before refunds. Days are those of {timeZone}.</p>
        </section>
      )}
      <section className="section" aria-labelledby="low-stock">
        <SectionHeader title="Low stock" id="low-stock" />
        {counts.lowStock > lowStock.length && (
          <p>
            The first {lowStock.length} of {countText(counts.lowStock)}:
          </p>
        )}
        {lowStock.length > 0 ? (
          <ResponsiveTable
            caption="Low stock"
            className="compact"
            rows={lowStock}
            rowKey={({ id }) => id}
            columns={[
              {
                header: 'Name',
                rowHeader: true,
                cell: ({ id, name }) => <a href={pathTo('/dashboard/manageProduct/:id', { id })}>{name}</a>,
              },
              { header: 'Available', numeric: true, cell: ({ availableQuantity }) => availableQuantity },
              { header: 'Minimum', numeric: true, cell: ({ minQuantity }) => minQuantity },
              { header: 'Email at', numeric: true, cell: ({ lowStock }) => lowStock ?? 'no email' },
            ]}
          />
        ) : (
          <p>There is enough of every instrument.</p>
        )}
      </section>
      <p className="actions">
        <a href="/dashboard/problems">What is wrong</a> <a href="/dashboard/shopEmails">Notifications</a>
      </p>
    </>
  )
}

/** In place of empty charts. */
function NoSales() {
  return (
    <>
      <p>No order was paid in the last 52 weeks. The first one begins the figures. Until then:</p>
      <p className="actions">
        <ButtonLink variant="quiet" href="/allInstruments">
          See the shop as customers do
        </ButtonLink>{' '}
        <ButtonLink variant="quiet" href="/dashboard/addProduct">
          Add a product
        </ButtonLink>{' '}
        <ButtonLink variant="quiet" href="/dashboard/settings">
          Say more about the shop
        </ButtonLink>
      </p>
    </>
  )
}

function Task({ href, text, count }: { href: string; text: string; count: number }) {
  return (
    <li>
      <a href={href}>{text}</a> <span className="task-count">{countText(count)}</span>
    </li>
  )
}

function Problems({ counts: { failedEmails, owedRefunds, failedRefunds } }: Pick<Overview, 'counts'>) {
  const problems = [
    failedEmails > 0 && `${countText(failedEmails)} ${failedEmails === 1 ? 'email' : 'emails'} could not be delivered.`,
    owedRefunds > 0 &&
      `${countText(owedRefunds)} ${owedRefunds === 1 ? 'refund waits' : 'refunds wait'} for Stripe. We try again.`,
    failedRefunds > 0 &&
      `${countText(failedRefunds)} ${failedRefunds === 1 ? 'refund' : 'refunds'} did not reach the customer. Pay them back another way.`,
  ].filter((problem) => problem !== false)
  if (problems.length === 0) return null
  return (
    <Notice tone="error">
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      <p>
        <a href="/dashboard/problems">See what to do</a>
      </p>
    </Notice>
  )
}

/** Each leads to its order, from which one ships them one after the other. */
function OrdersToShip({ orders }: { orders: Order[] }) {
  return (
    <table className="desk-table to-ship">
      <caption className="sr-only">Orders to ship</caption>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Paid</th>
          <th scope="col">Customer</th>
          <th scope="col">Instrument</th>
          <th scope="col" className="numeric">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id} className="order-row">
            <th scope="row" className="cell-number">
              <a href={withOrderQuery(manageOrderPath(order.id), { status: 'paid' })}>{orderNumber(order)}</a>
            </th>
            <td className="cell-date">{order.paidAt !== null && formatDay(order.paidAt)}</td>
            <td className="cell-customer">
              <Line text={order.customerName} />
            </td>
            <td className="cell-what">
              <Line text={order.productName} end={<span className="whole">× {order.quantity}</span>} />
            </td>
            <td className="cell-total numeric">
              <Price cents={order.totalCents} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Comparisons({ comparisons }: Pick<Overview, 'comparisons'>) {
  return (
    <ResponsiveTable
      caption="Sales against the same days of the week or month before"
      className="compact"
      rows={comparisons}
      rowKey={({ title }) => title}
      columns={[
        { header: 'Period', rowHeader: true, cell: ({ title }) => title },
        { header: 'Orders', numeric: true, cell: ({ current }) => current.orders },
        { header: 'Revenue', numeric: true, cell: ({ current }) => <Price cents={current.revenueCents} /> },
        { header: 'The same days before', numeric: true, cell: ({ before }) => <Before period={before} /> },
      ]}
    />
  )
}

/** Of the week before; of the month before, for a month. */
function Before({ period: { orders, revenueCents } }: { period: Period }) {
  if (orders === 0) return 'none before'
  return (
    <>
      {orders} for <Price cents={revenueCents} />
    </>
  )
}
