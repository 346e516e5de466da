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
import { t } from '../../i18n/language'
import { rich } from '../../ui/rich'
import { translate } from '../../i18n/translate'
import { useTimeFormat } from '../../ui/time'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${t('Quote: {name}', { name: data?.instrument.name ?? '' })} · ${shopName}` },
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
      ? toastTo(context, paymentPath(id), t('You accepted this offer before. This is its order.'), { type: 'info' })
      : toastTo(context, paymentPath(id), t('New order added. Please complete payment!'))
  })
}

export default function QuotePage() {
  const { quote, instrument, isOnSale, order, now } = useLoaderData<typeof loader>()
  const { state, quantity, unitPriceCents, validUntil, wantedQuantity } = quote
  const hasOffer = state !== 'asked' && unitPriceCents !== null
  const format = useTimeFormat()
  const lines: [string, string | null][] = [
    [t(instrumentLine), instrument.name],
    [t('You asked for'), String(wantedQuantity)],
    [t('Asked'), format.time(quote.createdAt)],
    [t('Your message'), quote.note],
    [t('Order quantity'), hasOffer ? String(quantity) : null],
    [t('Unit price'), hasOffer ? formatCents(unitPriceCents) : null],
    [t('Total'), hasOffer ? formatCents(totalCents(unitPriceCents, quantity!)) : null],
    [t('Valid until'), hasOffer ? format.end(validUntil!) : null],
    [t('Our words'), quote.reply],
  ]
  return (
    <div className="order">
      <PageHeader title={t('Quote: {name}', { name: instrument.name })}>
        <p>
          <QuoteState quote={quote} order={order} now={now} />
        </p>
      </PageHeader>
      <ReceiptLines
        lines={lines.filter((line): line is [string, string] => line[1] !== null)}
        links={isOnSale ? { [t(instrumentLine)]: catalogPath(instrument) } : {}}
      />
      <Next />
      <p>
        <a href="/dashboard/quotes">{t('Back to My Quotes')}</a>
      </p>
    </div>
  )
}

function Next() {
  const { quote, order, problem } = useLoaderData<typeof loader>()
  const { errors } = formState(useActionData<typeof action>())
  if (order) return <Accepted />
  if (quote.state === 'asked') return <p className="actions">{t('We answer by email, and here.')}</p>
  if (!problem) return <AcceptForm />
  return (
    <>
      <FormError errors={errors} />
      {quote.state === 'offered' && !errors && <Notice tone="error">{translate(problem)}</Notice>}
      <AskAgain />
    </>
  )
}

function Accepted() {
  const order = useLoaderData<typeof loader>().order!
  return (
    <>
      <p className="actions">
        {rich('You accepted this offer: {order}.', {
          order: (
            <a href={orderPath(order.id)}>{t('order {number}', { number: orderNumber({ number: order.number }) })}</a>
          ),
        })}
      </p>
      {order.state === 'cancelled' && (
        <>
          <p>
            {t('That order is cancelled. An offer can be accepted once, so ask again if you still want the pieces.')}
          </p>
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
        {t('Ask for a new price')}
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
  const once =
    holdMs === null
      ? t('We reserve your pieces until you pay or cancel. {once}', { once: acceptedOnce() })
      : t('We reserve your pieces for {time}. {once}', { time: formatDuration(holdMs), once: acceptedOnce() })
  return (
    <>
      <h2>{t('Accept the offer')}</h2>
      <form className="form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        <Field
          label={t('Address')}
          {...form.field('customerAddress')}
          rows={3}
          autoComplete="street-address"
          required
        />
        <Field
          label={t('Phone')}
          {...form.field('customerPhone')}
          type="tel"
          autoComplete="tel"
          hint={t('With the country code, at least 11 characters: +1 212 555 0123')}
          required
        />
        <Field
          label={t('Company')}
          {...form.field('company')}
          maxLength={100}
          autoComplete="organization"
          hint={t('Optional')}
        />
        <Field label={t('VAT number')} {...form.field('vatNumber')} maxLength={30} hint={t('Optional')} />
        <Field
          label={t('Purchase order number')}
          {...form.field('purchaseOrder')}
          maxLength={60}
          hint={`${t('Optional')}. ${t('All three appear on the invoice.')}`}
        />
        <ul className="ruled">
          <li>{t('Delivery is included in the price.')}</li>
          <li>{once}</li>
        </ul>
        <FormError errors={form.errors} />
        <Button>{t('Accept: order {count} for {total}', { count: quote.quantity!, total })}</Button>
      </form>
    </>
  )
}

function acceptedOnce(): string {
  return t('An offer can be accepted once: if the order is cancelled, or not paid in time, ask for a new price.')
}
