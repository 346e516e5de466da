interface PagerProps {
  first: string | null
  next: string | null
  label?: string
}

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
