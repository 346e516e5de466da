import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { catalogPath } from '../../store/catalog/catalog'
import { askForPrice, beginQuote, NewQuote } from '../../store/quotes/quotes.server'
import { Button } from '../../ui/button'
import { PriceBreaks } from '../../ui/catalog/price-breaks'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/layout/page-header'
import { Price } from '../../ui/price'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'
import { rich } from '../../ui/rich'
import { pathTo } from '../../path-to'

export const meta: MetaFunction = () => [{ title: `${t('Ask for a volume price')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const { pathname, searchParams } = new URL(request.url)
  const { instrument, isVerified } = await beginQuote(context, user, searchParams.get('instrument') ?? '')
  if (!instrument) throw new Response(null, { status: 404 })
  const { submissionIds, headers } = await issueSubmissionIds(request, context, pathname)
  return data({ instrument, isVerified, quantity: searchParams.get('quantity') ?? '', submissionIds }, { headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, NewQuote, async (input) => {
    const { id } = await askForPrice(context, customer, input)
    return toastTo(
      context,
      pathTo('/dashboard/quotes/:id', { id }),
      t('We have your request. You get an email when we answer.'),
    )
  })
}

export default function AskForPrice() {
  const { instrument, isVerified, quantity, submissionIds } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const form = formState(actionData, { orderQuantity: quantity })
  const sendTo = useSendTo()
  const { id, name, priceCents, priceBreaks, minQuantity, availableQuantity } = instrument
  // Said before anything is typed. What was sent from a page of before is shown again.
  if (!isVerified && !actionData) {
    return (
      <PageHeader title={t('Ask for a volume price')}>
        <Notice>
          {t('Please verify your email first.')} <a href="/dashboard">{t('Dashboard')}</a>
        </Notice>
      </PageHeader>
    )
  }
  return (
    <>
      <PageHeader title={t('Ask for a volume price')}>
        <p>
          {rich('{instrument}, {price} each today.', {
            instrument: <a href={catalogPath(instrument)}>{name}</a>,
            price: <Price cents={priceCents} />,
          })}
        </p>
        <PriceBreaks breaks={priceBreaks} />
      </PageHeader>
      <form className="form" method="post" action={sendTo} noValidate>
        <ErrorSummary form={form} />
        <SubmissionId form={form} issued={submissionIds} />
        <input type="hidden" name="instrumentId" value={id} />
        <Field
          label={t('Order quantity')}
          {...form.field('orderQuantity')}
          inputMode="numeric"
          hint={t('Minimum order {min}. {count} in stock now; you may ask for more.', {
            min: minQuantity,
            count: availableQuantity,
          })}
          required
        />
        <Field
          label={t('Message')}
          {...form.field('note')}
          rows={4}
          hint={t('Optional. When do you need them, and what for? At most 1000 characters')}
        />
        <FormError errors={form.errors} />
        <Button>{t('Ask for a volume price')}</Button>
      </form>
    </>
  )
}
