import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { useState } from 'react'
import { submit } from '../http/forms.server'
import { issueSubmissionIds } from '../http/submission.server'
import { toastTo } from '../http/toast.server'
import { requireUser } from '../http/auth/require-user.server'
import { formatCents, totalCents } from '../store/money'
import { NewOrder, placeOrder } from '../store/ordering/place-order.server'
import { describeShortage } from '../store/catalog/instruments'
import { readOrderForm, type OrderFormData } from '../store/ordering/order-form.server'
import { Button, ButtonLink } from '../ui/button'
import { Checkbox } from '../ui/checkbox'
import { Field } from '../ui/field'
import { ErrorSummary, FormError } from '../ui/form-error'
import { formState } from '../ui/form-state'
import { Notice } from '../ui/notice'
import { PageHeader } from '../ui/layout/page-header'
import { Price } from '../ui/price'
import { useHydrated } from '../ui/use-hydrated'
import { SubmissionId, useSendTo } from '../ui/submission-id'

export { clientAction } from '../ui/lost-connection'

export const handle = { scripts: true }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.instrument.name ?? 'Not on sale'} · Cadenza` },
  { name: 'description', content: data?.instrument.description || 'Order a handcrafted instrument from Cadenza.' },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const customer = await requireUser(request, context)
  const orderForm = await readOrderForm(context, customer, params.id ?? '')
  if (!orderForm) throw new Response(null, { status: 404 })
  const path = `/instruments/${encodeURIComponent(orderForm.instrument.id)}`
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  return data({ ...orderForm, submissionIds }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, NewOrder, async (input) => {
    const { isRepeat } = await placeOrder(context, customer, { ...input, instrumentId: params.id ?? '' })
    if (isRepeat) {
      const message = 'You had already placed this order: it is one order, not two.'
      return toastTo(context, '/dashboard/myOrders', message, { type: 'info' })
    }
    return toastTo(context, '/dashboard/myOrders', 'New order added. Please complete payment!')
  })
}

export default function Purchase() {
  const { instrument, profile, held, submissionIds } = useLoaderData<typeof loader>()
  const shortage = held === 0 && describeShortage(instrument)
  // After a refusal the form stays, also when the last piece is sold.
  const refused = useActionData<typeof action>() !== undefined
  return (
    <div className="purchase">
      <img className="product-image" src={instrument.img} alt={instrument.name} width={320} height={320} />
      <div>
        <PageHeader title={instrument.name} lead={instrument.description}>
          <p className="purchase-price">
            <Price cents={instrument.priceCents} /> each
          </p>
          <dl className="figures">
            <div>
              <dt>Minimum Order</dt>
              <dd>{instrument.minQuantity}</dd>
            </div>
            <div>
              <dt>Available</dt>
              <dd>{instrument.availableQuantity}</dd>
            </div>
          </dl>
        </PageHeader>
        {shortage && <Notice tone="error">{shortage}. It cannot be ordered just now.</Notice>}
        {shortage && !refused ? (
          <>
            <p>Pieces come back when an unpaid order is cancelled or more arrive. Look in again, or ask us.</p>
            <p className="actions">
              <ButtonLink href="/allInstruments">View All Instruments</ButtonLink>
              <ButtonLink variant="quiet" href="/home#contact">
                Contact us
              </ButtonLink>
            </p>
          </>
        ) : (
          <OrderForm instrument={instrument} profile={profile} held={held} submissionIds={submissionIds} />
        )}
      </div>
    </div>
  )
}

type OrderFormProps = OrderFormData & { submissionIds: string[] }

function OrderForm({ instrument, profile, held, submissionIds }: OrderFormProps) {
  const { minQuantity, availableQuantity, priceCents } = instrument
  const form = formState(useActionData<typeof action>(), {
    customerAddress: profile.address ?? '',
    customerPhone: profile.phone ?? '',
  })
  const { errors: quantityErrors, initialValue: submittedQuantity = '', ...quantityField } = form.field('orderQuantity')
  const [quantity, setQuantity] = useState(submittedQuantity)
  const replaceBox = form.box('replaceUnpaid', false)
  const [replacing, setReplacing] = useState(replaceBox.initialValue === 'on')
  const busy = useNavigation().state !== 'idle'
  const isHydrated = useHydrated()
  const max = availableQuantity + (replacing ? held : 0)
  const error = quantityError(quantity, { min: minQuantity, max })
  return (
    <Form className="form" method="post" action={useSendTo()} noValidate preventScrollReset>
      <ErrorSummary form={form} />
      <SubmissionId form={form} issued={submissionIds} />
      <input type="hidden" name="unitPrice" value={priceCents} />
      <Field label="Name" name="customerName" value={profile.name} readOnly />
      <Field label="Email" name="customerEmail" type="email" value={profile.email} readOnly />
      <Field
        label="Order quantity"
        {...quantityField}
        type="number"
        inputMode="numeric"
        min={minQuantity}
        max={availableQuantity + held}
        placeholder={`must be atleast ${minQuantity}`}
        initialValue={submittedQuantity}
        onChange={(event) => setQuantity(event.currentTarget.value)}
        errors={error ? [error] : quantity === submittedQuantity ? quantityErrors : null}
        required
      />
      {held > 0 && (
        <Checkbox
          label={`Instead of my unpaid order of ${held} ${held === 1 ? 'piece' : 'pieces'}, which is cancelled`}
          {...replaceBox}
          onChange={(event) => setReplacing(event.currentTarget.checked)}
        />
      )}
      <Field label="Address" {...form.field('customerAddress')} rows={3} autoComplete="street-address" required />
      <Field
        label="Phone"
        {...form.field('customerPhone')}
        type="tel"
        autoComplete="tel"
        hint="At least 11 digits, with the country code"
        required
      />
      <p className="total" aria-live="polite">
        {!error && Number(quantity) > 0 && <>Total {formatCents(totalCents(priceCents, Number(quantity)))}</>}
      </p>
      <FormError errors={form.errors} />
      {/* Without scripts nothing could enable the button again (R41). */}
      <Button busy={busy} disabled={isHydrated && error !== null}>
        Order Now
      </Button>
    </Form>
  )
}

/** Checks while the user types (spec section 5); the server checks again. */
function quantityError(value: string, { min, max }: { min: number; max: number }): string | null {
  if (value === '') return null
  const quantity = Number(value)
  if (!Number.isInteger(quantity)) return 'Order quantity must be a whole number'
  if (quantity > max) return 'Cannot be more than available'
  return quantity < min ? 'cannot be less than minimum order' : null
}
