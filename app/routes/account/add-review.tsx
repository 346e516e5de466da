import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { requireUser } from '../../http/auth/require-user.server'
import { addReview, NewReview, readOwnReviews, type OwnReviews } from '../../store/reviews/reviews.server'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { Select } from '../../ui/select'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'
import { rich } from '../../ui/rich'

export { clientAction } from '../../browser/lost-connection'
import { Day } from '../../ui/time'

export const handle = { scripts: true }

const path = '/dashboard/addReview'

export const meta: MetaFunction = () => [{ title: `${t('Add a Review')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const customer = await requireUser(request, context)
  const own = await readOwnReviews(context, customer)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  return data({ own, submissionIds, about: new URL(request.url).searchParams.get('about') ?? '' }, { headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, NewReview, async (review) => {
    await addReview(context, customer, review)
    return toastTo(context, path, t('Thank you for your time and feedback!'), { inPlace: true })
  })
}

const shop = () => ({ value: '', text: t('The shop') })
const stars = () => [
  { value: '', text: t('No stars') },
  ...[5, 4, 3, 2, 1].map((count) => ({
    value: String(count),
    text: `${'★'.repeat(count)} ${t('{rating} of 5', { rating: count })}`,
  })),
]

export default function AddReview() {
  const { submissionIds, own, about } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>(), { instrumentId: about })
  const { initialValue: rating, errors: wrongRating } = form.field('rating')
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader
        title={t('Add a Review')}
        lead={
          own.isTrusted
            ? t(
                'How was it? Your review appears among all reviews, with your name; the newest six are on the home page.',
              )
            : t('How was it? Your review appears among all reviews, with your name.')
        }
      />
      <WhereItAppears />
      {/* The key empties the fields after a review was added. */}
      <Form key={submissionIds[0]} className="form" method="post" action={useSendTo()} noValidate preventScrollReset>
        <ErrorSummary form={form} />
        <SubmissionId form={form} issued={submissionIds} />
        <Select
          label={t('About')}
          options={[shop(), ...own.choices.map(({ id, name }) => ({ value: id, text: name }))]}
          {...form.field('instrumentId')}
        />
        {own.choices.length === 0 && (
          <p className="hint">{t('Instruments stand here once you have paid for them and not reviewed them yet.')}</p>
        )}
        <fieldset className="stars">
          <legend>{t('Stars')}</legend>
          {stars().map(({ value, text }) => (
            <label key={value}>
              <input type="radio" name="rating" value={value} defaultChecked={value === (rating ?? '')} /> {text}
            </label>
          ))}
          {wrongRating && (
            <p className="error" id="rating-error">
              {wrongRating[0]}
            </p>
          )}
        </fieldset>
        <Field
          label={t('Review')}
          {...form.field('description')}
          rows={6}
          hint={t('At most 1000 characters')}
          required
        />
        <FormError errors={form.errors} />
        <Button busy={busy}>{t('Submit')}</Button>
      </Form>
    </>
  )
}

/** What is true for this customer, as `selectNewestReviews` has it. After a review it stands below the toast. */
function WhereItAppears() {
  const { isTrusted, newest } = useLoaderData<typeof loader>().own
  if (isTrusted && !newest) return null
  return (
    <Notice>
      {newest && <Newest review={newest} isTrusted={isTrusted} />}
      {!isTrusted && (
        <p>
          {t(
            'Your reviews appear on the home page, among the newest six, once your email is verified or you have paid for an order.',
          )}{' '}
          <a href="/dashboard">{t('Verify your email')}</a>
        </p>
      )}
    </Notice>
  )
}

function Newest({ review, isTrusted }: { review: NonNullable<OwnReviews['newest']>; isTrusted: boolean }) {
  const date = <Day at={review.createdAt} />
  if (review.isHidden) return <p>{rich('The shop has hidden your review of {day}.', { day: date })}</p>
  return (
    <p>
      {rich(
        review.isOnHome
          ? 'Your review of {day} is on the home page and among {link}.'
          : 'Your review of {day} is among {link}.',
        { day: date, link: <a href="/reviews">{t('all reviews')}</a> },
      )}
      {isTrusted && !review.isOnHome && ` ${t('The home page has six newer ones.')}`}
    </p>
  )
}
