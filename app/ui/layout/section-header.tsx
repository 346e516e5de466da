import type { ReactNode } from 'react'

/** A section's heading over its brass rule; children (a link) stand at the far end of the line. */
export function SectionHeader({ title, id, children }: { title: string; id?: string; children?: ReactNode }) {
  return (
    <header className="section-header">
      <h2 id={id}>{title}</h2>
      {children}
    </header>
  )
}
