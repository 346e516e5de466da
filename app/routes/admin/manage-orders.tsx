import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { may } from '../../store/accounts/rights'
import { maxOrderCount, readOrderNumber, searchWindow, type OrderCounts } from '../../store/orders/orders'
import { countUpTo } from '../../store/shared/counts'
import { shipOrder, shipOrders } from '../../store/orders/manage-order.server'
import { searchOrders } from '../../store/orders/search-orders.server'
import { maxSelected } from '../../store/shared/limits'
import { Refusal } from '../../store/shared/refusal'
import { readPeriod } from '../../store/shared/dates'
import { Button } from '../../ui/button'
import {
  orderQueryFields,
  ordersPath,
  noQuery,
  orderTabs,
  readOrderQuery,
  withOrderQuery,
  type OrderQuery,
} from '../../ui/dashboard/order-filters'
import { OrderSearch } from '../../ui/dashboard/order-search'
import { OrderTable } from '../../ui/dashboard/order-table'
import { SelectionBar } from '../../ui/dashboard/selection-bar'
import { ShipmentResults } from '../../ui/dashboard/shipment-results'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { manageOrderPath } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { shopName } from '../../shop-name'

const pageSize = maxSelected

export const meta: MetaFunction = () => [{ title: `Manage All Orders · ${shopName}` }]

/** An order number leads straight to its order, whatever the list shows. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireRightOrHome(request, context, 'orders')
  const { searchParams } = new URL(request.url)
  const asked = readOrderQuery(searchParams)
  const isNumber = readOrderNumber(asked.q) !== null
  const query: OrderQuery = isNumber ? { ...noQuery, q: asked.q } : asked
  const isAllSelected = searchParams.get('select') === 'all'
  const rights = { ships: may(user, 'ship'), keepsBooks: may(user, 'books') }
  const period = readPeriod(query.from, query.to)
  if (!period) return data({ ...noOrders, query, isAllSelected, rights }, { status: 400 })
  const page = await searchOrders(context, user, {
    ...period,
    q: query.q,
    state: query.status || undefined,
    before: query.before || undefined,
    after: query.after || undefined,
    limit: pageSize,
  })
  const [found, another] = page.orders
  if (isNumber && found && !another) throw redirect(manageOrderPath(found.id))
  return data({ ...page, query, isAllSelected, rights })
}

/** For a wrong day: all orders would be an answer to another question. */
const noOrders = { orders: [], newer: null, older: null, isPartial: false, counts: null }

/** One order by its own button, or those that are ticked. */
const ShipmentOf = z.object({
  orderId: z.string().max(100).optional(),
  anchor: z.string().max(200).optional(),
  order: z.array(z.string().max(100)).max(maxSelected).optional(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const staff = await requireRightOrHome(request, context, 'ship')
  return submit({ request, context }, ShipmentOf, async ({ orderId, anchor, order: ids = [] }) => {
    if (orderId !== undefined) {
      await shipOrder(context, staff, orderId)
      return toastTo(context, backToList(request, anchor), 'Order marked as shipped.')
    }
    if (ids.length === 0) throw new Refusal('invalid', 'Select the orders to ship.')
    return data({ results: await shipOrders(context, staff, ids) })
  })
}

export default function ManageOrders() {
  const { orders, newer, older, isPartial, query, counts, isAllSelected, rights } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const { errors, field } = formState(actionData && 'lastResult' in actionData ? actionData : undefined)
  const results = actionData && 'results' in actionData ? actionData.results : undefined
  const refused = orders.find(({ id }) => id === field('orderId').initialValue)
  const notShipped = results?.filter(({ isShipped }) => !isShipped).map(({ id }) => id)
  const filters = { ...query, before: '', after: '' }
  return (
    <>
      <div className="desk-head">
        <PageHeader title="Manage All Orders" />
        <OrderSearch query={query} />
      </div>
      {!refused && <FormError errors={errors} />}
      {results && <ShipmentResults results={results} />}
      {/* They count all orders, whatever is searched for. */}
      <Tabs query={filters} counts={query.from || query.to ? null : counts} />
      {isPartial && (
        <p className="notice" role="status">
          This page has searched {searchWindow.toLocaleString('en-US')} orders. Go on to search the others.
        </p>
      )}
      {orders.length > 0 ? (
        <div>
          <OrderTable
            orders={orders}
            query={query}
            ships={rights.ships}
            isSelected={({ id }) => notShipped?.includes(id) ?? isAllSelected}
            refusal={refused && { order: refused, errors }}
          />
          <SelectionBar
            action={`${withOrderQuery(ordersPath, query)}#results`}
            fields={orderQueryFields(query)}
            selectAll={{
              href: withOrderQuery(ordersPath, query, isAllSelected ? {} : { select: 'all' }),
              isOn: isAllSelected,
            }}
          >
            {rights.ships && (
              <>
                <Button variant="quiet">Ship selected</Button>{' '}
                <Button
                  variant="quiet"
                  formMethod="get"
                  formAction={`${ordersPath}/packingSlips`}
                  name="with"
                  value="tracking"
                >
                  Ship with tracking numbers
                </Button>{' '}
                <Button variant="quiet" formMethod="get" formAction={`${ordersPath}/packingSlips`}>
                  Packing slips
                </Button>{' '}
              </>
            )}
            {rights.keepsBooks && (
              <Button variant="quiet" formMethod="get" formAction={`${ordersPath}.csv`}>
                Export
              </Button>
            )}
          </SelectionBar>
        </div>
      ) : (
        <NothingFound query={query} />
      )}
      <Pager
        previous={newer && withOrderQuery(ordersPath, { ...filters, after: newer })}
        next={older && withOrderQuery(ordersPath, { ...filters, before: older })}
      />
      {(counts !== null || query.q !== '') && (
        <p className="actions">
          {rights.ships && <a href={`${ordersPath}/pickingList`}>Picking list</a>}{' '}
          {rights.keepsBooks && (
            <a href={`${ordersPath}.csv?${new URLSearchParams({ from: query.from, to: query.to })}`} download>
              Export CSV
            </a>
          )}
        </p>
      )}
    </>
  )
}

function Tabs({ query, counts }: { query: OrderQuery; counts: OrderCounts | null }) {
  return (
    <nav aria-label="Filter orders">
      <ul className="filters">
        {orderTabs.map(({ status, text }) => (
          <li key={text}>
            <a
              href={withOrderQuery(ordersPath, { ...query, status })}
              className="menu-link"
              aria-current={status === query.status ? 'page' : undefined}
            >
              {text}
            </a>{' '}
            {counts && (
              <span className="tab-count">
                {countUpTo(maxOrderCount, counts[status || 'all'])}
                {status === 'refunded' && counts.olderRefunds === 1 && '+'}
              </span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NothingFound({ query: { q, status, from, to } }: { query: OrderQuery }) {
  if (q || from || to) {
    return (
      <EmptyState title="Nothing matches" link={{ href: ordersPath, text: 'See all orders' }}>
        Search by order number, name, email, phone, address, product or transaction id, and see that status and days
        fit.
      </EmptyState>
    )
  }
  const { empty } = orderTabs.find((tab) => tab.status === status)!
  return (
    <EmptyState title={empty} {...(status && { link: { href: ordersPath, text: 'See all orders' } })}>
      Orders appear here, newest first.
    </EmptyState>
  )
}
