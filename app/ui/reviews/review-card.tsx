import type { Review } from '../../store/reviews/reviews'

interface ReviewCardProps {
  review: Review
  /** False under Save-Data: the initials stay. */
  picture: boolean
}

export function ReviewCard({ review: { name, img, description, reply }, picture }: ReviewCardProps) {
  return (
    <figure className="review">
      {' '}
      {/* The picture covers the initials once it is loaded (R58). */}
      <span className="portrait" aria-hidden="true">
        {initials(name)}
        {picture && <img src={img} alt="" width={56} height={56} loading="lazy" referrerPolicy="no-referrer" />}
      </span>
      <blockquote>“{description}”</blockquote>
      <figcaption>
        {name}
        {reply && <p className="reply">Cadenza answers: {reply}</p>}
      </figcaption>
    </figure>
  )
}

/** Of the first and the last word. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [...new Set([words[0], words.at(-1)])].map((word) => word?.match(/^./u)?.[0].toUpperCase() ?? '').join('')
}
