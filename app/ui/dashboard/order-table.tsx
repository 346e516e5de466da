import { formatDay } from '../../store/shared/dates'
import { formatCents } from '../../store/shared/money'
import { isFullyRefunded, isPaid, isToShip, orderNumber, type Order, type OrderState } from '../../store/orders/orders'
import { Button } from '../button'
import { FormError } from '../form-error'
import { manageOrderPath } from '../orders/order-links'
import { DisputeBadge } from '../orders/dispute'
import { Price } from '../price'
import { RowForm } from '../row-form'
import { Line } from './line'
import { selectionForm } from './selection-bar'
import { withOrderQuery, type OrderQuery } from './order-filters'

const statuses: Record<OrderState, string> = {
  unpaid: 'Pending',
  paid: 'Pending',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
}

interface OrderTableProps {
  orders: Order[]
  query: OrderQuery
  /** Whether the reader may ship. */
  ships: boolean
  isSelected: (order: Order) => boolean
  refusal: { order: Order; errors: string[] | undefined } | undefined
}

/** One line an order; on a phone three short ones. */
export function OrderTable({ orders, query, ships, isSelected, refusal }: OrderTableProps) {
  // Where a shipped order leaves the list, the shopkeeper goes on at its neighbour.
  const anchorOf = (index: number) =>
    query.status === '' || query.status === 'refunded'
      ? orders[index]!.id
      : (orders[index + 1] ?? orders[index - 1])?.id
  return (
    <table className="desk-table orders-table">
      <caption className="sr-only">Manage All Orders</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Select</span>
          </th>
          <th scope="col">Order</th>
          <th scope="col">Date</th>
          <th scope="col">Customer</th>
          <th scope="col">Instrument</th>
          <th scope="col" className="numeric">
            Total
          </th>
          <th scope="col">Payment</th>
          <th scope="col">Status</th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order, index) => (
          <OrderRow
            key={order.id}
            order={order}
            query={query}
            ships={ships}
            isSelected={isSelected(order)}
            anchor={anchorOf(index)}
            errors={refusal?.order === order ? refusal.errors : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

interface OrderRowProps {
  order: Order
  query: OrderQuery
  ships: boolean
  isSelected: boolean
  anchor: string | undefined
  errors: string[] | undefined
}

function OrderRow({ order, query, ships, isSelected, anchor, errors }: OrderRowProps) {
  const { id, state, customerName, customerEmail, productName, quantity } = order
  return (
    <tr className="order-row">
      <td className="cell-select">
        <label>
          <input
            type="checkbox"
            form={selectionForm}
            name="order"
            value={id}
            defaultChecked={isSelected}
            aria-label={`Select order ${orderNumber(order)}`}
          />
        </label>
      </td>
      <th scope="row" className="cell-number">
        <a id={id} href={withOrderQuery(manageOrderPath(id), query)}>
          {orderNumber(order)}
        </a>
      </th>
      <td className="cell-date">{formatDay(order.createdAt)}</td>
      <td className="cell-customer">
        <Line text={customerName} end={<span className="hint">{customerEmail}</span>} />
      </td>
      <td className="cell-what">
        <Line text={productName} end={<span className="whole">× {quantity}</span>} />
      </td>
      <td className="cell-total numeric">
        <Price cents={order.totalCents} />
      </td>
      <td className="cell-payment" data-label="Payment">
        <Payment order={order} />
      </td>
      <td className="cell-status" data-label="Status">
        {statuses[state]} <DisputeBadge order={order} />
      </td>
      <td className="cell-action">
        {ships && isToShip(order) && (
          <RowForm fields={{ orderId: id, anchor }}>
            <Button variant="quiet" aria-describedby={id}>
              Ship Now
            </Button>
          </RowForm>
        )}
        <FormError errors={errors} />
      </td>
    </tr>
  )
}

/** A refund stands beside 'Paid', which it does not change (R47). */
function Payment({ order }: { order: Order }) {
  if (!isPaid(order)) return 'Unpaid'
  if (isFullyRefunded(order)) return 'Refunded'
  return (
    <>
      <span className="paid">Paid</span>
      {order.refundedCents > 0 && (
        <>
          {' '}
          <small>
            <span className="sr-only">Refund: </span>
            {formatCents(order.refundedCents)}
          </small>
        </>
      )}
    </>
  )
}
