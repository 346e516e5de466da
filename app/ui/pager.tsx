interface PagerProps {
  /** Where the list begins, when this page is not its beginning. */
  first: string | null
  /** Where it goes on, when it does. */
  next: string | null
  label?: string
}

/** Plain links through a long list. A page begins behind the last row of the one before, so that any page is as quick as the first. */
export function Pager({ first, next, label = 'Pages' }: PagerProps) {
  if (!first && !next) return null
  return (
    <nav className="pager" aria-label={label}>
      {first ? <a href={first}>← Back to the beginning</a> : <span />}{' '}
      {next ? (
        <a rel="next" href={next}>
          More →
        </a>
      ) : (
        <span>That is all</span>
      )}
    </nav>
  )
}
