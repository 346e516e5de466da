import { t } from '../i18n/language'
interface PagerProps {
  /** A list by cursors knows no way back but the beginning. */
  first?: string | null
  previous?: string | null
  next: string | null
  label?: string
}

export function Pager({ first = null, previous = null, next, label = t('Pages') }: PagerProps) {
  const back = previous ?? first
  if (!back && !next) return null
  return (
    <nav className="pager" aria-label={label}>
      {back ? (
        <a rel={previous ? 'prev' : undefined} href={back}>
          {previous ? t('← Previous') : t('← First page')}
        </a>
      ) : (
        <span />
      )}{' '}
      {next ? (
        <a rel="next" href={next}>
          {t('Next →')}
        </a>
      ) : (
        <span>{t('End of the list')}</span>
      )}
    </nav>
  )
}
