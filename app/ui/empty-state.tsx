import type { ReactNode } from 'react'
import { ButtonLink } from './button'

interface EmptyStateProps {
  title: string
  children: ReactNode
  link?: { href: string; text: string }
}

export function EmptyState({ title, children, link }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {link && (
        <ButtonLink variant="quiet" href={link.href}>
          {link.text}
        </ButtonLink>
      )}
    </div>
  )
}
