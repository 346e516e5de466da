import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import type { ReactNode } from 'react'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import {
  listReviewsToModerate,
  moderateReview,
  Moderation,
  type ReviewToModerate,
} from '../../store/reviews/moderate-reviews.server'
import { formatDay } from '../../store/shared/dates'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Stars } from '../../ui/reviews/stars'
import { shopName } from '../../shop-name'

const pageSize = 25
const path = '/dashboard/reviews'

const messages = {
  hide: 'The review is hidden.',
  show: 'The review is visible again.',
  reply: 'The reply is saved.',
}

export const meta: MetaFunction = () => [{ title: `Reviews · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const before = searchParams.get('before') ?? undefined
  const stars = [5, 4, 3, 2, 1].find((count) => String(count) === searchParams.get('stars'))
  return {
    ...(await listReviewsToModerate(context, { before, stars, limit: pageSize })),
    stars,
    isFirst: before === undefined,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Moderation, async (change) => {
    await moderateReview(context, admin, change)
    return toastTo(context, backToList(request, change.reviewId), messages[change.intent])
  })
}

export default function ModerateReviews() {
  const { reviews, next, isFirst, stars } = useLoaderData<typeof loader>()
  const list = stars === undefined ? path : `${path}?stars=${stars}`
  const form = formState(useActionData<typeof action>())
  const isHere = reviews.some(({ id }) => id === form.field('reviewId').initialValue)
  return (
    <>
      <PageHeader title="Reviews" />
      <nav aria-label="Which reviews">
        <ul className="filters">
          {[undefined, 5, 4, 3, 2, 1].map((count) => (
            <li key={count ?? 'all'}>
              <a
                href={count === undefined ? path : `${path}?stars=${count}`}
                className="menu-link"
                aria-current={count === stars ? 'page' : undefined}
              >
                {count === undefined ? 'All' : `${count} ${count === 1 ? 'star' : 'stars'}`}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {!isHere && <FormError errors={form.errors} />}
      {reviews.length > 0 ? (
        <ul className="entries moderation">
          {reviews.map((review) => (
            <Entry key={review.id} review={review} form={form} />
          ))}
        </ul>
      ) : (
        <EmptyState title={stars === undefined ? 'No reviews yet' : 'No such reviews'}>
          What customers say about the shop appears here.
        </EmptyState>
      )}
      <Pager
        first={isFirst ? null : list}
        next={next && `${list}${stars === undefined ? '?' : '&'}before=${encodeURIComponent(next)}`}
      />
    </>
  )
}

function Entry({ review, form }: { review: ReviewToModerate; form: FormState }) {
  const { id, name, description, createdAt, hiddenAt, hiddenReason, reply, rating, instrument } = review
  const isSent = form.field('reviewId').initialValue === id
  const sent = (name: string) => (isSent ? form.field(name) : { name, initialValue: undefined })
  return (
    <li id={id}>
      <p className="review-head">
        <b>{name}</b> {rating !== null && <Stars rating={rating} />}{' '}
        <span className="hint">
          {formatDay(createdAt)} {instrument && `· ${instrument}`}
        </span>{' '}
        {hiddenAt !== null && <Badge>Hidden: {hiddenReason}</Badge>}
      </p>
      <p className="text">{description}</p>
      {isSent && <FormError errors={form.errors} />}
      {hiddenAt === null ? (
        <details open={isSent && form.field('intent').initialValue === 'hide'}>
          <summary>Hide</summary>
          <ReviewForm reviewId={id} intent="hide">
            <Field label="Reason" id={`reason-${id}`} {...sent('reason')} hint="For colleagues only" required />
            <Button variant="danger">Hide</Button>
          </ReviewForm>
        </details>
      ) : (
        <ReviewForm reviewId={id} intent="show">
          <Button variant="quiet">Show</Button>
        </ReviewForm>
      )}
      <details open={isSent && form.field('intent').initialValue === 'reply'}>
        <summary>{reply === null ? 'Reply' : 'Change the reply'}</summary>
        <ReviewForm reviewId={id} intent="reply">
          <Field
            label="Reply"
            id={`reply-${id}`}
            {...sent('reply')}
            initialValue={sent('reply').initialValue ?? reply ?? ''}
            rows={3}
            hint="Everybody sees it below the review. Empty removes it."
          />
          <Button>Reply</Button>
        </ReviewForm>
      </details>
    </li>
  )
}

interface ReviewFormProps {
  reviewId: string
  intent: Moderation['intent']
  children: ReactNode
}

function ReviewForm({ reviewId, intent, children }: ReviewFormProps) {
  const { pathname, search } = useLocation()
  return (
    <form className="form" method="post" action={pathname + search} noValidate>
      <input type="hidden" name="reviewId" value={reviewId} />
      <input type="hidden" name="intent" value={intent} />
      {children}
    </form>
  )
}
