import type { Review } from '../../store/reviews/reviews'

export function ReviewCard({ review: { name, picture, description, reply } }: { review: Review }) {
  return (
    <figure className="review">
      {' '}
      {picture ? (
        <img
          className="portrait"
          src={picture}
          alt=""
          width={56}
          height={56}
          loading="lazy"
          referrerPolicy="no-referrer"
        />
      ) : (
        <span className="portrait" aria-hidden="true">
          {initials(name)}
        </span>
      )}
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
