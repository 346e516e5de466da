import type { Review } from '../../store/reviews/reviews'
import { EmptyState } from '../empty-state'
import { ReviewCard } from '../reviews/review-card'
import { SectionHeader } from '../layout/section-header'
import { t } from '../../i18n/language'

export function Reviews({ reviews, pictures }: { reviews: Review[]; pictures: boolean }) {
  return (
    <section className="section" aria-labelledby="reviews">
      <SectionHeader title={t('What our precious customers say?')} id="reviews">
        {reviews.length > 0 && <a href="/reviews">{t('All reviews')}</a>}
      </SectionHeader>
      {reviews.length > 0 ? (
        <div className="cards cards-of-three">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} picture={pictures} />
          ))}
        </div>
      ) : (
        <EmptyState title={t('No reviews yet')} link={{ href: '/dashboard/addReview', text: t('Add a Review') }}>
          {t('Ordered from us? Be the first to say how it went.')}
        </EmptyState>
      )}
    </section>
  )
}
