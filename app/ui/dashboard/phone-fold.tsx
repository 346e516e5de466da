import type { ReactNode } from 'react'

/** Folded on a phone alone: where there is room, and the browser can, what is in it is open and has no title. */
export function PhoneFold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="phone-fold">
      <summary>{title}</summary>
      {children}
    </details>
  )
}
