import type { ReactNode } from 'react'

/** A group of a long form. It stands open: a field that nobody sees is not filled in. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="fold" open>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
