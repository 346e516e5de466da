import type { ReactNode } from 'react'

interface FoldProps {
  title: string
  /** Else it stands open: a field that nobody sees is not filled in. */
  isOpen?: boolean
  children: ReactNode
}

/** A group of a form. */
export function Fold({ title, isOpen = true, children }: FoldProps) {
  return (
    <details className="fold" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
