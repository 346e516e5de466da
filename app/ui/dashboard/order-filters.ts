import type { OrderFilter } from '../../store/orders/orders'
import { cutText } from '../../store/shared/text'

export const ordersPath = '/dashboard/manageOrders'

/** The tabs of the shopkeeper's list of orders, in their order. */
export const orderTabs: { status: OrderFilter | ''; text: string; empty: string }[] = [
  { status: '', text: 'Not cancelled', empty: 'No orders yet' },
  { status: 'paid', text: 'To ship', empty: 'Nothing to ship' },
  { status: 'unpaid', text: 'Unpaid', empty: 'No unpaid orders' },
  { status: 'shipped', text: 'Shipped', empty: 'No shipped orders yet' },
  { status: 'refunded', text: 'Refunded', empty: 'No refunded orders' },
  { status: 'cancelled', text: 'Cancelled', empty: 'No cancelled orders' },
]

/** What the list shows. It is in the address of the list, and in that of an order which was opened from there. */
export interface OrderQuery {
  q: string
  status: OrderFilter | ''
  from: string
  to: string
  /** Cursors of the page. */
  before: string
  after: string
}

export const noQuery: OrderQuery = { q: '', status: '', from: '', to: '', before: '', after: '' }

export function readOrderQuery(params: URLSearchParams): OrderQuery {
  const read = (name: string, length: number) => cutText(params.get(name)?.trim() ?? '', length)
  return {
    q: read('q', 200),
    status: orderTabs.find(({ status }) => status === params.get('status'))?.status ?? '',
    from: read('from', 20),
    to: read('to', 20),
    before: read('before', 100),
    after: read('after', 100),
  }
}

/** What is set in it, as fields of a form. */
export function orderQueryFields(query: Partial<OrderQuery>): [name: string, value: string][] {
  return Object.entries(query).filter(([, value]) => value !== '')
}

/** The address of the list, or of another page that keeps what the list shows. */
export function withOrderQuery(path: string, query: Partial<OrderQuery>, more: Record<string, string> = {}): string {
  const params = new URLSearchParams([...orderQueryFields(query), ...Object.entries(more)])
  return params.size > 0 ? `${path}?${params}` : path
}
