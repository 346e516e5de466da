import {
  data,
  redirectDocument,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import {
  Form,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
  type ShouldRevalidateFunction,
} from '@remix-run/react'
import { useSyncExternalStore } from 'react'
import { deliveryTermsOf } from '../http/config.server'
import { submit } from '../http/request/forms.server'
import { issueSubmissionIds } from '../http/request/submission.server'
import { toastTo } from '../http/response/toast.server'
import { requireUser } from '../http/auth/require-user.server'
import { formatCents, totalCents } from '../store/shared/money'
import { NewOrder, placeOrder } from '../store/ordering/place-order.server'
import { codeOfLink, discountWords, normalCode, priceWithDiscount } from '../store/discounts/discounts'
import { catalogPath, purchasePath } from '../store/catalog/catalog'
import { choiceError, quantityError, readChosen } from '../store/catalog/chosen-quantity'
import { Refusal } from '../store/shared/refusal'
import { describeShortage, unitPriceCents, type Instrument } from '../store/catalog/instruments'
import { findInstrument } from '../store/catalog/instruments.server'
import { describeStock } from '../store/catalog/stock'
import { saleWords } from '../store/catalog/sale-words'
import { formatDuration } from '../store/shared/dates'
import type { DeliveryTerms } from '../store/orders/delivery-terms'
import { orderNumber } from '../store/orders/orders'
import { readOrderForm } from '../store/ordering/order-form.server'
import { Picture } from '../ui/catalog/picture'
import { PriceBreaks } from '../ui/catalog/price-breaks'
import { Button, ButtonLink } from '../ui/button'
import { Checkbox } from '../ui/checkbox'
import { Field } from '../ui/field'
import { ErrorSummary, FormError } from '../ui/form-error'
import { formState, type FormState } from '../ui/form-state'
import { Notice } from '../ui/notice'
import { SectionHeader } from '../ui/layout/section-header'
import { paymentPath } from '../ui/orders/order-links'
import { Price } from '../ui/price'
import { useHydrated } from '../browser/use-hydrated'
import { SubmissionId, useSendTo } from '../ui/submission-id'
import { Unsent } from '../ui/orders/unsent'
import { shopName } from '../shop-name'
import { formatValue, t } from '../i18n/language'
import { rich } from '../ui/rich'
import { cutText } from '../store/shared/text'
import { pathTo } from '../path-to'

export { clientAction } from '../ui/orders/unsent'

export const handle = { scripts: true, account: true }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.instrument.name ?? t('Not on sale')} · ${shopName}` },
  {
    name: 'description',
    content: data?.instrument.description || t('Order a handcrafted instrument from {shop}.', { shop: shopName }),
  },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  if (!(await context.user())) await requireChoice(request, context, params.id ?? '')
  const customer = await requireUser(request, context)
  const { searchParams } = new URL(request.url)
  const again = searchParams.get('again')
  const code = codeOfLink(searchParams)
  const orderForm = await readOrderForm(context, customer, params.id ?? '', again ?? undefined, code)
  // The order's page says that it is not on sale any more.
  if (!orderForm && again) throw redirectDocument(pathTo('/dashboard/myOrders/:id', { id: again }), 303)
  if (!orderForm) throw new Response(null, { status: 404 })
  const path = purchasePath(orderForm.instrument.id)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  const { holdMs, unpaid, otherUnpaid, again: repeated, discount, ...form } = orderForm
  const { instrument } = form
  // Written here, to save the browser the code.
  return data(
    {
      ...form,
      stock: describeStock(instrument),
      sale: saleWords(instrument),
      again: repeated && againWords(repeated, instrument),
      chosen: chosenOf(searchParams.get('quantity'), repeated, instrument),
      replace: { pieces: piecesOf(unpaid), label: replaceLabel(unpaid) },
      unpaid: unpaidWords([...unpaid, ...otherUnpaid]),
      code,
      discount: discount && { ...discount, words: discountWords(discount) },
      promise: promiseWords(deliveryTermsOf(context.settings), holdMs),
      submissionIds,
    },
    { headers },
  )
}

/** Before the login: a quantity that can be ordered, or back to the page where it was chosen; then, who is new registers. */
async function requireChoice(request: Request, context: AppLoadContext, id: string): Promise<void> {
  const url = new URL(request.url)
  const quantity = cutText(url.searchParams.get('quantity')?.trim() ?? '', 20)
  const instrument = quantity && (await findInstrument(context, id))
  if (instrument && choiceError(quantity, instrument))
    throw redirectDocument(`${catalogPath(instrument)}?${new URLSearchParams({ quantity })}`, 303)
  if (!url.searchParams.has('new')) return
  url.searchParams.delete('new')
  throw redirectDocument(`/register?${new URLSearchParams({ redirectTo: url.pathname + url.search })}`, 303)
}

/** After a refusal too, to load the current prices; but not when the shop is unreachable. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus }) => actionStatus !== 503

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit(
    { request, context, hidden: [], isOrder: true },
    NewOrder,
    async ({ orderingAs = customer.email, ...input }) => {
      // Another tab has changed who is signed in since this form was filled in.
      if (orderingAs !== customer.email) {
        throw new Refusal(
          'conflict',
          `You are logged in as ${customer.email} now. Nothing was ordered. Reload this page.`,
        )
      }
      const { id, isRepeat } = await placeOrder(context, customer, { ...input, instrumentId: params.id ?? '' })
      if (!isRepeat) return toastTo(context, paymentPath(id), t('New order added. Please complete payment!'))
      const message = t('You already placed this order. It was not placed twice.')
      return toastTo(context, paymentPath(id), message, { type: 'info' })
    },
  )
}

export default function Purchase() {
  const { instrument, held, stock, again } = useLoaderData<typeof loader>()
  const isShort = held === 0 && instrument.availableQuantity < instrument.minQuantity
  // After a refusal the form stays, also when the last piece is sold.
  const refused = useActionData<typeof action>() !== undefined
  return (
    <div className="checkout">
      <Item />
      <div>
        {isShort && <Notice tone="error">{t('{stock}. You cannot order it right now.', { stock })}</Notice>}
        {isShort && !refused ? (
          <Instead />
        ) : (
          <>
            {again && (
              <Notice>
                {again.text} {again.problem && <a href="/allInstruments">{t('View All Instruments')}</a>}
              </Notice>
            )}
            <Unpaid />
            <OrderForm />
          </>
        )}
      </div>
    </div>
  )
}

function Item() {
  const { instrument, stock, sale } = useLoaderData<typeof loader>()
  const { img, name, priceBreaks, minQuantity, availableQuantity } = instrument
  return (
    <header className="item">
      <Picture img={img} alt={name} width={320} sizes="(min-width: 48rem) 28rem, 5rem" />
      <div>
        <h1>
          <a href={catalogPath(instrument)}>{name}</a>
        </h1>
        <p className="price-line">
          <span>{rich('{price} each', { price: <Price cents={instrument.priceCents} /> })}</span>{' '}
          <span className={availableQuantity < minQuantity ? 'error' : availableQuantity > 5 ? 'stock' : 'stock few'}>
            {stock}
          </span>
        </p>
        {sale && <p className="hint">{sale}</p>}
        <dl className="figures">
          <div>
            <dt>{t('Minimum Order')}</dt>
            <dd>{formatValue(minQuantity)}</dd>
          </div>
          <div>
            <dt>{t('Available')}</dt>
            <dd>{formatValue(availableQuantity)}</dd>
          </div>
        </dl>
        <PriceBreaks breaks={priceBreaks} />
        <Sum />
      </div>
    </header>
  )
}

/** On a wide screen; a narrow one has it beside Order Now. */
function Sum() {
  const { instrument, chosen, code, promise } = useLoaderData<typeof loader>()
  const quantity = useTyped('orderQuantity', chosen.quantity)
  const priceOf = usePrices(code)
  const pieces = quantityError(quantity, { min: 1, max: instrument.availableQuantity }) ? 0 : Number(quantity)
  return (
    <div className="sum">
      {pieces > 0 && (
        <p>
          {pieces} × {formatCents(priceOf(pieces))} ={' '}
          <span className="total">{formatCents(totalCents(priceOf(pieces), pieces))}</span>
        </p>
      )}
      <p className="hint">{promise}</p>
    </div>
  )
}

function Instead() {
  const { instrument } = useLoaderData<typeof loader>()
  return (
    <>
      <p>{t('More may come when we restock or an unpaid order is cancelled.')}</p>
      <div className="actions">
        <ButtonLink href={`/dashboard/wishes?instrument=${instrument.id}`}>{t('Email me when it is back')}</ButtonLink>
        <ButtonLink variant="quiet" href="/allInstruments">
          {t('View All Instruments')}
        </ButtonLink>
        <ButtonLink variant="quiet" href="/home#contact">
          {t('Contact us')}
        </ButtonLink>
      </div>
    </>
  )
}

/** Whoever orders again may only have wanted to pay. */
function Unpaid() {
  const { unpaid } = useLoaderData<typeof loader>()
  return (
    unpaid && (
      <Notice>
        {unpaid.text} <a href={unpaid.path}>{unpaid.link}</a>
      </Notice>
    )
  )
}

function OrderForm() {
  const { instrument, profile, buyer, held, replace, promise, submissionIds, chosen, code } =
    useLoaderData<typeof loader>()
  const { minQuantity, availableQuantity, priceCents, priceBreaks } = instrument
  const result = useActionData<typeof action>()
  const form = formState(result, {
    orderQuantity: chosen.quantity,
    customerAddress: profile.address ?? '',
    customerPhone: profile.phone ?? '',
    company: buyer.company ?? '',
    vatNumber: buyer.vatNumber ?? '',
    code,
  })
  const { errors: refusals, initialValue: submittedQuantity = '', ...quantityField } = form.field('orderQuantity')
  const quantityErrors = result ? refusals : chosen.errors
  const quantity = useTyped('orderQuantity', submittedQuantity)
  const priceOf = usePrices(form.field('code').initialValue ?? '')
  const replaceBox = form.box('replaceUnpaid', false)
  const isReplacing = useTicked('replaceUnpaid', replaceBox.initialValue === 'on')
  const busy = useNavigation().state !== 'idle'
  const isHydrated = useHydrated()
  const max = availableQuantity + (isReplacing ? replace.pieces : 0)
  const error = quantityError(quantity, { min: minQuantity, max })
  const pieces = error ? 0 : Number(quantity)
  return (
    <Form className="form" method="post" action={useSendTo()} noValidate preventScrollReset>
      <ErrorSummary form={form} />
      <SubmissionId form={form} issued={submissionIds} />
      <input type="hidden" name="orderingAs" value={profile.email} />
      <input type="hidden" name="unitPrice" value={priceCents} />
      <input type="hidden" name="priceBreaks" value={JSON.stringify(priceBreaks)} />
      <Field
        label={t('Order quantity')}
        {...quantityField}
        type="number"
        inputMode="numeric"
        min={minQuantity}
        max={availableQuantity + (held > 0 ? replace.pieces : 0)}
        placeholder={t('must be atleast {count}', { count: minQuantity })}
        initialValue={submittedQuantity}
        errors={error ? [error] : quantity === submittedQuantity ? quantityErrors : null}
        after={
          isHydrated && (
            <>
              <StepButton label={t('One less')} step="stepDown" isPossible={Number(quantity) > minQuantity} />
              <StepButton label={t('One more')} step="stepUp" isPossible={Number(quantity) < max} />
            </>
          )
        }
        required
      />
      {held > 0 && <Checkbox label={replace.label} {...replaceBox} />}
      <SectionHeader title={t('Delivery')} />
      <div className="pair">
        <Field label={t('Name')} name="customerName" value={profile.name} readOnly />
        <Field label={t('Email')} name="customerEmail" type="email" value={profile.email} readOnly />
      </div>
      <Field label={t('Address')} {...form.field('customerAddress')} rows={3} autoComplete="street-address" required />
      <Field
        label={t('Phone')}
        {...form.field('customerPhone')}
        type="tel"
        autoComplete="tel"
        hint={t('With the country code, at least 11 characters: +1 212 555 0123')}
        required
      />
      <details open={buyerFields().some(({ name }) => form.field(name).errors)}>
        <summary>
          {t('For a company (optional)')}
          <b>{buyer.company && `: ${buyer.company}`}</b>
        </summary>
        {buyerFields().map(({ name, ...rest }) => (
          <Field key={name} {...rest} {...form.field(name)} />
        ))}
      </details>
      <DiscountCode form={form} isRefused={result !== undefined} />
      <p className="hint promise">{promise}</p>
      <FormError errors={form.errors} />
      <Unsent part="UnsentOrderHere" email={profile.email} path={useLocation().pathname} />
      <div className="order-bar">
        <p aria-live="polite">
          {pieces > 0 ? t('Total for {count}', { count: pieces }) : t('Total')}{' '}
          <span className="total" data-total>
            {pieces > 0
              ? formatCents(totalCents(priceOf(pieces), pieces))
              : t('from {price}', { price: formatCents(totalCents(priceOf(minQuantity), minQuantity)) })}
          </span>
        </p>
        {/* Without scripts nothing could enable the button again (R41). */}
        <Button busy={busy} disabled={isHydrated && error !== null}>
          {t('Order Now')}
        </Button>
      </div>
    </Form>
  )
}

/** Typed here, it is taken off when the order is placed: the payment page shows the price. */
function DiscountCode({ form, isRefused }: { form: FormState; isRefused: boolean }) {
  const { discount, discountErrors } = useLoaderData<typeof loader>()
  const { errors, ...field } = form.field('code')
  const shown = isRefused ? errors : discountErrors
  return (
    <details open={Boolean(field.initialValue)}>
      <summary>{t('Discount code (optional)')}</summary>
      <Field
        label={t('Discount code')}
        {...field}
        errors={shown}
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        hint={
          discount && !shown
            ? t('{code}: {words}. A volume or sale price counts where it is lower.', {
                code: discount.code,
                words: discount.words,
              })
            : t('It is taken off when you order: you see the price before you pay.')
        }
      />
    </details>
  )
}

/** With the code of the link while it stands in its field. */
function usePrices(submitted: string) {
  const { instrument, discount } = useLoaderData<typeof loader>()
  const isUsed = normalCode(useTyped('code', submitted)) === discount?.code
  return (pieces: number) =>
    discount && isUsed ? priceWithDiscount(instrument, pieces, discount) : unitPriceCents(instrument, pieces)
}

interface Repeated {
  number: number
  quantity: number
}

function againWords(again: Repeated, instrument: Instrument) {
  const { quantity } = again
  const problem = whyNotAgain(again, instrument)
  const had = t(quantity === 1 ? 'It had {count} piece.' : 'It had {count} pieces.', { count: quantity })
  const filledIn = t('Filled in from your order {order}, at today’s price.', { order: orderNumber(again) })
  const text = problem ? `${filledIn} ${had} ${problem} ${t('Choose another quantity.')}` : filledIn
  return { text, problem: problem !== null }
}

/** Null if as many pieces can be ordered as then. */
function whyNotAgain({ quantity }: Repeated, instrument: Instrument): string | null {
  if (quantity < instrument.minQuantity)
    return t('The minimum order is {count} today.', { count: instrument.minQuantity })
  const shortage = describeShortage(instrument, quantity)
  return shortage && t('{shortage} today.', { shortage })
}

/** What the field begins with: the quantity of the order to repeat, or the one chosen on the instrument's page (R54). */
function chosenOf(text: string | null, again: Repeated | null, instrument: Instrument) {
  if (again) return { quantity: whyNotAgain(again, instrument) ? '' : String(again.quantity), errors: undefined }
  const quantity = readChosen(text)
  const isUnreadable = quantity === '' && text?.trim()
  return { quantity, errors: isUnreadable ? [t('Order quantity must be a whole number')] : undefined }
}

function promiseWords({ time, returns }: DeliveryTerms, holdMs: number | null): string {
  const hold =
    holdMs === null
      ? t('We reserve your pieces until you pay or cancel.')
      : t('We reserve your pieces for {time}, and cancel the order if it is not paid by then.', {
          time: formatDuration(holdMs),
        })
  const delivery = time
    ? t('Delivery takes {time}, and is included in the price.', { time })
    : t('Delivery is included in the price.')
  return [delivery, returns && t('Returns: {returns}.', { returns }), hold].filter(Boolean).join(' ')
}

function unpaidWords(orders: { id: string; number: number }[]) {
  const [first, ...others] = orders
  if (!first) return null
  return others.length === 0
    ? {
        text: t('Your order {order} is not paid yet.', { order: orderNumber(first) }),
        path: paymentPath(first.id),
        link: t('Pay it'),
      }
    : {
        text: t('You have {count} unpaid orders.', { count: orders.length }),
        path: '/dashboard/myOrders',
        link: t('My Orders'),
      }
}

function piecesOf(orders: { quantity: number }[]): number {
  return orders.reduce((sum, { quantity }) => sum + quantity, 0)
}

const maxNumbers = 5

function replaceLabel(unpaid: { number: number; quantity: number }[]): string {
  const pieces = piecesOf(unpaid)
  if (unpaid.length === 1)
    return t(pieces === 1 ? 'Replace my unpaid order of {count} piece' : 'Replace my unpaid order of {count} pieces', {
      count: pieces,
    })
  const numbers = unpaid.slice(0, maxNumbers).map(orderNumber).join(', ')
  const more = unpaid.length > maxNumbers ? ` ${t('and {count} more', { count: unpaid.length - maxNumbers })}` : ''
  return t('Replace my {orders} unpaid orders of {count} pieces in all: {numbers}', {
    ...{ orders: unpaid.length, count: pieces, numbers: numbers + more },
  })
}

const buyerFields = () => [
  { label: t('Company'), name: 'company', maxLength: 100, autoComplete: 'organization' },
  { label: t('VAT number'), name: 'vatNumber', maxLength: 30 },
  {
    ...{ label: t('Purchase order number'), name: 'purchaseOrder', maxLength: 60 },
    hint: t('All three appear on the invoice.'),
  },
]

/** Never `disabled`, which would lose the focus. */
function StepButton({ label, step, isPossible }: { label: string; step: 'stepUp' | 'stepDown'; isPossible: boolean }) {
  function press() {
    const input = inputOf('orderQuantity')!
    if (!isPossible) return
    input[step]()
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <Button variant="quiet" type="button" aria-label={label} aria-disabled={!isPossible} onClick={press}>
      {step === 'stepUp' ? '+' : '−'}
    </Button>
  )
}

function useTyped(id: string, submitted: string): string {
  return useInput(id, ({ value }) => value, submitted)
}

function useTicked(id: string, submitted: boolean): boolean {
  return useInput(id, ({ checked }) => checked, submitted)
}

/** The field is the state: it may be filled before the scripts come, or by Back. */
function useInput<Value>(id: string, read: (input: HTMLInputElement) => Value, submitted: Value): Value {
  return useSyncExternalStore(
    onInput,
    () => {
      const input = inputOf(id)
      return input ? read(input) : submitted
    },
    () => submitted,
  )
}

function onInput(changed: () => void) {
  document.addEventListener('input', changed)
  return () => document.removeEventListener('input', changed)
}

function inputOf(id: string) {
  return document.querySelector<HTMLInputElement>(`#${id}`)
}
