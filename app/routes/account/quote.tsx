import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { browserCache } from '../../http/response/headers.server'
import { toastTo } from '../../http/response/toast.server'
import { catalogPath } from '../../store/catalog/catalog'
import { formatDuration } from '../../store/shared/dates'
import { formatCents, totalCents } from '../../store/shared/money'
import { acceptQuote, QuoteAcceptance, readQuotePage } from '../../store/ordering/accept-quote.server'
import { orderNumber } from '../../store/orders/orders'
import { instrumentLine } from '../../store/orders/receipts/receipts'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { orderPath, paymentPath } from '../../ui/orders/order-links'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { QuoteState } from '../../ui/quotes/quote-table'
import { useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'
import { useTimeFormat } from '../../ui/time'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Quote: ${data?.instrument.name ?? ''} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const customer = await requireUser(request, context)
  const page = await readQuotePage(context, customer, params.id ?? '')
  if (!page) throw notFound(context, customer)
  // Back to the form shows what was typed.
  return data({ ...page, now: context.now() }, { headers: { 'cache-control': browserCache } })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, QuoteAcceptance, async (input) => {
    const { id, isRepeat } = await acceptQuote(context, customer, params.id ?? '', input)
    return isRepeat
      ? toastTo(context, paymentPath(id), 'You accepted this offer before. This is its order.', { type: 'info' })
      : toastTo(context, paymentPath(id), 'New order added. Please complete payment!')
  })
}

export default function QuotePage() {
  const { quote, instrument, isOnSale, order, now } = useLoaderData<typeof loader>()
  const { state, quantity, unitPriceCents, validUntil, wantedQuantity } = quote
  const hasOffer = state !== 'asked' && unitPriceCents !== null
  const format = useTimeFormat()
  const lines: [string, string | null][] = [
    [instrumentLine, instrument.name],
    ['You asked for', String(wantedQuantity)],
    ['Asked', format.time(quote.createdAt)],
    ['Your message', quote.note],
    ['Order quantity', hasOffer ? String(quantity) : null],
    ['Unit price', hasOffer ? formatCents(unitPriceCents) : null],
    ['Total', hasOffer ? formatCents(totalCents(unitPriceCents, quantity!)) : null],
    ['Valid until', hasOffer ? format.end(validUntil!) : null],
    ['Our words', quote.reply],
  ]
  return (
    <div className="order">
      <PageHeader title={`Quote: ${instrument.name}`}>
        <p>
          <QuoteState quote={quote} order={order} now={now} />
        </p>
      </PageHeader>
      <ReceiptLines
        lines={lines.filter((line): line is [string, string] => line[1] !== null)}
        links={isOnSale ? { [instrumentLine]: catalogPath(instrument) } : {}}
      />
      <Next />
      <p>
        <a href="/dashboard/quotes">Back to My Quotes</a>
      </p>
    </div>
  )
}

function Next() {
  const { quote, order, problem } = useLoaderData<typeof loader>()
  const { errors } = formState(useActionData<typeof action>())
  if (order) return <Accepted />
  if (quote.state === 'asked') return <p className="actions">We answer by email, and here.</p>
  if (!problem) return <AcceptForm />
  return (
    <>
      <FormError errors={errors} />
      {quote.state === 'offered' && !errors && <Notice tone="error">{problem}</Notice>}
      <AskAgain />
    </>
  )
}

function Accepted() {
  const order = useLoaderData<typeof loader>().order!
  return (
    <>
      <p className="actions">
        You accepted this offer: <a href={orderPath(order.id)}>order {orderNumber({ number: order.number! })}</a>.
      </p>
      {order.state === 'cancelled' && (
        <>
          <p>That order is cancelled. An offer can be accepted once, so ask again if you still want the pieces.</p>
          <AskAgain />
        </>
      )}
    </>
  )
}

function AskAgain() {
  const { quote, isOnSale } = useLoaderData<typeof loader>()
  if (!isOnSale) return null
  const query = new URLSearchParams({ instrument: quote.instrumentId, quantity: String(quote.wantedQuantity) })
  return (
    <p>
      <ButtonLink variant="quiet" href={`/dashboard/quotes/new?${query.toString()}`}>
        Ask for a new price
      </ButtonLink>
    </p>
  )
}

function AcceptForm() {
  const { quote, address, phone, company, vatNumber, holdMs } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>(), {
    ...{ customerAddress: address, customerPhone: phone, company, vatNumber },
  })
  const total = formatCents(totalCents(quote.unitPriceCents!, quote.quantity!))
  const hold = holdMs === null ? 'until you pay or cancel' : `for ${formatDuration(holdMs)}`
  return (
    <>
      <h2>Accept the offer</h2>
      <form className="form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        <Field label="Address" {...form.field('customerAddress')} rows={3} autoComplete="street-address" required />
        <Field
          label="Phone"
          {...form.field('customerPhone')}
          type="tel"
          autoComplete="tel"
          hint="At least 11 digits, with the country code"
          required
        />
        <Field label="Company" {...form.field('company')} maxLength={100} autoComplete="organization" hint="Optional" />
        <Field label="VAT number" {...form.field('vatNumber')} maxLength={30} hint="Optional" />
        <Field
          label="Purchase order number"
          {...form.field('purchaseOrder')}
          maxLength={60}
          hint="Optional. All three appear on the invoice."
        />
        <ul className="ruled">
          <li>Delivery is included in the price.</li>
          <li>
            We reserve your pieces {hold}. An offer can be accepted once: if the order is cancelled, or not paid in
            time, ask for a new price.
          </li>
        </ul>
        <FormError errors={form.errors} />
        <Button>
          Accept: order {quote.quantity} for {total}
        </Button>
      </form>
    </>
  )
}
