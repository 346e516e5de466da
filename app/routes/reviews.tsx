import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { savesData } from '../http/response/headers.server'
import { listReviews } from '../store/reviews/reviews.server'
import { EmptyState } from '../ui/empty-state'
import { PageHeader } from '../ui/layout/page-header'
import { Pager } from '../ui/pager'
import { ReviewCard } from '../ui/reviews/review-card'
import { shopName } from '../shop-name'
import { t } from '../i18n/language'

const pageSize = 24

export const meta: MetaFunction = () => [
  { title: `${t('What our customers say')} · ${shopName}` },
  { name: 'description', content: t('Every review of the shop and its instruments, newest first.') },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const [before, instrumentId] = ['before', 'about'].map((name) => searchParams.get(name) ?? undefined)
  return {
    ...(await listReviews(context, { before, limit: pageSize, instrumentId })),
    isFirst: before === undefined,
    about: instrumentId ?? null,
    savesData: savesData(request),
  }
}

export default function AllReviews() {
  const { reviews, next, isFirst, about, savesData } = useLoaderData<typeof loader>()
  const instrument = about === null ? null : reviews[0]?.instrument
  const first = about === null ? '/reviews' : `/reviews?about=${encodeURIComponent(about)}`
  return (
    <>
      <PageHeader
        title={t('What our customers say')}
        lead={
          instrument ? t('About {name}, newest first.', { name: instrument.name }) : t('Every review, newest first.')
        }
      />
      {reviews.length > 0 ? (
        <div className="reviews">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} picture={!savesData} />
          ))}
        </div>
      ) : (
        <EmptyState title={t('No reviews yet')} link={{ href: '/dashboard/addReview', text: t('Add a Review') }}>
          {t('Ordered from us? Be the first to say how it went.')}
        </EmptyState>
      )}
      <Pager
        first={isFirst ? null : first}
        next={next && `${first}${about === null ? '?' : '&'}before=${encodeURIComponent(next)}`}
      />
    </>
  )
}
