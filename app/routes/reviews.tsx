import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { savesData } from '../http/headers.server'
import { listReviews } from '../store/reviews/reviews.server'
import { EmptyState } from '../ui/empty-state'
import { PageHeader } from '../ui/layout/page-header'
import { Pager } from '../ui/pager'
import { ReviewCard } from '../ui/reviews/review-card'

const pageSize = 24

export const meta: MetaFunction = () => [
  { title: 'What our customers say · Cadenza' },
  { name: 'description', content: 'Every review of the shop and its instruments, newest first.' },
]

export const handle = { offline: true }

export async function loader({ request, context }: LoaderFunctionArgs) {
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return {
    ...(await listReviews(context, { before, limit: pageSize })),
    isFirst: before === undefined,
    savesData: savesData(request),
  }
}

export default function AllReviews() {
  const { reviews, next, isFirst, savesData } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="What our customers say" lead="Every review, newest first." />
      {reviews.length > 0 ? (
        <div className="reviews">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} picture={!savesData} />
          ))}
        </div>
      ) : (
        <EmptyState title="No reviews yet" link={{ href: '/dashboard/addReview', text: 'Add a Review' }}>
          Ordered from us? Be the first to say how it went.
        </EmptyState>
      )}
      <Pager first={isFirst ? null : '/reviews'} next={next && `/reviews?before=${encodeURIComponent(next)}`} />
    </>
  )
}
