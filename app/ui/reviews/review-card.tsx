import { Fragment } from 'react'
import { catalogPath } from '../../store/catalog/catalog'
import type { Review } from '../../store/reviews/reviews'
import { Stars } from './stars'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

interface ReviewCardProps {
  review: Review
  /** False under Save-Data: the initials stay. */
  picture: boolean
}

export function ReviewCard({ review, picture }: ReviewCardProps) {
  const { name, img, description, reply } = review
  return (
    <figure className="review">
      {' '}
      {/* The picture covers the initials once it is loaded (R58). */}
      <span className="portrait" aria-hidden="true">
        {initials(name)}
        {picture && <img src={img} alt="" width={56} height={56} loading="lazy" referrerPolicy="no-referrer" />}
      </span>
      <blockquote>{t('“{word}”', { word: description })}</blockquote>
      <figcaption>
        {name}
        <About review={review} />
        {reply && <p className="reply">{t('{shop} answers: {reply}', { shop: shopName, reply })}</p>}
      </figcaption>
    </figure>
  )
}

/** Stars, instrument and whether it was bought, where there are. */
function About({ review: { rating, instrument, isBought } }: { review: Review }) {
  const facts = [
    rating !== null && <Stars rating={rating} />,
    instrument &&
      (instrument.slug ? <a href={catalogPath({ slug: instrument.slug })}>{instrument.name}</a> : instrument.name),
    isBought && t('Bought here'),
  ].filter(Boolean)
  if (facts.length === 0) return null
  return (
    <p>
      {facts.map((fact, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
    </p>
  )
}

/** Of the first and the last word. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [...new Set([words[0], words.at(-1)])].map((word) => word?.match(/^./u)?.[0].toUpperCase() ?? '').join('')
}
