import type { Review } from '../../store/reviews/reviews'
import { EmptyState } from '../empty-state'
import { ReviewCard } from '../reviews/review-card'
import { SectionHeader } from '../layout/section-header'

export function Reviews({ reviews, pictures }: { reviews: Review[]; pictures: boolean }) {
  return (
    <section className="section" aria-labelledby="reviews">
      <SectionHeader title="What our precious customers say?" id="reviews">
        {reviews.length > 0 && <a href="/reviews">All reviews</a>}
      </SectionHeader>
      {reviews.length > 0 ? (
        <div className="cards cards-of-three">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} picture={pictures} />
          ))}
        </div>
      ) : (
        <EmptyState title="No reviews yet" link={{ href: '/dashboard/addReview', text: 'Add a Review' }}>
          Ordered from us? Be the first to say how it went.
        </EmptyState>
      )}
    </section>
  )
}
