import { t, language, locales } from '../../i18n/language'
export interface Review {
  id: string
  name: string
  /** The reviewer's own picture, from the profile, or else the avatar that the review was created with (spec section 3). */
  img: string
  description: string
  /** The shop's public answer. */
  reply: string | null
  /** 1 to 5 stars. */
  rating: number | null
  /** What it is about; null also while that is hidden. Without a slug it is no longer on sale. */
  instrument: { id: string; name: string; slug: string | null } | null
  /** An order of its author for that instrument is paid, and not refunded in full. */
  isBought: boolean
}

/** Of the visible reviews of an instrument: their number, how many of them have stars, and how many stars these have together. */
export interface Rating {
  reviews: number
  ratings: number
  stars: number
}

/** Rounded to one digit, such as '4.5'. Null without stars. */
export function averageOf({ ratings, stars }: Rating): string | null {
  return ratings === 0 ? null : String(Math.round((stars * 10) / ratings) / 10)
}

/** Such as '4.5 of 5, 12 reviews'. */
export function ratingText(rating: Rating): string {
  const { reviews, ratings } = rating
  const figure = (number: number) => number.toLocaleString(locales[language()])
  const count = t(reviews === 1 ? '{count} review' : '{count} reviews', { count: figure(reviews) })
  const average = averageOf(rating)
  if (average === null) return count
  const stars = figure(Number(average))
  return ratings === reviews
    ? t('{stars} of 5, {count}', { stars, count })
    : t('{stars} of 5 by {ratings} of {count}', { stars, ratings: figure(ratings), count })
}

/** The newest ones. `rating` is null without any. */
export interface ReviewsOfInstrument {
  rating: Rating | null
  reviews: Review[]
  hasMore: boolean
}
