import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { may } from '../../store/accounts/rights'
import { readOrderHistory } from '../../store/orders/history.server'
import { correctShipment, Shipment, shipOrder, StaffNote, writeStaffNote } from '../../store/orders/manage-order.server'
import { formatCents } from '../../store/shared/money'
import {
  isDisputed,
  isFullyRefunded,
  isPaid,
  isRefundable,
  isShippable,
  orderNumber,
  piecesToShip,
  type Order,
} from '../../store/orders/orders'
import { receiptLines } from '../../store/orders/receipts/receipts'
import { findNextToShip } from '../../store/orders/search-orders.server'
import { cancelOrderAsAdmin } from '../../store/ordering/cancel-order.server'
import { formatTime, readPeriod } from '../../store/shared/dates'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { CommandForm } from '../../ui/command-form'
import { orderQueryFields, ordersPath, readOrderQuery, withOrderQuery } from '../../ui/dashboard/order-filters'
import { Field } from '../../ui/field'
import { formState, type FormState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { describeActor, describeEvent } from '../../ui/orders/describe-event'
import { DisputeBadge, DisputeNotice } from '../../ui/orders/dispute'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { manageOrderPath, ReceiptLink, refundPath } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { RefundForm } from '../../ui/orders/refund-fields'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'
import { pathTo } from '../../path-to'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Order ${data ? orderNumber(data.order) : ''} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const user = await requireRightOrHome(request, context, 'orders')
  const history = await readOrderHistory(context, user, params.id ?? '')
  if (!history) throw new Response(null, { status: 404 })
  const rights = { ships: may(user, 'ship'), keepsBooks: may(user, 'books'), isAdmin: may(user, 'shop') }
  return data({ ...history, rights, query: readOrderQuery(new URL(request.url).searchParams) })
}

const Command = z.discriminatedUnion(
  'command',
  [
    Shipment.extend({
      command: z.literal('ship'),
      then: z.literal('next').optional(),
      disputed: z.literal('on').optional(),
    }),
    Shipment.extend({ command: z.literal('correct') }),
    StaffNote.extend({ command: z.literal('note') }),
    z.object({ command: z.literal('cancel') }),
  ],
  { error: 'What is to be done?' },
)

type ShipInput = Shipment & { then?: 'next'; disputed?: 'on' }

export async function action({ request, params, context }: ActionFunctionArgs) {
  const staff = await requireRightOrHome(request, context, 'ship')
  const id = params.id ?? ''
  const query = readOrderQuery(new URL(request.url).searchParams)
  return submit({ request, context }, Command, async ({ command, ...input }) => {
    const say = (message: string) => toastTo(context, withOrderQuery(manageOrderPath(id), query), message)
    switch (command) {
      case 'ship':
        return ship(input as ShipInput)
      case 'correct':
        await correctShipment(context, staff, id, input as Shipment)
        return say('Shipment saved.')
      case 'note':
        await writeStaffNote(context, staff, id, (input as StaffNote).note)
        return say('Note saved.')
      case 'cancel':
        await cancelOrderAsAdmin(context, staff, id)
        return say('Order Cancelled!')
    }
  })

  async function ship({ then, disputed, ...shipment }: ShipInput) {
    await shipOrder(context, staff, id, shipment, { isDisputeKnown: disputed === 'on' })
    if (!then) return toastTo(context, withOrderQuery(manageOrderPath(id), query), 'Order marked as shipped.')
    const period = readPeriod(query.from, query.to) ?? {}
    const next = await findNextToShip(context, id, { ...period, q: query.q })
    if (!next) {
      const toShip = withOrderQuery(ordersPath, { ...query, status: 'paid', before: '', after: '' })
      return toastTo(context, toShip, 'Order marked as shipped. It was the last one to ship.')
    }
    const path = withOrderQuery(manageOrderPath(next), query, shipment.carrier ? { carrier: shipment.carrier } : {})
    return toastTo(context, `${path}#ship-form`, 'Order marked as shipped. Here is the next one.')
  }
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function ManageOrder() {
  const { order, failedRefunds, answerBy, isClosed, query, rights } = useLoaderData<typeof loader>()
  // What is to be done comes first on a phone.
  const isWaiting = rights.ships && isShippable(order)
  return (
    <div className="order">
      <PageHeader title={`Order ${orderNumber(order)}`}>
        <p className="badges">
          <Badges order={order} />
          <a href={`${withOrderQuery(ordersPath, query)}#${order.id}`}>Back to the orders</a>
        </p>
      </PageHeader>
      {failedRefunds.map(({ refundId, amountCents }) => (
        <Notice key={refundId} tone="error">
          A refund of {formatCents(amountCents)} did not reach the customer. Their bank returned it ({refundId}). Please
          pay it back another way.
        </Notice>
      ))}
      <DisputeNotice order={order} dueBy={answerBy === null ? null : formatTime(answerBy)} />
      {isClosed && <Notice>The customer has closed the account. The order stays as it was.</Notice>}
      <div className="desk-order">
        {isWaiting && <Actions />}
        <div>
          <ItemsAndMoney />
        </div>
        {!isWaiting && <Actions />}
        <div>
          <Note />
          <Timeline />
        </div>
      </div>
    </div>
  )
}

const stateNames = { unpaid: 'Pending', paid: 'Pending', shipped: 'Shipped', cancelled: 'Cancelled' } as const

/** Payment and status, which a refund does not change (R47). */
function Badges({ order }: { order: Order }) {
  const isPart = order.refundedCents > 0 && !isFullyRefunded(order)
  return (
    <>
      {isPaid(order) ? <Badge tone="success">Paid</Badge> : <Badge tone="error">Unpaid</Badge>}{' '}
      {order.refundedCents > 0 && <Badge>{isPart ? 'Refunded in part' : 'Refunded'}</Badge>}{' '}
      <Badge>{stateNames[order.state]}</Badge> <DisputeBadge order={order} />{' '}
    </>
  )
}

function ItemsAndMoney() {
  const { order, invoice, rights } = useLoaderData<typeof loader>()
  const shownApart = ['Order', 'Instrument', 'Price each', 'Quantity', 'Ship to']
  return (
    <>
      <ResponsiveTable
        caption="Items"
        rows={[order]}
        rowKey={({ id }) => id}
        columns={[
          {
            header: 'Instrument',
            rowHeader: true,
            cell: ({ productName }) => <span className="wrap-anywhere">{productName}</span>,
          },
          { header: 'Price each', numeric: true, cell: ({ unitPriceCents }) => formatCents(unitPriceCents) },
          { header: 'Quantity', numeric: true, cell: ({ quantity }) => quantity },
          { header: 'Total', numeric: true, cell: ({ totalCents }) => formatCents(totalCents) },
        ]}
      />
      <ReceiptLines lines={receiptLines(order).filter(([name]) => !shownApart.includes(name) && name !== 'Total')} />
      {isPaid(order) && rights.keepsBooks && (
        <p className="actions">
          <ReceiptLink orderId={order.id} /> <InvoiceLinks links={invoice} />
        </p>
      )}
    </>
  )
}

function Actions() {
  const { order, rights } = useLoaderData<typeof loader>()
  return (
    <aside aria-label="Customer and actions">
      {rights.ships && isShippable(order) ? <ShipForm /> : <ShipTo />}
      {order.state === 'paid' && piecesToShip(order) === 0 && (
        <p>All pieces are back in stock: there is nothing to ship.</p>
      )}
      {rights.ships && order.state === 'shipped' && <CorrectionForm />}
      <h2>Customer</h2>
      <p>
        {rights.isAdmin ? (
          <a href={pathTo('/dashboard/makeAdmin/:id', { id: order.customerId })}>{order.customerName}</a>
        ) : (
          order.customerName
        )}
        <br />
        <span className="wrap-anywhere">{order.customerEmail}</span>
      </p>
      {rights.isAdmin && order.state === 'unpaid' && <CancelForm />}
      {rights.isAdmin && isRefundable(order) && <Refund />}
    </aside>
  )
}

/** One click selects all of it. */
function Address() {
  const { customerName, customerAddress, customerPhone } = useLoaderData<typeof loader>().order
  return <pre className="copy">{`${customerName}\n${customerAddress}\n${customerPhone}`}</pre>
}

function ShipTo() {
  return (
    <>
      <h2>Ship to</h2>
      <Address />
    </>
  )
}

function Timeline() {
  const { rows, refunds, emails } = useLoaderData<typeof loader>()
  return (
    <>
      {refunds.length > 0 && <Refunds refunds={refunds} />}
      <h2>History</h2>
      <ResponsiveTable
        caption="History"
        rows={rows}
        rowKey={({ id }) => String(id)}
        columns={[
          { header: 'When', rowHeader: true, cell: ({ at }) => formatTime(at) },
          { header: 'What', cell: (row) => <span className="wrap-anywhere">{describeEvent(row, refunds)}</span> },
          { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{describeActor(actor)}</span> },
        ]}
      />
      <h2>Emails</h2>
      {emails.length === 0 ? (
        <p>None. Before an order is paid, emails go to verified addresses only.</p>
      ) : (
        <ul>
          {emails.map(({ id, event, recipient, sentAt }) => (
            <li key={id}>
              {emailNames[event] ?? event}
              {recipient && ` to ${recipient}`}: {sentAt === null ? 'waiting to be sent' : formatTime(sentAt)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const emailNames: Record<string, string> = {
  'order placed': 'Your order',
  'order paid': 'Receipt',
  'order shipped': 'On its way',
  'order cancelled': 'Cancelled',
  'refund made': 'Refund',
}

function CancelForm() {
  return (
    <CommandForm command="cancel" title="Cancel" button="Cancel order" variant="danger">
      {() => <p>The pieces go back to stock, and the customer gets an email. Nothing was paid.</p>}
    </CommandForm>
  )
}

function ShipForm() {
  const { order } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  return (
    <CommandForm
      command="ship"
      title={`Ship ${orderNumber(order)}`}
      button="Ship Now"
      variant="main"
      defaults={{ carrier: search.get('carrier') ?? '' }}
      secondButton={
        <Button variant="quiet" name="then" value="next">
          Ship and open the next
        </Button>
      }
    >
      {(form) => (
        <>
          <div className="ship-to">
            <p>
              <strong>{piecesToShip(order)} ×</strong> <span className="wrap-anywhere">{order.productName}</span>
              <a href={pathTo('/dashboard/manageOrders/:id/packingSlip', order)}>Packing slip</a>
            </p>
            <Address />
          </div>
          <ShipmentFields form={form} />
          {isDisputed(order) && (
            <Checkbox label="Ship it although the payment is disputed" {...form.field('disputed')} />
          )}
        </>
      )}
    </CommandForm>
  )
}

function CorrectionForm() {
  const { carrier, trackingNumber, trackingUrl } = useLoaderData<typeof loader>().order
  const defaults = { carrier: carrier ?? '', trackingNumber: trackingNumber ?? '', trackingUrl: trackingUrl ?? '' }
  return (
    <CommandForm
      key={JSON.stringify(defaults)}
      command="correct"
      title="Shipment"
      button="Save shipment"
      defaults={defaults}
    >
      {(form) => <ShipmentFields form={form} />}
    </CommandForm>
  )
}

function ShipmentFields({ form }: { form: FormState }) {
  return (
    <>
      <div className="pair">
        <Field label="Carrier" {...form.field('carrier')} maxLength={60} />
        <Field label="Tracking number" {...form.field('trackingNumber')} maxLength={60} />
      </div>
      <Field
        label="Tracking link"
        {...form.field('trackingUrl')}
        inputMode="url"
        maxLength={500}
        placeholder="https://"
        hint="All three are optional; the customer sees them."
      />
    </>
  )
}

/** Packers and admins write it, a bookkeeper reads it. */
function Note() {
  const { rights, staffNote } = useLoaderData<typeof loader>()
  if (rights.ships) return <NoteForm />
  if (!staffNote) return null
  return (
    <>
      <h2>Note</h2>
      <p className="wrap-anywhere">{staffNote}</p>
    </>
  )
}

function NoteForm() {
  const { staffNote } = useLoaderData<typeof loader>()
  return (
    <CommandForm key={staffNote} command="note" title="Note" button="Save note" defaults={{ note: staffNote ?? '' }}>
      {(form) => (
        <Field
          label="Note for colleagues"
          {...form.field('note')}
          rows={3}
          hint="The customer does not see it. The history has the earlier ones."
        />
      )}
    </CommandForm>
  )
}

/** Asks nothing of Stripe yet: it leads to the page that names the sum. It stands open for programs that fill in its fields. */
function Refund(): ReactNode {
  const { order, query } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const typed = Object.fromEntries(['amount', 'reason', 'restock'].map((name) => [name, search.get(name) ?? '']))
  return (
    <details className="fold" id="refund-form" open>
      <summary>Refund this order</summary>
      <RefundForm
        order={order}
        form={formState(undefined, typed)}
        action={refundPath(order.id)}
        fields={orderQueryFields(query)}
      />
    </details>
  )
}

function Refunds({ refunds }: Pick<Loaded, 'refunds'>) {
  return (
    <>
      <h2>Refunds</h2>
      <ResponsiveTable
        caption="Refunds"
        rows={refunds}
        rowKey={({ id }) => id}
        columns={[
          { header: 'When', rowHeader: true, cell: ({ createdAt }) => formatTime(createdAt) },
          {
            header: 'Reason',
            cell: ({ reason, restock, actor }) => (
              <span className="wrap-anywhere">
                {reason || 'Made at Stripe'}{' '}
                <small className="hint">
                  {restock > 0 && `${restock} back to stock, `}
                  {describeActor(actor)}
                </small>
              </span>
            ),
          },
          {
            header: 'Amount',
            numeric: true,
            cell: (refund) => (
              <>
                {formatCents(refund.amountCents)} <RefundStatus refund={refund} />
              </>
            ),
          },
        ]}
      />
    </>
  )
}

function RefundStatus({ refund: { refundId, failedAt } }: { refund: Loaded['refunds'][number] }) {
  if (failedAt !== null && refundId === null) return <Badge>Not made: the money went back at Stripe</Badge>
  if (failedAt !== null) return <Badge tone="error">Failed: please pay it back another way</Badge>
  if (refundId === null) return <Badge>Owed: refunded when Stripe responds</Badge>
  return (
    <>
      <Badge tone="success">Refunded</Badge> <code className="transaction">{refundId}</code>
    </>
  )
}
