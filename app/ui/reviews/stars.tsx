import { t } from '../../i18n/language'
/** As signs and in words: '★★★★☆ 4 of 5'. `text` says more than the number. */
export function Stars({ rating, text = t('{rating} of 5', { rating }) }: { rating: number; text?: string }) {
  const full = Math.round(rating)
  return (
    <>
      <span aria-hidden="true">
        {'★'.repeat(full)}
        {'☆'.repeat(5 - full)}
      </span>{' '}
      {text}
    </>
  )
}
