import { averageOf, ratingText, type Rating, type ReviewsOfInstrument } from '../../store/reviews/reviews'
import { SectionHeader } from '../layout/section-header'
import { ReviewCard } from '../reviews/review-card'
import { Stars } from '../reviews/stars'
import { t } from '../../i18n/language'

interface InstrumentReviewsProps extends ReviewsOfInstrument {
  instrumentId: string
}

/** Public and the same for everybody: whether somebody bought it, the page behind the link finds out. */
export function InstrumentReviews({ instrumentId, rating, reviews, hasMore }: InstrumentReviewsProps) {
  const about = `?about=${encodeURIComponent(instrumentId)}`
  return (
    <section className="section" aria-labelledby="reviews">
      <SectionHeader title={t('Reviews')} id="reviews">
        {rating && (
          <p>
            <RatingStars rating={rating} />
          </p>
        )}
      </SectionHeader>
      {reviews.length > 0 && (
        <div className="reviews">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={{ ...review, instrument: null }} picture={false} />
          ))}
        </div>
      )}
      <p className="actions">
        {hasMore && (
          <>
            <a href={`/reviews${about}`}>{t('All reviews of this instrument')}</a>{' '}
          </>
        )}
        {reviews.length === 0 && `${t('Nobody has written about it yet.')} `}
        <a href={`/dashboard/addReview${about}`}>{t('Bought it here? Write a review')}</a>
      </p>
    </section>
  )
}

export function RatingStars({ rating }: { rating: Rating }) {
  const average = averageOf(rating)
  return average === null ? ratingText(rating) : <Stars rating={Number(average)} text={ratingText(rating)} />
}
