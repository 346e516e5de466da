import type { ReactNode } from 'react'
import { ButtonLink } from './button'

interface EmptyStateProps {
  title: string
  children: ReactNode
  /** What there is in its place. */
  choices?: ReactNode
  link?: { href: string; text: string }
}

export function EmptyState({ title, children, choices, link }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {choices}{' '}
      {link && (
        <ButtonLink variant="quiet" href={link.href}>
          {link.text}
        </ButtonLink>
      )}
    </div>
  )
}
