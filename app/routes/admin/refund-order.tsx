import {
  data,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { parseQuery, submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { centsFromText, dollarsText, formatCents } from '../../store/shared/money'
import { isPaid, isRefundable, isTakenBack, notRefundable, orderNumber, type Order } from '../../store/orders/orders'
import { findAnyOrder } from '../../store/orders/orders.server'
import { NewRefund, refundErrors, refundOrder, RefundRequest } from '../../store/payments/order-refunds.server'
import { Button, ButtonLink } from '../../ui/button'
import { orderQueryFields, readOrderQuery, withOrderQuery } from '../../ui/dashboard/order-filters'
import { FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { manageOrderPath, refundPath } from '../../ui/orders/order-links'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { RefundForm } from '../../ui/orders/refund-fields'
import { SubmissionId } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Refund ${data ? orderNumber(data.order) : ''} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const order = await findAnyOrder(context, admin, params.id ?? '')
  if (!order) throw new Response(null, { status: 404 })
  const { searchParams } = new URL(request.url)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, refundPath(order.id))
  const lastResult = readRefund(order, searchParams)
  const status = lastResult.error && searchParams.has('reason') ? 422 : 200
  return data({ order, lastResult, query: readOrderQuery(searchParams), submissionIds }, { headers, status })
}

/** The refund that was asked for, `all` turned into its amount, and what is wrong with it. */
function readRefund(order: Order, query: URLSearchParams) {
  const left = order.totalCents - order.refundedCents
  const [typed, isAll] = [query.get('amount')?.trim() ?? '', query.get('all') === 'on']
  const asked = new URLSearchParams(query)
  if (isAll && typed === '') asked.set('amount', dollarsText(left))
  const { value, lastResult } = parseQuery(asked, RefundRequest)
  const initialValue = Object.fromEntries(query)
  if (!value) return { ...lastResult, initialValue }
  const error = refundErrors(order, value)
  if (isAll && value.amount !== left) error.amount = ['Enter an amount, or choose all that is left: not both']
  return Object.keys(error).length > 0 ? { initialValue, error } : { initialValue: lastResult.initialValue }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, NewRefund, async (input) => {
    const { state, isRepeat } = await refundOrder(context, admin, id, input)
    const back = withOrderQuery(manageOrderPath(id), readOrderQuery(new URL(request.url).searchParams))
    return sayRefunded(context, back, { sum: formatCents(input.amount), state, isRepeat })
  })
}

type Refunded = Awaited<ReturnType<typeof refundOrder>> & { sum: string }

function sayRefunded(context: AppLoadContext, back: string, { sum, state, isRepeat }: Refunded) {
  const messages = {
    made: isRepeat ? `You had already refunded ${sum}: it is one refund, not two.` : `Refunded ${sum}.`,
    owed: `The refund of ${sum} is stored. Stripe is not responding: we refund it as soon as it does.`,
    failed: `The refund of ${sum} was not made: this money had gone back at Stripe already.`,
  }
  const type = state === 'failed' ? 'error' : state === 'made' && !isRepeat ? 'success' : 'info'
  return toastTo(context, back, messages[state], { type })
}

/** Asks before money goes: one press on the page of the order pays nothing. */
export default function RefundOrder() {
  const { order, lastResult, query } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>() ?? { lastResult })
  const back = withOrderQuery(manageOrderPath(order.id), query)
  if (!isRefundable(order) && !form.errors) {
    return (
      <PageHeader title={`Refund order ${orderNumber(order)}`} lead={whyNot(order)}>
        <p>
          <a href={back}>Back to the order</a>
        </p>
      </PageHeader>
    )
  }
  if (form.fieldErrors.length === 0) return <Question form={form} back={back} />
  return (
    <>
      <PageHeader title={`Refund order ${orderNumber(order)}`} lead={order.customerName} />
      <FormError errors={form.errors} />
      <RefundForm order={order} form={form} action={refundPath(order.id)} fields={orderQueryFields(query)} />
      <p>
        <a href={back}>Back to the order</a>
      </p>
    </>
  )
}

function whyNot(order: Order): string {
  if (isTakenBack(order)) return notRefundable
  return isPaid(order) ? 'All of it has been refunded.' : 'Only a paid order can be refunded.'
}

function Question({ form, back }: { form: FormState; back: string }) {
  const { order, query, submissionIds } = useLoaderData<typeof loader>()
  const typed = ['amount', 'reason', 'restock'].map((name): [string, string] => [
    name,
    form.field(name).initialValue ?? '',
  ])
  const { amount = '', reason = '', restock = '' } = Object.fromEntries(typed)
  const cents = centsFromText(amount) ?? 0
  const pieces = Number(restock || 0)
  return (
    <div className="question">
      <PageHeader title={`Refund ${formatCents(cents)} to ${order.customerName}’s card?`} />
      <ReceiptLines
        lines={[
          ['Order', `${orderNumber(order)}: ${order.productName} × ${order.quantity}`],
          ['Paid', formatCents(order.totalCents)],
          ...(order.refundedCents > 0 ? [['Refunded before', formatCents(order.refundedCents)] as const] : []),
          ['Left afterwards', formatCents(Math.max(0, order.totalCents - order.refundedCents - cents))],
          ['Back to stock', pieces > 0 ? `${pieces} × ${order.productName}, on sale again at once` : 'Nothing'],
          ['Reason', reason],
        ].map(([name = '', value = '']): [string, string] => [name, value])}
      />
      <form className="form" method="post" action={withOrderQuery(refundPath(order.id), query)}>
        <SubmissionId form={form} issued={submissionIds} />
        {typed.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <FormError errors={form.errors} />
        <p className="actions">
          <Button variant="danger">Refund</Button>{' '}
          <ButtonLink variant="quiet" href={`${withQueryOf(back, typed)}#refund-form`}>
            Back
          </ButtonLink>
        </p>
      </form>
    </div>
  )
}

/** The page of the order fills its form in with what was typed. */
function withQueryOf(path: string, fields: [string, string][]): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`
}
