import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { unitPriceCents as listPrice } from '../../store/catalog/instruments'
import { day, dayText, formatEnd, formatTime, timeZone } from '../../store/shared/dates'
import { dollarsText, formatCents, totalCents } from '../../store/shared/money'
import { orderNumber } from '../../store/orders/orders'
import { instrumentLine } from '../../store/orders/receipts/receipts'
import { Decline, declineQuote, findQuote, Offer, offerPrice, warnAboveStock } from '../../store/quotes/quotes.server'
import { Checkbox } from '../../ui/checkbox'
import { CommandForm } from '../../ui/command-form'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { manageOrderPath } from '../../ui/orders/order-links'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { QuoteState } from '../../ui/quotes/quote-table'
import { shopName } from '../../shop-name'
import { pathTo } from '../../path-to'

const list = '/dashboard/manageQuotes'
const usualDays = 14

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Price request: ${data?.instrument.name ?? ''} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const found = await findQuote(context, null, params.id ?? '')
  if (!found) throw new Response(null, { status: 404 })
  const now = context.now()
  return { ...found, now, validUntil: dayText(now + usualDays * day) }
}

const Answer = z.discriminatedUnion(
  'command',
  [
    Offer.extend({ command: z.literal('offer'), aboveStock: z.literal('on').optional() }),
    Decline.extend({ command: z.literal('decline') }),
  ],
  { error: 'What is the answer?' },
)

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, Answer, async (answer) => {
    if (answer.command === 'offer') {
      const { command: _, aboveStock, ...offer } = answer
      if (aboveStock !== 'on') await warnAboveStock(context, id, offer)
      await offerPrice(context, admin, id, offer)
    } else await declineQuote(context, admin, id, answer)
    return toastTo(context, list, 'Your answer is on its way to the customer.')
  })
}

export default function AnswerQuote() {
  const { quote, instrument, customer, order, now } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const sent = actionData?.lastResult.initialValue?.command
  const hasOffer = quote.state === 'asked'
  const hasDecline = quote.state !== 'declined' && !order
  const hasSent = (sent === 'offer' && hasOffer) || (sent === 'decline' && hasDecline)
  const { wantedQuantity, unitPriceCents, quantity, validUntil } = quote
  const lines: [string, string | null][] = [
    ['Customer', `${customer.name}\n${customer.email}`],
    [instrumentLine, instrument.name],
    ['Asked', formatTime(quote.createdAt)],
    ['Quantity asked for', String(wantedQuantity)],
    ['Message', quote.note],
    ['Price today', `${formatCents(listPrice(instrument, wantedQuantity))} each in this quantity`],
    ['Available', `${instrument.availableQuantity}, minimum order ${instrument.minQuantity}`],
    ['Unit price', unitPriceCents === null ? null : formatCents(unitPriceCents)],
    ['Order quantity', quantity === null ? null : String(quantity)],
    ['Total', unitPriceCents === null ? null : formatCents(totalCents(unitPriceCents, quantity!))],
    ['Valid until', validUntil === null ? null : formatEnd(validUntil)],
    ['Your words', quote.reply],
  ]
  return (
    <div className="order">
      <PageHeader title={`Price request: ${instrument.name}`}>
        <p>
          <QuoteState quote={quote} order={order} now={now} isDesk />
        </p>
      </PageHeader>
      <ReceiptLines
        lines={lines.filter((line): line is [string, string] => line[1] !== null)}
        links={{ [instrumentLine]: pathTo('/dashboard/manageProduct/:id', { id: quote.instrumentId }) }}
      />
      {order && (
        <p>
          Accepted: <a href={manageOrderPath(order.id)}>order {orderNumber({ number: order.number })}</a>
        </p>
      )}
      {/* The form of the answer is gone: somebody else has answered. */}
      {!hasSent && <FormError errors={formState(actionData).errors} />}
      {hasOffer && <OfferForm />}
      {hasDecline && <DeclineForm />}
      <p>
        <a href={list}>Back to all price requests</a>
      </p>
    </div>
  )
}

function OfferForm() {
  const { quote, instrument, validUntil } = useLoaderData<typeof loader>()
  const price = dollarsText(listPrice(instrument, quote.wantedQuantity))
  return (
    <CommandForm
      command="offer"
      title="Offer"
      button="Send the offer"
      variant="main"
      defaults={{ price, orderQuantity: String(quote.wantedQuantity), validUntil }}
    >
      {(form) => (
        <>
          <Field label="Unit price" {...form.field('price')} inputMode="decimal" hint="In dollars" required />
          <Field
            label="Order quantity"
            {...form.field('orderQuantity')}
            inputMode="numeric"
            hint={`The customer can order exactly so many, once. The offer reserves none; ${instrument.availableQuantity} are available now.`}
            required
          />
          {(quote.wantedQuantity > instrument.availableQuantity || form.field('orderQuantity').errors) && (
            <Checkbox label="Send it although not so many are available now" {...form.field('aboveStock')} />
          )}
          <Field
            label="Valid until"
            {...form.field('validUntil')}
            type="date"
            hint={`The end of this day, ${timeZone}`}
            required
          />
          <Field label="Message" {...form.field('reply')} rows={3} hint="Optional. The customer reads it." />
        </>
      )}
    </CommandForm>
  )
}

function DeclineForm() {
  const { state } = useLoaderData<typeof loader>().quote
  const isOffer = state === 'offered'
  return (
    <CommandForm
      command="decline"
      variant="danger"
      title={isOffer ? 'Withdraw the offer' : 'Decline'}
      button={isOffer ? 'Withdraw the offer' : 'Decline'}
    >
      {(form) => <Field label="Reason" {...form.field('reason')} rows={3} hint="The customer reads it." required />}
    </CommandForm>
  )
}
