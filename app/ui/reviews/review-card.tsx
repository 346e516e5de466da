import type { Review } from '../../store/reviews/reviews'

export function ReviewCard({ review }: { review: Review }) {
  return (
    <figure className="review">
      <img src={review.img} alt="" width={56} height={56} loading="lazy" />
      <blockquote>“{review.description}”</blockquote>
      <figcaption>{review.name}</figcaption>
    </figure>
  )
}
