interface PagerProps {
  /** A list by cursors knows no way back but the beginning. */
  first?: string | null
  previous?: string | null
  next: string | null
  label?: string
}

export function Pager({ first = null, previous = null, next, label = 'Pages' }: PagerProps) {
  const back = previous ?? first
  if (!back && !next) return null
  return (
    <nav className="pager" aria-label={label}>
      {back ? (
        <a rel={previous ? 'prev' : undefined} href={back}>
          {previous ? '← Previous' : '← First page'}
        </a>
      ) : (
        <span />
      )}{' '}
      {next ? (
        <a rel="next" href={next}>
          Next →
        </a>
      ) : (
        <span>End of the list</span>
      )}
    </nav>
  )
}
