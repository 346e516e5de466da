import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/forms.server'
import { issueSubmissionIds } from '../../http/submission.server'
import { toastTo } from '../../http/toast.server'
import { readOrderHistory } from '../../store/orders/history.server'
import { dollarsFromCents, formatCents } from '../../store/money'
import { isPaid, orderNumber } from '../../store/orders/orders'
import { receiptLines } from '../../store/orders/receipts'
import { NewRefund, refundOrder } from '../../store/payments/order-refunds.server'
import { formatTime } from '../../store/dates'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { ReceiptLink } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { ResponsiveTable } from '../../ui/responsive-table'
import { SubmissionId, useSendTo } from '../../ui/submission-id'

export { clientAction } from '../../ui/lost-connection'

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

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, NewRefund, async (input) => {
    const { state, isRepeat } = await refundOrder(context, admin, id, input)
    const sum = formatCents(input.amount)
    const messages = {
      made: isRepeat ? `You had already refunded ${sum}: it is one refund, not two.` : `Refunded ${sum}.`,
      owed: `The refund of ${sum} is stored. Stripe does not answer: it is made as soon as it does.`,
      failed: `The refund of ${sum} was not made: this money had gone back at Stripe already.`,
    }
    const type = state === 'failed' ? 'error' : state === 'made' && !isRepeat ? 'success' : 'info'
    return toastTo(context, `${list}/${id}`, messages[state], { type })
  })
}

export default function ManageOrder() {
  const { order, rows, refunds, failedRefunds, submissionIds } = useLoaderData<typeof loader>()
  const left = order.totalCents - order.refundedCents
  return (
    <>
      <PageHeader title={`Order ${orderNumber(order)}`} lead={`${order.customerName}, ${order.customerEmail}`} />
      {failedRefunds.map(({ refundId, amountCents }) => (
        <Notice key={refundId} tone="error">
          A refund of {formatCents(amountCents)} did not reach the customer: their bank has sent it back ({refundId}).
          Please send the money another way.
        </Notice>
      ))}
      <ReceiptLines lines={receiptLines(order)} />
      {refunds.length > 0 && <Refunds refunds={refunds} />}
      {isPaid(order) && left > 0 && (
        // The key empties the fields after a refund.
        <RefundForm key={submissionIds[0]} order={order} submissionIds={submissionIds} />
      )}
      <h2>History</h2>
      <ResponsiveTable
        caption="History"
        rows={rows}
        rowKey={({ id }) => String(id)}
        columns={[
          { header: 'When', rowHeader: true, cell: ({ at }) => formatTime(at) },
          { header: 'What', cell: ({ event }) => event },
          { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{actor}</span> },
          { header: 'Pieces', numeric: true, cell: ({ stockDelta }) => (stockDelta === 0 ? '' : stockDelta) },
          { header: 'Note', cell: ({ note }) => note && <code>{note}</code> },
        ]}
      />
      <p className="actions">
        {isPaid(order) && <ReceiptLink orderId={order.id} />} <Link to={list}>Back to all orders</Link>
      </p>
    </>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

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
          { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{actor}</span> },
        ]}
      />
    </>
  )
}

function RefundStatus({ refund: { refundId, failedAt } }: { refund: Loaded['refunds'][number] }) {
  if (failedAt !== null && refundId === null) return <Badge>Not made: the money went back at Stripe</Badge>
  if (failedAt !== null) return <Badge tone="error">Failed: please send the money another way</Badge>
  if (refundId === null) return <Badge>Owed: made when Stripe answers</Badge>
  return (
    <>
      <Badge tone="success">Made</Badge> <code className="transaction">{refundId}</code>
    </>
  )
}

function RefundForm({ order, submissionIds }: Pick<Loaded, 'order' | 'submissionIds'>) {
  const left = order.totalCents - order.refundedCents
  const pieces = order.quantity - order.returnedQuantity
  const form = formState(useActionData<typeof action>(), { amount: dollarsFromCents(left).toFixed(2), restock: '0' })
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <h2>Refund</h2>
      <Form className="form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
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
        <FormError errors={form.errors} />
        <Button variant="danger" busy={busy}>
          Refund
        </Button>
      </Form>
    </>
  )
}
