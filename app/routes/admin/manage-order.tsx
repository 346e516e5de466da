import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/forms.server'
import { issueSubmissionIds } from '../../http/submission.server'
import { toastTo } from '../../http/toast.server'
import { readOrderHistory } from '../../store/orders/history.server'
import {
  correctShipment,
  findNextToShip,
  Shipment,
  shipOrder,
  StaffNote,
  writeStaffNote,
} from '../../store/orders/manage-order.server'
import { dollarsFromCents, formatCents } from '../../store/money'
import { isPaid, orderNumber, piecesToShip } from '../../store/orders/orders'
import { receiptLines } from '../../store/orders/receipts'
import { cancelOrderAsAdmin } from '../../store/ordering/cancel-order.server'
import { NewRefund, refundOrder } from '../../store/payments/order-refunds.server'
import { formatTime } from '../../store/dates'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { CommandForm } from '../../ui/command-form'
import { Field } from '../../ui/field'
import type { FormState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { describeActor, describeEvent } from '../../ui/orders/describe-event'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { ReceiptLink } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { ResponsiveTable } from '../../ui/responsive-table'
import { SubmissionId } from '../../ui/submission-id'

const list = '/dashboard/manageOrders'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Order ${data ? orderNumber(data.order) : ''} · Cadenza` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const history = await readOrderHistory(context, params.id ?? '')
  if (!history) throw new Response(null, { status: 404 })
  const { submissionIds, headers } = await issueSubmissionIds(request, context, `${list}/${history.order.id}`)
  return data({ ...history, submissionIds }, { headers })
}

const Command = z.discriminatedUnion(
  'command',
  [
    NewRefund.extend({ command: z.literal('refund') }),
    Shipment.extend({ command: z.literal('ship'), then: z.literal('next').optional() }),
    Shipment.extend({ command: z.literal('correct') }),
    StaffNote.extend({ command: z.literal('note') }),
    z.object({ command: z.literal('cancel') }),
  ],
  { error: 'What is to be done?' },
)

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, Command, async ({ command, ...input }) => {
    const say = (message: string) => toastTo(context, `${list}/${id}`, message)
    switch (command) {
      case 'ship':
        return ship(input as Shipment & { then?: 'next' })
      case 'correct':
        await correctShipment(context, admin, id, input as Shipment)
        return say('Shipment saved.')
      case 'note':
        await writeStaffNote(context, admin, id, (input as StaffNote).note)
        return say('Note saved.')
      case 'cancel':
        await cancelOrderAsAdmin(context, admin, id)
        return say('Order Cancelled!')
      case 'refund':
        return refund(input as NewRefund)
    }
  })

  async function ship({ then, ...shipment }: Shipment & { then?: 'next' }) {
    await shipOrder(context, admin, id, shipment)
    const next = then && (await findNextToShip(context, id))
    if (!then) return toastTo(context, `${list}/${id}`, 'Order marked as shipped.')
    if (!next) return toastTo(context, `${list}?status=paid`, 'Order marked as shipped. It was the last one to ship.')
    const carrier = shipment.carrier ? `?${new URLSearchParams({ carrier: shipment.carrier }).toString()}` : ''
    return toastTo(context, `${list}/${next}${carrier}#ship-form`, 'Order marked as shipped. Here is the next one.')
  }

  async function refund(input: NewRefund) {
    const { state, isRepeat } = await refundOrder(context, admin, id, input)
    const sum = formatCents(input.amount)
    const messages = {
      made: isRepeat ? `You had already refunded ${sum}: it is one refund, not two.` : `Refunded ${sum}.`,
      owed: `The refund of ${sum} is stored. Stripe is not responding: we refund it as soon as it does.`,
      failed: `The refund of ${sum} was not made: this money had gone back at Stripe already.`,
    }
    const type = state === 'failed' ? 'error' : state === 'made' && !isRepeat ? 'success' : 'info'
    return toastTo(context, `${list}/${id}`, messages[state], { type })
  }
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function ManageOrder() {
  const { order, rows, refunds, failedRefunds, emails, invoice, isClosed } = useLoaderData<typeof loader>()
  const address = `${order.customerName}\n${order.customerAddress}\n${order.customerPhone}`
  return (
    <div className="order">
      <PageHeader title={`Order ${orderNumber(order)}`} lead={`${order.customerName}, ${order.customerEmail}`} />
      {failedRefunds.map(({ refundId, amountCents }) => (
        <Notice key={refundId} tone="error">
          A refund of {formatCents(amountCents)} did not reach the customer. Their bank returned it ({refundId}). Please
          pay it back another way.
        </Notice>
      ))}
      {isClosed && <Notice>The customer has closed the account. The order stays as it was.</Notice>}
      <ReceiptLines lines={receiptLines(order).filter(([name]) => name !== 'Ship to')} />
      <h2>Address to copy</h2>
      <pre className="copy">{address}</pre>
      <p className="actions">
        {piecesToShip(order) > 0 && <a href={`${list}/${order.id}/packingSlip`}>Packing slip</a>}{' '}
        {isPaid(order) && <ReceiptLink orderId={order.id} />} {isPaid(order) && <InvoiceLinks links={invoice} />}{' '}
        <a href={list}>Back to all orders</a>
      </p>
      {order.state === 'unpaid' && <CancelForm />}
      {order.state === 'paid' && piecesToShip(order) > 0 && <ShipForm />}
      {order.state === 'paid' && piecesToShip(order) === 0 && (
        <p>All pieces are back in stock: there is nothing to ship.</p>
      )}
      {order.state === 'shipped' && <CorrectionForm />}
      <NoteForm />
      {refunds.length > 0 && <Refunds refunds={refunds} />}
      {isPaid(order) && order.refundedCents < order.totalCents && <RefundForm />}
      <h2>Emails</h2>
      {emails.length === 0 ? (
        <p>None. Before an order is paid, emails go to verified addresses only.</p>
      ) : (
        <ul>
          {emails.map(({ id, event, recipient, sentAt }) => (
            <li key={id}>
              {emailNames[event] ?? event}
              {recipient && ` to ${recipient}`}: {sentAt === null ? 'waits to be sent' : formatTime(sentAt)}
            </li>
          ))}
        </ul>
      )}
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
    </div>
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
  const [search] = useSearchParams()
  return (
    <CommandForm
      command="ship"
      title="Ship"
      button="Ship Now"
      variant="main"
      defaults={{ carrier: search.get('carrier') ?? '' }}
      secondButton={
        <Button variant="quiet" name="then" value="next">
          Ship and open the next
        </Button>
      }
    >
      {(form) => <ShipmentFields form={form} />}
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
      <Field label="Carrier" {...form.field('carrier')} maxLength={60} />
      <Field label="Tracking number" {...form.field('trackingNumber')} maxLength={60} />
      <Field
        label="Tracking link"
        {...form.field('trackingUrl')}
        inputMode="url"
        maxLength={500}
        hint="Begins with https://. All three may be empty; the customer sees them."
      />
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

function RefundForm() {
  const { order, submissionIds } = useLoaderData<typeof loader>()
  const left = order.totalCents - order.refundedCents
  const pieces = piecesToShip(order)
  return (
    <CommandForm
      // Empties the fields after a refund.
      key={order.refundedCents}
      command="refund"
      title="Refund"
      button="Refund"
      variant="danger"
      defaults={{ amount: dollarsFromCents(left).toFixed(2), restock: '0' }}
    >
      {(form) => (
        <>
          <SubmissionId form={form} issued={submissionIds} />
          <Field
            label="Amount"
            {...form.field('amount')}
            inputMode="decimal"
            required
            hint={`${formatCents(left)} of ${formatCents(order.totalCents)} can be refunded, to the card that paid.`}
          />
          <Field
            label="Reason"
            {...form.field('reason')}
            required
            maxLength={200}
            hint="The customer reads it in the email."
          />
          {pieces > 0 && (
            <Field
              label="Pieces back to stock"
              {...form.field('restock')}
              inputMode="numeric"
              hint={`At most ${pieces}. They are on sale again at once.`}
            />
          )}
        </>
      )}
    </CommandForm>
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
          { header: 'Amount', numeric: true, cell: ({ amountCents }) => formatCents(amountCents) },
          { header: 'Status', cell: (refund) => <RefundStatus refund={refund} /> },
          {
            header: 'Reason',
            cell: ({ reason }) => <span className="wrap-anywhere">{reason || 'Made at Stripe'}</span>,
          },
          { header: 'Back to stock', numeric: true, cell: ({ restock }) => restock },
          { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{describeActor(actor)}</span> },
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
      <Badge tone="success">Made</Badge> <code className="transaction">{refundId}</code>
    </>
  )
}
